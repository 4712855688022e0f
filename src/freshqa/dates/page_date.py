"""Read the date of a search result, in any form that engines write; an uncertain date is left unread."""

from __future__ import annotations

import calendar
import re
import unicodedata
from datetime import date, datetime, timedelta, timezone
from functools import lru_cache

from freshqa.dates.forms import (
    CJK_DAY,
    CJK_MONTH,
    DAY,
    DAY_FIGURE,
    MONTH,
    MONTH_DAY,
    MONTH_FIGURE,
    MONTH_YEAR,
    NUMERIC,
    YEAR,
    day_of,
    month_of,
)
from freshqa.number_words import UNITS

MAX_LENGTH = 80
LEAD_IN = re.compile(
    r"^(?:(?:last\s+)?(?:published|updated|posted|modified|reviewed)(?:\s+on)?\s*[:·]?|date:)\s*"
)
TRAILER = re.compile(r"\s*(?:[·•|]|\s[—–-]\s).*$|[\s,;—–-]+$")
"""What an engine appends to a date: `3 days ago · 5 min read`."""

SPANS = {
    "second": ("s", "sec", "secs", "second", "seconds"),
    "minute": ("m", "min", "mins", "minute", "minutes"),
    "hour": ("h", "hr", "hrs", "hour", "hours"),
    "day": ("d", "day", "days"),
    "week": ("w", "wk", "wks", "week", "weeks"),
    "month": ("mo", "mos", "month", "months"),
    "year": ("y", "yr", "yrs", "year", "years"),
}
UNIT_OF = {word: unit for unit, words in SPANS.items() for word in words}
COUNTS = {"a": 1, "an": 1} | {word: number for number, word in enumerate(UNITS[:13])}
AGO = re.compile(
    rf"(?:about\s+)?(?P<count>\d{{1,4}}|{'|'.join(COUNTS)})\s*"
    rf"(?P<unit>{'|'.join(sorted(UNIT_OF, key=len, reverse=True))})\.?\s+ago"
)
DAY_WORDS = {"today": 0, "just now": 0, "now": 0, "yesterday": 1}
DAY_WORD = re.compile(rf"(?P<word>{'|'.join(DAY_WORDS)})(?:(?:,|\s)\s*(?:at\s+)?\d{{1,2}}.*)?")

_MONTH = rf"{MONTH}\.?"
_WEEKDAY = r"(?:(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)[a-z]{0,6}\.?,?\s+)?"
_TIME = r"(?:(?:,|\s|t)\s*(?:at\s+)?\d{1,2}(?:[:.h]\d{2}|\s*[ap]\.?m\b).*)?"
"""A time of day and whatever follows it; the day is as written, in the page's own time zone."""

WITH_DAY = tuple(
    re.compile(_WEEKDAY + pattern + _TIME + r"\.?")
    for pattern in (
        rf"{YEAR}-{MONTH_FIGURE}-{DAY_FIGURE}",
        rf"{YEAR}[/.] ?{MONTH_FIGURE}[/.] ?{DAY_FIGURE}\.?",
        rf"{CJK_DAY}[日号일]?",
        rf"{_MONTH}\s*{DAY}(?:,|\s)\s*{YEAR}",
        rf"{DAY}[\s-](?:of\s+)?{_MONTH},?[\s-]{YEAR}",
    )
)
MONTH_ONLY = tuple(
    re.compile(pattern)
    for pattern in (
        MONTH_YEAR,
        CJK_MONTH,
        rf"{YEAR}-(?P<month>\d\d)",
    )
)
NO_YEAR = tuple(
    re.compile(_WEEKDAY + pattern + _TIME) for pattern in (MONTH_DAY, rf"{DAY}\s+{_MONTH}")
)
WITH_NUMBERS = re.compile(NUMERIC + r"\.?" + _TIME)

US_ORDER = ("en", "en-us", "en-ph", "fil")
YEAR_FIRST = ("zh", "ja", "ko", "hu", "lt", "mn")
"""Languages that write the year first: 03/04/2024 is ambiguous there, so it stays unread."""


def parse_date(raw: str, *, relative_to: datetime, language: str = "en") -> date | None:
    """Return the day that `raw` gives, or None when it gives none that is certain.

    Args:
        raw: As the engine wrote it: "3 weeks ago", "9 janv. 2023", "10/07/2025, 12:15 PM".
        relative_to: When the response was made (not when it is read), so that a stored response
            gives the same dates for ever. Naive times count as UTC.
        language: Of the results page, as a tag: "en" reads 03/04/2024 as March 4, "en-GB" as
            3 April; "" leaves it unread. Words are understood in any of the languages of
            `freshqa.dates.foreign_date`.

    A bare year, a weekday and a page from the future give None.
    """
    if not isinstance(raw, str) or not raw.strip() or len(raw) > MAX_LENGTH:
        return None
    if relative_to.tzinfo is not None:
        relative_to = relative_to.astimezone(timezone.utc).replace(tzinfo=None)
    moment = relative_to.replace(second=0, microsecond=0)
    text = raw if raw.isascii() else _western_digits(unicodedata.normalize("NFKC", raw))
    text = " ".join(text.split()).casefold()
    day = _parse(text, moment, language.casefold())
    # Tomorrow's date may come from a time zone ahead of UTC; a later day is not the date of a page.
    return day if day is not None and day <= moment.date() + timedelta(days=1) else None


@lru_cache(maxsize=8192)
def _parse(text: str, moment: datetime, language: str) -> date | None:
    text = TRAILER.sub("", LEAD_IN.sub("", text))
    if match := AGO.fullmatch(text):
        return ago(match["count"], UNIT_OF[match["unit"]], moment)
    if match := DAY_WORD.fullmatch(text):
        return moment.date() - timedelta(days=DAY_WORDS[match["word"]])
    day = calendar_date(text, order=_order(language), today=moment.date())
    if day is not None or not any(character.isalpha() for character in text):
        return day
    # Deferred: dateparser costs 0.1 s to import, and most pages never need it.
    from freshqa.dates.foreign_date import foreign_date

    return foreign_date(text, moment, language.partition("-")[0])


def ago(count: str, unit: str, moment: datetime) -> date | None:
    """Return the day `count` units before `moment`; months and years keep the day number."""
    number = COUNTS.get(count) or int(count)
    try:
        if unit in ("month", "year"):
            return _months_before(moment.date(), number * (12 if unit == "year" else 1))
        return (moment - timedelta(**{f"{unit}s": number})).date()
    except (OverflowError, ValueError):
        return None


def _western_digits(text: str) -> str:
    """Convert decimal digits of every script: ٥ and ५ are 5."""
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)


def _months_before(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, last))


def _order(language: str) -> str:
    if not language or language.partition("-")[0] in YEAR_FIRST:
        return ""
    return "MDY" if language in US_ORDER else "DMY"


def calendar_date(text: str, *, order: str = "", today: date | None = None) -> date | None:
    """Return the day that `text` names, or None when it names none or could name two.

    Args:
        text: One date and nothing else, case folded; a time of day after it is ignored.
        order: `MDY` or `DMY`: how `03/04/2024` is read; with "" such a date is None unless only
            one reading exists. `03.04.2024` is always day first.
        today: A date without a year is its latest occurrence up to this day; without `today` None.

    A month without a day is its first day: never newer than the truth.
    """
    for pattern in WITH_DAY:
        if match := pattern.fullmatch(text):
            return day_of(int(match["year"]), month_of(match["month"]), int(match["day"]))
    for pattern in MONTH_ONLY:
        if match := pattern.fullmatch(text):
            return day_of(int(match["year"]), month_of(match["month"]), 1)
    if match := WITH_NUMBERS.fullmatch(text):
        return _numeric(match, order)
    if today is not None:
        for pattern in NO_YEAR:
            if match := pattern.fullmatch(text):
                return _latest(month_of(match["month"]), int(match["day"]), today)
    return None


def _numeric(match: re.Match[str], order: str) -> date | None:
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    if match["mark"] == "." or first > 12:
        return day_of(year, second, first)
    if second > 12:
        return day_of(year, first, second)
    if order == "DMY" or first == second:
        return day_of(year, second, first)
    return day_of(year, first, second) if order == "MDY" else None


def _latest(month: int, day: int, today: date) -> date | None:
    this_year = day_of(today.year, month, day)
    if this_year is not None and this_year <= today:
        return this_year
    return day_of(today.year - 1, month, day)
