"""Dates in words of other languages, read by dateparser, restricted where it guesses."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Any

import dateparser

LANGUAGES = (
    "de fr es it pt nl pl ru tr sv ja zh ko ar hi id vi uk cs da nb fi el ro hu he th"
).split()
"""Tried in this order after the language of the page; English has its own patterns."""
RELATIVE_CJK = re.compile(r".*(?:前|전)$")
NUMBER = re.compile(r"\d")
UNREADABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError)
"""Errors that web text has caused in date parsers; leaving a date unread is safe."""
HAS_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")


def foreign_date(text: str, moment: datetime, language: str) -> date | None:
    """Return the day that a date in words gives, or None.

    Args:
        text: One date and nothing else, case folded.
        moment: When the response was made (naive UTC).
        language: Of the page, without region; others are tried after it.
    """
    # The page's own language first: a tenth of the time, and no meaning of another language.
    own = [language] if language in LANGUAGES else []
    day = _in_languages(text, moment, own) if own else None
    return day or _in_languages(text, moment, LANGUAGES)


def _in_languages(text: str, moment: datetime, languages: list[str]) -> date | None:
    if HAS_YEAR.search(text):
        # A number beside the year must be read as the day: a language that does
        # not know "mart" would otherwise drop the word and make "5 mart 2024" May.
        day = ["day"] if NUMBER.search(HAS_YEAR.sub(" ", text)) else []
        parts = {"REQUIRE_PARTS": [*day, "month", "year"], "PREFER_DAY_OF_MONTH": "first"}
        return _parse(text, moment, languages, "absolute-time", **parts)
    # "5 min" is a length, "1 jour" too: without a word for "ago" a number and a unit say no day.
    words = text.split()
    if len(words) >= 3 or RELATIVE_CJK.match(text) or not NUMBER.search(text):
        relative_day = _parse(text, moment, languages, "relative-time")
        # Hindi has one word for yesterday and tomorrow.
        return relative_day if relative_day is not None and relative_day <= moment.date() else None
    return None


def _parse(
    text: str, moment: datetime, languages: list[str], parser: str, **settings: Any
) -> date | None:
    try:
        parsed = dateparser.parse(
            text,
            languages=languages,
            settings={
                "PARSERS": [parser],
                "RELATIVE_BASE": moment,
                "PREFER_DATES_FROM": "past",
                "DATE_ORDER": "DMY",
                **settings,
            },
        )
    except UNREADABLE:
        return None
    return parsed.date() if parsed is not None else None
