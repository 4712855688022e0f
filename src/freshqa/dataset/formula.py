"""Texts that a spreadsheet runs as a formula, and how a CSV prevents it."""

from __future__ import annotations

import re

_COMPUTED = (
    r"[=|{}\[\]]|!\$?[A-Za-z]|\w\(|[\d%]\s*(?:[-+*/^&<]|>=?)\s*(?:[\d.(\"]|\$?[A-Za-z]{1,3}\$?\d)"
)
"""Within a text that starts with a sign: what makes a spreadsheet compute or call something."""
_AMOUNT = r"(?:[A-Z]{1,3}(?=[$€£¥]))?[^\w\s(+\-]{0,2}\s?\.?\d|[A-Z]{3}\s\d"
"""What follows the sign of an amount: 5, .5, $10, US$10, EUR 10."""
START = (
    r"(?s:[=@\t\r\n＝＠]"
    r"|[+\-＋－](?![+\-–—]*\s*\Z)"  # not a lone dash
    rf"(?:(?!\s|{_AMOUNT})|(?=.*(?:{_COMPUTED}))))"
)
"""Text that starts like this is run. Signed numbers, amounts and dashes are not: -0.1%, -$10, +3 °C, -."""
FORMULA = re.compile(START)
_MARKED = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")
"""Text from which a mark is removed; wider than `FORMULA`, because earlier exports marked more."""


def is_formula(text: str) -> bool:
    """Return True when a spreadsheet that opens a CSV would run this cell."""
    return FORMULA.match(text) is not None


def neutral(text: str) -> str:
    """Return a cell that no spreadsheet runs: with a leading apostrophe.

    Text that already looks marked gets one more, so that `unmarked` restores every text.
    """
    return f"'{text}" if is_formula(text) or _MARKED.match(text) else text


def unmarked(text: str) -> str:
    """Return the text that `neutral` was given."""
    return text[1:] if _MARKED.match(text) else text
