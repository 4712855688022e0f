"""Answers that the calendar alone gives: month, season, holidays, patch days, days until."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from datetime import date

from freshqa.maintaining.deterministic.computed import Computed, a_day, a_number, a_word
from freshqa.maintaining.deterministic.holidays import (
    FEDERAL_NAMES,
    DayOf,
    federal_holidays,
    named_day,
    observed,
    patch_tuesday,
)

SEASONS = (
    ("spring", (3, 22), (5, 31)),
    ("summer", (6, 23), (8, 31)),
    ("fall", (9, 24), (11, 30)),
    ("winter", (12, 23), (12, 31)),
    ("winter", (1, 1), (2, 28)),
)
"""Days on which the astronomical and the meteorological season of the north agree."""
OPPOSITE = {"spring": "fall", "summer": "winter", "fall": "spring", "winter": "summer"}
_UPCOMING = frozenset({"next", "upcoming"})


def calendar_answer(question: str, stored: str, as_of: date) -> Computed | None:
    """Return the answer at `as_of`, when the whole question is one of the patterns.

    Args:
        question: The question as written.
        stored: Its primary answer.
    """
    asked = re.sub(r"\s+", " ", question.strip().lower().replace("’", "'")).rstrip("?. ")
    if not _BEGINS.match(asked):
        return None
    for pattern, answer in PATTERNS:
        match = pattern.fullmatch(asked)
        if match:
            return answer(match, stored, as_of)
    return None


def _month(match: re.Match[str], stored: str, as_of: date) -> Computed:
    name = calendar.month_name[as_of.month]
    return a_word([name, name[:3]], f"the month of {as_of}", stored)


def _year(match: re.Match[str], stored: str, as_of: date) -> Computed | None:
    return a_number(as_of.year, f"the year of {as_of}", stored)


def _season(match: re.Match[str], stored: str, as_of: date) -> Computed | None:
    day = (as_of.month, as_of.day)
    names = [name for name, first, last in SEASONS if first <= day <= last]
    if not names:
        return None  # between the two conventions
    name = names[0] if match["half"] == "northern" else OPPOSITE[names[0]]
    words = [name, "autumn"] if name == "fall" else [name]
    return a_word(words, f"the season of {as_of}", stored)


def _leap_year(match: re.Match[str], stored: str, as_of: date) -> Computed | None:
    year = as_of.year + 1
    while not calendar.isleap(year):
        year += 1
    return a_number(year, f"the first leap year after {as_of.year}", stored)


def _patch(match: re.Match[str], stored: str, as_of: date) -> Computed | None:
    this = patch_tuesday(as_of.year, as_of.month)
    before = _month_before(as_of)
    after = date(as_of.year + as_of.month // 12, as_of.month % 12 + 1, 1)
    earlier, later = (
        patch_tuesday(before.year, before.month),
        patch_tuesday(after.year, after.month),
    )
    upcoming = match["which"] is None
    why = "the second Tuesday of the month"
    if this == as_of:  # published in the course of that day
        return a_day(this, why, stored, also={later if upcoming else earlier})
    if upcoming:
        return a_day(this if this > as_of else later, why, stored)
    return a_day(this if this < as_of else earlier, why, stored)


def _month_before(day: date) -> date:
    return date(day.year - (day.month == 1), (day.month - 2) % 12 + 1, 1)


def _holiday(match: re.Match[str], stored: str, as_of: date) -> Computed | None:
    named = named_day(" ".join(part for part in (match["name"], match["land"]) if part))
    which = match["which"] or match["when"]
    if named is None or which is None:
        return None
    if which.startswith(("this year", "next year")):
        year = as_of.year + which.startswith("next year")
        return a_day(named(year), f"the day of the holiday in {year}", stored)
    if named(as_of.year) == as_of:
        return None  # on the day itself, "next" has two readings
    day = _next(named, as_of) if which in _UPCOMING else _last(named, as_of)
    return a_day(day, f"the {which} one seen from {as_of}", stored)


def _next(named: DayOf, as_of: date) -> date:
    return min(d for d in (named(as_of.year), named(as_of.year + 1)) if d > as_of)


def _last(named: DayOf, as_of: date) -> date:
    return max(d for d in (named(as_of.year), named(as_of.year - 1)) if d < as_of)


def _federal(match: re.Match[str], stored: str, as_of: date) -> Computed | None:
    coming = [*federal_holidays(as_of.year), *federal_holidays(as_of.year + 1)]
    if any(as_of in (day, observed(day)) for day, _ in coming):
        return None
    day, name = next((day, name) for day, name in coming if min(day, observed(day)) > as_of)
    why = f"the first federal holiday after {as_of}, on {day}"
    by_name = re.search(FEDERAL_NAMES.get(name, re.escape(name.lower())), stored.lower())
    if by_name:
        return Computed(name, why, agrees=True)
    by_day = a_day(day, why, stored, also={observed(day)})
    return Computed(name, why, agrees=by_day is not None and by_day.agrees)


def _days_until(match: re.Match[str], stored: str, as_of: date) -> Computed | None:
    named = named_day(" ".join(part for part in (match["name"], match["land"]) if part))
    if named is None or named(as_of.year) == as_of:
        return None
    day = _next(named, as_of)
    return a_number((day - as_of).days, f"from {as_of} to {day}", stored)


_WHICH = r"(?:(?:the )?(?P<which>this year's|next year's|next|upcoming|last|most recent|latest) )?"
_LAND = r"(?: (?P<land>in the (?:united states|us|u\.s\.)))?"
_WHEN = r"(?: (?P<when>this year|next year))?"
_PATCH_TUESDAY = (
    r"on what date (?:in north america )?did the (?P<which>most recent|latest|last) "
    r"microsoft's patch tuesday come out|the (?:upcoming|next) microsoft's patch tuesday "
    r"will come out on what date(?: in north america)?"
)
_DAYS_UNTIL = (
    r"how many days (?:are (?:left|there) )?(?:until|till|to|before) (?:the next )?"
    rf"(?P<name>[a-z'. ]+?){_LAND}"
)
_ASK = r"(?:when|what (?:date|day)|on (?:what|which) (?:date|day)) (?:is|was|does|did|will)"
_BEGINS = re.compile(r"what |which |when |on |the |how many days ")
"""How every one of `PATTERNS` begins: most questions begin otherwise."""
_ANSWERS: tuple[tuple[str, Callable[[re.Match[str], str, date], Computed | None]], ...] = (
    (r"(?:what|which) month is it(?: now| currently| today)?|what is the current month", _month),
    (r"(?:what|which) year is it(?: now| currently| today)?|what is the current year", _year),
    (r"what season is it in the (?P<half>northern|southern) hemisphere", _season),
    (r"when is the next leap year|what year is the next leap year", _leap_year),
    (_PATCH_TUESDAY, _patch),
    (
        r"(?:when|what) is the (?:next|upcoming) (?:u\.?s\.?|united states|american) federal holiday",
        _federal,
    ),
    (
        rf"{_ASK} {_WHICH}(?P<name>[a-z'. ]+?)(?: fall| take place)?{_LAND}{_WHEN}",
        _holiday,
    ),
    (_DAYS_UNTIL, _days_until),
)
PATTERNS = tuple((re.compile(pattern), answer) for pattern, answer in _ANSWERS)
