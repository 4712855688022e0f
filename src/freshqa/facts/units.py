"""What is counted or paid in: signs and names in comparable form."""

from __future__ import annotations

SYMBOLS = {
    "%": "percent",
    "‰": "permille",
    "$": "dollar",
    "US$": "dollar",
    "AU$": "aud",
    "A$": "aud",
    "CA$": "cad",
    "C$": "cad",
    "NZ$": "nzd",
    "HK$": "hkd",
    "S$": "sgd",
    "R$": "brl",
    "€": "euro",
    "£": "pound",
    "¥": "yen",
    "¢": "cent",
    "₹": "rupee",
    "₩": "won",
    "₽": "ruble",
    "°": "degree",
}
MONEY_NAMES = {
    "usd": "dollar",
    "eur": "euro",
    "gbp": "pound",
    "jpy": "yen",
    "inr": "rupee",
    "krw": "won",
    "rub": "ruble",
    "rouble": "ruble",
    "chf": "franc",
    "rs": "rupee",
    "cny": "yuan",
    "rmb": "yuan",
    "renminbi": "yuan",
}
CURRENCIES = frozenset(
    {*MONEY_NAMES, *MONEY_NAMES.values(), "aud", "cad", "nzd", "hkd", "sgd", "brl", "mxn", "sek"}
    | {"cent"}
)
"""Comparable forms of currencies; codes count as the currency they name."""
DOLLARS = frozenset({"dollar", "aud", "cad", "nzd", "hkd", "sgd"})
"""Currencies that are written with the same sign; which one is meant may be left out."""
SIGNS = frozenset({"percent", "permille", "degree", "bc", "bce"})
"""Units, and eras, that no number goes without by accident."""
