"""One token, and the value of a number written in digits."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

_ONE = Decimal(1)
_ROUND_ZEROS = 3


class Token(NamedTuple):
    """One token: its comparable form, and its place in the original text.

    Args:
        form: What is compared; for a number its canonical decimal text.
        start, end: Character offsets into the original text.
        value: The number it represents, or None.
        ordinal: True for `22nd` and `twenty-second`.
        word: True for a number written in words ("one" may be a pronoun).
        precision: For a number, the size of one unit in its last written digit.
        bound: For a number, the operator it was written with (`<`, `≥`, `~`, `+`), or "".
        decimals: For a number, the digits written after its point.
    """

    form: str
    start: int
    end: int
    value: Decimal | None = None
    ordinal: bool = False
    word: bool = False
    precision: Decimal = Decimal(1)
    bound: str = ""
    decimals: int = 0


def fraction_token(text: str, start: int, end: int) -> Token:
    """`3 1/2` is 3.5; `1/2` is .5; `9/11` and `24/7` are what they are written as."""
    *whole, fraction = re.split(r"[ \u00a0-]", text)
    above, below = map(int, fraction.split("/"))
    if not below or (not whole and not (above < below and below in _DENOMINATORS)):
        return Token(fraction, start, end)
    value = Decimal(whole[0] if whole else 0) + Decimal(above) / Decimal(below)
    return Token(canonical(value), start, end, value, precision=Decimal("0.01"))


_DENOMINATORS = frozenset({2, 3, 4, 5, 6, 8, 10, 16, 32, 64, 100})


def power_token(text: str, start: int, end: int) -> Token:
    """`10^6` and `3 x 10^5` are numbers; a power of another base is what it is written as."""
    base, _, exponent = text.partition("^")
    factors = re.split(r" ?[x×·*] ?", base)
    if factors[-1] != "10" or abs(int(exponent)) > _LARGEST_EXPONENT:
        return Token(text.replace(" ", ""), start, end)
    power = Decimal(10) ** int(exponent)
    value = power * (Decimal(factors[0]) if len(factors) > 1 else 1)
    return Token(canonical(value), start, end, value, precision=power)


_LARGEST_EXPONENT = 60


def number_token(text: str, start: int, end: int) -> Token:
    """Return a number in digits; a time or a version is what it is written as."""
    plain = text.replace(",", "").replace("\u00a0", "")
    plain = f"0{plain}" if plain.startswith(".") else plain
    if ":" in plain or plain.count(".") > 1:  # a time (3:43.13) or a version (17.4.1)
        return Token(plain, start, end)
    value = Decimal(plain)
    decimals = len(plain.partition(".")[2])
    precision = _ONE.scaleb(-decimals) if decimals else _ONE
    zeros = len(plain) - len(plain.rstrip("0")) if not decimals else 0
    if zeros >= _ROUND_ZEROS:  # 677,000,000 is rounded; 180 need not be
        precision = Decimal(1).scaleb(min(zeros, len(plain) - 1))
    return Token(canonical(value), start, end, value, precision=precision, decimals=decimals)


def canonical(value: Decimal) -> str:
    """Return a number as plain decimal text, without an exponent or trailing zeros."""
    text = format(value, "f")
    return (text.rstrip("0").rstrip(".") or "0") if "." in text else text


def rounds_to(precise: Token, wanted: Token) -> bool:
    """Return True when the text's number, in the answer's precision, is the answer's number."""
    if precise.value is None or wanted.value is None:
        return False
    if precise.value == wanted.value:
        return True
    if wanted.precision <= precise.precision or abs(wanted.value) < 100:
        return False
    return abs(precise.value - wanted.value) * 2 <= min(wanted.precision, _tenth(wanted.value))


def _tenth(value: Decimal) -> Decimal:
    return abs(value) / 20


def like_versions(number: Token, other: Token) -> bool:
    """Return True for `3.10` and `3.1`, which are one number and two versions."""
    return number.value == other.value and 0 < number.decimals != other.decimals > 0
