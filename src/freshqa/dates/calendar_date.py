"""Dates that name a day themselves: ISO, English words, numbers, Chinese, Japanese and Korean."""

from __future__ import annotations

import re
from datetime import date

from freshqa.dates.months import NUMBERS, WRITTEN, day_of

_MONTH = rf"(?P<month>{WRITTEN})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d{2})"
_WEEKDAY = r"(?:(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)[a-z]{0,6}\.?,?\s+)?"
_TIME = r"(?:(?:,|\s|t)\s*(?:at\s+)?\d{1,2}(?:[:.h]\d{2}|\s*[ap]\.?m\b).*)?"
"""A time of day and whatever follows it; the day is as written, in the page's own time zone."""

WITH_DAY = tuple(
    re.compile(_WEEKDAY + pattern + _TIME + r"\.?")
    for pattern in (
        rf"{_YEAR}-(?P<month_number>\d{{1,2}})-(?P<day>\d{{1,2}})",
        rf"{_YEAR}[/.] ?(?P<month_number>\d{{1,2}})[/.] ?(?P<day>\d{{1,2}})\.?",
        rf"{_YEAR}\s*[年년]\s*(?P<month_number>\d{{1,2}})\s*[月월]\s*(?P<day>\d{{1,2}})\s*[日号일]?",
        rf"{_MONTH}\s*{_DAY}(?:,|\s)\s*{_YEAR}",
        rf"{_DAY}[\s-](?:of\s+)?{_MONTH},?[\s-]{_YEAR}",
    )
)
MONTH_ONLY = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_MONTH},?\s+{_YEAR}",
        rf"{_YEAR}\s*[年년]\s*(?P<month_number>\d{{1,2}})\s*[月월]",
        rf"{_YEAR}-(?P<month_number>\d{{2}})",
    )
)
NO_YEAR = tuple(
    re.compile(_WEEKDAY + pattern + _TIME)
    for pattern in (rf"{_MONTH}\s+{_DAY}", rf"{_DAY}\s+{_MONTH}")
)
NUMERIC = re.compile(
    r"(?P<first>\d{1,2})(?P<mark>[/.-])(?P<second>\d{1,2})(?P=mark)(?P<year>(?:19|20)\d{2})\.?"
    + _TIME
)


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
            return day_of(int(match["year"]), _month(match), int(match["day"]))
    for pattern in MONTH_ONLY:
        if match := pattern.fullmatch(text):
            return day_of(int(match["year"]), _month(match), 1)
    if match := NUMERIC.fullmatch(text):
        return _numeric(match, order)
    if today is not None:
        for pattern in NO_YEAR:
            if match := pattern.fullmatch(text):
                return _latest(_month(match), int(match["day"]), today)
    return None


def _month(match: re.Match[str]) -> int:
    groups = match.groupdict()
    if number := groups.get("month_number"):
        return int(number)
    return NUMBERS[groups["month"]]


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
