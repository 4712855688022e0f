"""A computed answer, and whether the stored answer states the same."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from freshqa.dates.mentions import find_dates, read_date
from freshqa.facts.tokens import fold, tokenise

_HEDGED_UP = re.compile(r"\b(?:nearly|almost|close to|about|around|approximately)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Computed:
    """A computed answer.

    Args:
        value: The answer, ready to be shown ("27", "2025-05-26", "April").
        why: How it follows, in a few words.
        agrees: Whether the stored primary answer says so.
    """

    value: str
    why: str
    agrees: bool


def a_day(day: date, why: str, stored: str, *, also: Collection[date] = ()) -> Computed | None:
    """Return the computed answer for a day; compares it with every reading of the stored date.

    Args:
        also: Days that are also correct.

    Returns:
        None when the stored answer holds no date that could be compared.
    """
    mention = read_date(stored) or next(iter(find_dates(stored)), None)
    if mention is None:
        return None
    agrees = any(
        mention.agrees(right)
        for right in find_dates(" / ".join(d.isoformat() for d in {day, *also}))
    )
    return Computed(day.isoformat(), why, agrees)


def a_word(words: Collection[str], why: str, stored: str) -> Computed:
    """Return the computed answer for a word with synonyms; the first synonym is shown."""
    given = set(fold(stored).split())
    agrees = any(set(fold(word).split()) <= given for word in words)
    return Computed(next(iter(words)), why, agrees)


def a_number(value: int, why: str, stored: str) -> Computed | None:
    """Return the computed answer for a whole number; "nearly 19" means 18, "more than 2" means 2.

    Returns:
        None when the stored answer does not start with one plain number.
    """
    number = first_number(stored)
    if number is None:
        return None
    said = {number, number - 1} if _HEDGED_UP.search(stored) else {number}
    return Computed(str(value), why, value in said)


def first_number(text: str) -> Decimal | None:
    """Return the first number in a text, in figures or words."""
    return next((token.value for token in tokenise(text) if token.value is not None), None)
