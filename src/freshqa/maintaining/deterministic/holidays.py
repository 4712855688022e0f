"""Days that follow from the calendar alone: holidays of the United States and similar days."""

from __future__ import annotations

import re
from calendar import MONDAY, SUNDAY, THURSDAY, TUESDAY
from collections.abc import Callable, Iterator
from datetime import date, timedelta

DayOf = Callable[[int], date]


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    """Return the nth weekday (Monday is 0) of a month; nth counts from the end when negative."""
    if nth > 0:
        first = date(year, month, 1)
        return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))
    last = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
    return last - timedelta(days=(last.weekday() - weekday) % 7 + 7 * (-nth - 1))


def easter(year: int) -> date:
    """Easter Sunday in the Gregorian calendar (Meeus, Astronomical Algorithms, chapter 8)."""
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    f = (b + 8) // 25
    g = (b - f + 1) // 3
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, day + 1)


def _fixed(month: int, day: int) -> DayOf:
    return lambda year: date(year, month, day)


def _nth(month: int, weekday: int, nth: int, plus: int = 0) -> DayOf:
    return lambda year: nth_weekday(year, month, weekday, nth) + timedelta(days=plus)


FEDERAL: dict[str, DayOf] = {
    "New Year's Day": _fixed(1, 1),
    "Martin Luther King Jr. Day": _nth(1, MONDAY, 3),
    "Presidents' Day": _nth(2, MONDAY, 3),
    "Memorial Day": _nth(5, MONDAY, -1),
    "Juneteenth": _fixed(6, 19),
    "Independence Day": _fixed(7, 4),
    "Labor Day": _nth(9, MONDAY, 1),
    "Columbus Day": _nth(10, MONDAY, 2),
    "Veterans Day": _fixed(11, 11),
    "Thanksgiving": _nth(11, THURSDAY, 4),
    "Christmas": _fixed(12, 25),
}
"""The yearly federal holidays (5 U.S.C. 6103), by the name that answers use."""
FEDERAL_NAMES: dict[str, str] = {
    "Presidents' Day": r"presidents?['’]?s?['’]? day|washington['’]s birthday",
    "Martin Luther King Jr. Day": r"martin luther king,? ?(?:jr\.?)?,? ?day|mlk day",
    "Columbus Day": r"columbus day|indigenous peoples?['’]?s? day",
    "Thanksgiving": r"thanksgiving(?: day)?",
    "Christmas": r"christmas(?: day)?",
    "Juneteenth": r"juneteenth(?: national independence day)?",
}
_AMERICAN = r"(?: day)? in the (?:united states|us|u\.s\.)"
NAMED: tuple[tuple[str, DayOf], ...] = (
    *(
        (FEDERAL_NAMES.get(name, name.lower().replace("'", "['’]?")), day)
        for name, day in FEDERAL.items()
        if name not in ("Independence Day",)
    ),
    (r"(?:u\.?s\.? |american )?independence day in the (?:united states|us|u\.s\.)", _fixed(7, 4)),
    (r"(?:the )?fourth of july", _fixed(7, 4)),
    (r"valentine['’]?s day", _fixed(2, 14)),
    (r"(?:saint|st\.?) patrick['’]?s day", _fixed(3, 17)),
    (r"halloween", _fixed(10, 31)),
    (r"christmas eve", _fixed(12, 24)),
    (r"new year['’]?s eve", _fixed(12, 31)),
    (r"easter(?: sunday)?", easter),
    (r"good friday", lambda year: easter(year) - timedelta(days=2)),
    (rf"mother['’]?s['’]?{_AMERICAN}", _nth(5, SUNDAY, 2)),
    (rf"father['’]?s['’]?{_AMERICAN}", _nth(6, SUNDAY, 3)),
    (r"black friday", _nth(11, THURSDAY, 4, plus=1)),
    (r"cyber monday", _nth(11, THURSDAY, 4, plus=4)),
    (rf"election{_AMERICAN}", _nth(11, MONDAY, 1, plus=1)),
)
"""Pattern of a name, in lower case, and its day in a year. Days that differ between countries
(Mother's Day) count only where the country is named."""


def named_day(name: str) -> DayOf | None:
    """Return the day in each year of a holiday, when the whole name is known."""
    lowered = name.lower().strip()
    return next((day for pattern, day in NAMED if re.fullmatch(pattern, lowered)), None)


def patch_tuesday(year: int, month: int) -> date:
    """Return the second Tuesday of a month, when Microsoft publishes its updates."""
    return nth_weekday(year, month, TUESDAY, 2)


def observed(day: date) -> date:
    """Return the weekday on which a federal holiday is observed (Friday before, Monday after)."""
    return day + timedelta(days={5: -1, 6: 1}.get(day.weekday(), 0))


def federal_holidays(year: int) -> Iterator[tuple[date, str]]:
    """Yield the federal holidays of a year with their own days, in order."""
    yield from sorted((day(year), name) for name, day in FEDERAL.items())
