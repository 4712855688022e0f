"""Dates written in a text, to the precision in which they are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from freshqa.dates.forms import (
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

_PATTERNS = tuple(
    re.compile(rf"(?<![\w/.-]){pattern}(?![\w/]|[.,-]\d)", re.IGNORECASE)
    for pattern in (
        rf"{MONTH}\.?,?\s+{DAY}(?:\s*,\s*|\s+){YEAR}",
        rf"{DAY}(?:\s+of)?\s+{MONTH_YEAR}",
        rf"{YEAR}[-/.]{MONTH_FIGURE}[-/.]{DAY_FIGURE}",
        NUMERIC,
        MONTH_YEAR,
        MONTH_DAY,
        rf"{DAY}(?:\s+of)?\s+{MONTH}",
        rf"{MONTH_FIGURE}/{YEAR}",
        rf"{DAY}-{MONTH}-(?P<year>(?:19|20)?\d\d)",  # as spreadsheets write it
    )
)

_HINT = re.compile(r"\d[/.-]\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec", re.IGNORECASE)
"""What every date contains: the first letters of a month, or figures with a separator."""
_WEEKDAY = re.compile(
    r"(?i)^\s*(on\s+|in\s+)?((mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?\b\.?,?\s*)?"
)
_READ = "\0"


@dataclass(frozen=True)
class DateMention:
    """A date in a text.

    Args:
        year, month, day: What is written; None if it is not stated.
        start, end: Character offsets into the text.
        swapped: True when day and month could also be swapped (`11/12/2023`).
    """

    year: int | None
    month: int
    day: int | None
    start: int
    end: int
    swapped: bool = False

    def agrees(self, other: DateMention) -> bool:
        """Return True when `other` says the same date, in the same or greater precision."""
        return any(
            left.year in (None, right.year)
            and left.month == right.month
            and left.day in (None, right.day)
            for left in self._readings()
            for right in other._readings()
        )

    def contradicts(self, other: DateMention) -> bool:
        """Return True when both name a day (or both a month) and no reading makes them the same."""
        if (self.day is None) != (other.day is None):
            return False
        return not self.agrees(other) and not other.agrees(self)

    def as_date(self) -> date | None:
        """Return the calendar day, or None when year or day is missing."""
        if self.year is None or self.day is None:
            return None
        return date(self.year, self.month, self.day)

    def _readings(self) -> tuple[DateMention, ...]:
        if not self.swapped or self.day is None:
            return (self,)
        other = DateMention(self.year, self.day, self.month, self.start, self.end)
        return (self, other)


def find_dates(text: str) -> list[DateMention]:
    """Every date in a text in order of appearance; overlapping readings: the longest wins."""
    dates: list[DateMention] = []
    if not _HINT.search(text):
        return dates
    rest = text
    for pattern in _PATTERNS:
        mentions = [m for match in pattern.finditer(rest) if (m := _mention(match)) is not None]
        dates += mentions
        rest = _without(rest, mentions)
    return sorted(dates, key=lambda mention: mention.start)


def _without(text: str, mentions: list[DateMention]) -> str:
    """Return the text with the dates already read blanked out, at the same offsets."""
    parts, position = [], 0
    for mention in mentions:
        parts += [text[position : mention.start], _READ * (mention.end - mention.start)]
        position = mention.end
    return "".join([*parts, text[position:]])


@lru_cache(maxsize=4096)  # each answer of a version is compared with its earlier forms
def read_date(text: str) -> DateMention | None:
    """Return the date that a whole text is (weekday, brackets and spaces aside), or None."""
    if not _HINT.search(text):
        return None
    stripped = _WEEKDAY.sub("", text).rstrip(" .")
    mentions = find_dates(stripped)
    if len(mentions) == 1 and (mentions[0].start, mentions[0].end) == (0, len(stripped)):
        return mentions[0]
    return None


def event_date(answers: Sequence[str], *, after: date) -> date | None:
    """Return the one day that the answers name.

    Args:
        answers: Forms of one answer; the first that names a day decides.
        after: A day without its year is the next one after this day.

    Returns:
        None when no answer names a day, or the deciding one names several.
    """
    for answer in answers:
        named = (_next(m, after) for m in find_dates(answer) if not _in_range(answer, m))
        days = {day for day in named if day}
        if days:
            return days.pop() if len(days) == 1 else None
    return None


def _in_range(text: str, mention: DateMention) -> bool:
    """Return whether a date is one end of a range such as `May 7–11`."""
    return text[: mention.start].endswith("–") or text[mention.end :].startswith("–")


def _next(mention: DateMention, after: date) -> date | None:
    if mention.day is None or mention.year is not None:
        return mention.as_date()
    years = (after.year, after.year + 1)
    days = (day_of(year, mention.month, mention.day) for year in years)
    return next((day for day in days if day and day > after), None)


def _mention(match: re.Match[str]) -> DateMention | None:
    groups = match.groupdict()
    year = _year(groups.get("year"))
    swapped = False
    day: int | None
    if groups.get("first"):
        month, day = int(groups["first"]), int(groups["second"])
        if month > 12:
            month, day = day, month
        elif day <= 12 and day != month:
            swapped = True
    else:
        month = month_of(groups["month"])
        day = int(groups["day"]) if groups.get("day") else None
    if day_of(year or 2024, month, day or 1) is None:
        return None
    return DateMention(year, month, day, match.start(), match.end(), swapped)


def _year(written: str | None) -> int | None:
    """Return the year; two digits as spreadsheets read them, up to 2029."""
    if not written:
        return None
    year = int(written)
    return year if len(written) == 4 else year + (2000 if year < 30 else 1900)
