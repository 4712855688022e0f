"""The forms in which dates are written: month names, the pieces of patterns, and the writers."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

NAMES = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
ABBREVIATED = tuple(name[:3] for name in NAMES)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
NUMBERS = {
    written.casefold(): number
    for number, name in enumerate(NAMES, start=1)
    for written in (name, name[:3])
} | {"sept": 9}
"""Name or abbreviation in lower case → number."""
WRITTEN = "|".join(sorted(NUMBERS, key=len, reverse=True))
"""Alternatives of a regular expression, the longest first."""
MONTH = rf"(?P<month>{WRITTEN})"
MONTH_FIGURE = r"(?P<month>0?[1-9]|1[0-2])"
DAY_FIGURE = r"(?P<day>0?[1-9]|[12]\d|3[01])"
"""Only numbers that a month or a day can have."""
_ORDINAL = "(?:st|nd|rd|th)?"
DAY = DAY_FIGURE + _ORDINAL
ANY_DAY = r"(?P<day>\d{1,2})" + _ORDINAL
"""Also a number that no day has, which is read as an invalid date instead of being ignored."""
A_YEAR = r"(?:19|20)\d\d"
YEAR = rf"(?P<year>{A_YEAR})"
NUMERIC = rf"(?P<first>\d{{1,2}})(?P<mark>[/.-])(?P<second>\d{{1,2}})(?P=mark){YEAR}"
"""Day and month in either order; the language of the page or the release decides."""
MONTH_YEAR = rf"{MONTH}\.?,?\s+{YEAR}"
MONTH_DAY = rf"{MONTH}\.?\s+{DAY}"
CJK_MONTH = rf"{YEAR}\s*[年년]\s*{MONTH_FIGURE}\s*[月월]"
CJK_DAY = rf"{CJK_MONTH}\s*{DAY_FIGURE}\s*"
"""Up to the sign for the day, which is optional."""

_NAMED = "|".join(sorted((word.capitalize() for word in NUMBERS), key=len, reverse=True))
MONTH_IN_PROSE = rf"(?:{_NAMED})\.?,? \d{{4}}"
DAY_IN_PROSE = (
    rf"(?:{_NAMED})\.? \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}|\d{{1,2}} (?:{_NAMED})\.?,? \d{{4}}"
)
"""As in sentences, without groups, for use in larger patterns."""
BARE_YEAR = re.compile(A_YEAR)
YEAR_WORD = re.compile(rf"\b{A_YEAR}\b")
EFFECTIVE_YEAR = re.compile(r"(before )?(\d{4})")
"""As the official sheet writes them: `2024`, `before 2022`."""

Form = Callable[[date], str]


def _name(day: date) -> str:
    return NAMES[day.month - 1]


def _short(day: date) -> str:
    return ABBREVIATED[day.month - 1]


def _weekday(day: date) -> str:
    return WEEKDAYS[day.weekday()]


STANDARD: tuple[Form, ...] = (
    lambda d: f"{_short(d)} {d.day}, {d.year}",
    lambda d: f"{_name(d)} {d.day}, {d.year}",
    lambda d: f"{d.day} {_short(d)} {d.year}",
    lambda d: f"{d.day} {_name(d)} {d.year}",
    lambda d: f"{d:%m}/{d:%d}/{d.year}",
    lambda d: f"{d:%m}-{d:%d}-{d.year}",
    lambda d: f"{d:%d}/{d:%m}/{d.year}",
    lambda d: f"{d:%d}-{d:%m}-{d.year}",
    lambda d: f"{d.year}/{d:%m}/{d:%d}",
    lambda d: f"{d.year}-{d:%m}-{d:%d}",
)
"""The ten forms in which the official sheet writes a day, in its order."""
MONTHLY: tuple[Form, ...] = (
    lambda d: f"{_name(d)} {d.year}",
    lambda d: f"{_short(d)} {d.year}",
    lambda d: f"{d.month}/{d.year}",
)
"""The three forms in which the official sheet writes a month, in its order."""
OTHERS: tuple[Form, ...] = (
    lambda d: f"{_weekday(d)}, {_name(d)} {d.day}",
    lambda d: f"{_weekday(d)}, {_name(d)} {d.day}, {d.year}",
    lambda d: f"{_weekday(d)[:3]}, {_short(d)} {d.day}",
    lambda d: f"{_weekday(d)[:3]}, {_short(d)} {d.day}, {d.year}",
    lambda d: f"{_name(d)} {d.day}",
    lambda d: f"{_short(d)} {d.day}",
    lambda d: f"{d.day} {_name(d)}",
    lambda d: f"{d.month}/{d.day}/{d.year}",
    lambda d: f"{d.month}-{d.day}-{d.year}",
    lambda d: f"{d.day}/{d.month}/{d.year}",
    lambda d: f"{d.day}-{d.month}-{d.year}",
    lambda d: f"{d.year}/{d.month}/{d.day}",
    lambda d: f"{d.year}-{d.month}-{d.day}",
    lambda d: f"{d:%m}/{d.year}",
    lambda d: f"{d:%m}-{d.year}",
)
"""Other forms that stored answers use."""


def official_date(day: date) -> str:
    """Return a day as `next_review` writes it: `03/05/2024`."""
    return f"{day:%m/%d/}{day.year:04d}"


def long_date(day: date) -> str:
    """Return `March 05, 2024`, as the FreshPrompt notebook writes today's date."""
    return f"{_name(day)} {day.day:02d}, {day.year}"


def short_date(day: date) -> str:
    """Return `Mar 05, 2024`, as the FreshPrompt notebook dates evidence."""
    return f"{_short(day)} {day.day:02d}, {day.year}"


def month_of(written: str) -> int:
    """Return the number of a month that MONTH or MONTH_FIGURE has matched."""
    return int(written) if written.isdigit() else NUMBERS[written.casefold()]


def day_of(year: int, month: int, day: int) -> date | None:
    """Return the day, or None when the calendar does not have it (30 February)."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def whole_years(start: date, end: date) -> int:
    """Return the completed years from one day to another: an age on that day."""
    return end.year - start.year - ((end.month, end.day) < (start.month, start.day))
