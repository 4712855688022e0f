"""The day of an event that an answer names, among other words or without its year."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from freshqa.dates.months import NUMBERS, WRITTEN, day_of

_MONTH = rf"\b(?P<month>{WRITTEN})\b\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\b"
_YEAR = r"(?:,? (?P<year>\d{4})\b)?"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"{_MONTH} {_DAY}(?![-–/]){_YEAR}",
        rf"(?<![\d/–-])\b{_DAY}(?: of)?[ -]{_MONTH}{_YEAR.replace(',? ', '(?:,? |-)')}",
        r"\b(?P<number>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4})\b",
        r"\b(?P<year>\d{4})-(?P<number>\d{1,2})-(?P<day>\d{1,2})\b",
    )
)


def event_date(answers: Sequence[str], *, after: date) -> date | None:
    """Return the one day that the answers name.

    Args:
        answers: Forms of one answer; the first that names a day decides.
        after: A day without its year is the next one after this day.

    Returns:
        None when no answer names a day, or the deciding one names several.
    """
    for answer in answers:
        days = set(_days(" ".join(answer.casefold().split()), after))
        if days:
            return days.pop() if len(days) == 1 else None
    return None


def _days(text: str, after: date) -> Iterator[date]:
    for form in _FORMS:
        for found in form.finditer(text):
            parts = found.groupdict()
            month = int(parts.get("number") or 0) or NUMBERS[parts["month"]]
            years = [int(parts["year"])] if parts["year"] else [after.year, after.year + 1]
            days = [day for year in years if (day := day_of(year, month, int(parts["day"])))]
            days = days if parts["year"] else [day for day in days if day > after]
            yield from days[:1]
