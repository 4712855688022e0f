"""The date of an event, as the dataset itself knows it.

An age can be recomputed only from a birth date. Two places hold it: the passage that the row's
source link quotes, checked against the review date (which is the anniversary), and a sibling row
that asks for the date itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from freshqa.dataset.question import Question
from freshqa.dataset.wording import normalised_question
from freshqa.dates.forms import NUMBERS, WRITTEN
from freshqa.dates.mentions import find_dates, read_date
from freshqa.dates.review import parse_review
from freshqa.maintaining.source_quotes import quoted_text

_YEAR_OF_MONTH = re.compile(rf"\b({WRITTEN})\.? (\d{{4}})\W+aged?\b", re.IGNORECASE)
_YEAR_OF_DAY = re.compile(r"(?<![\d/])(\d{1,2}), (\d{4})\W+aged?\b", re.IGNORECASE)
_ABOUT_BIRTH = re.compile(r"\b(?:born|birth|aged?)\b", re.IGNORECASE)
_NEAR = 40
"""Characters between a date and the word that makes it a birth date."""
_ASKS_FOR_DATE = re.compile(
    r"(?:when|on (?:what|which) (?:date|day)|what (?:date|day)) (?:was|were|did|is) (.+)"
)
_BIRTHDAY = re.compile(r"(?:what is|when is) (.+?) s? ?(?:date of birth|birth ?day|birth date)")


@dataclass(frozen=True)
class KnownDate:
    """The day of an event, its source, and whether it is unambiguous."""

    day: date
    where: str
    certain: bool


def dates_by_event(questions: Sequence[Question]) -> Mapping[str, date]:
    """Event ("mira vale born") → day, from every question whose answer is that day."""
    events: dict[str, date] = {}
    for question in questions:
        mention = read_date(question.primary) if not question.false_premise else None
        day = mention.as_date() if mention and not mention.swapped else None
        if day is None:
            continue
        text = normalised_question(question.text)
        birthday = _BIRTHDAY.fullmatch(text)
        asked = _ASKS_FOR_DATE.fullmatch(text)
        if birthday:
            events[f"{birthday[1]} born"] = day
        elif asked:
            events[asked[1]] = day
    return events


def known_date(
    question: Question, events: Mapping[str, date], *, event: str, birth: bool
) -> KnownDate | None:
    """Return the day that a question counts from, when that is certain.

    Args:
        question: The row; its quoted sources and its review date are read.
        events: From `dates_by_event`.
        event: What happened on the day, as a sibling would ask for it ("mira vale born").
        birth: Whether it is a birth, of which sources often quote only a part of the date.
    """
    if event in events:
        return KnownDate(events[event], "asked for by another question", certain=True)
    text = quoted_text(question.sources)
    anniversary = parse_review(question.next_review).due_on
    day = _full_date(text, birth=birth) or (_completed(text, anniversary) if birth else None)
    if day is None or (
        anniversary and (day.month, day.day) != (anniversary.month, anniversary.day)
    ):
        return None  # the review date is another day, so the answer does not count from this date
    return KnownDate(day, "quoted by its source", certain=birth)


def _full_date(text: str, *, birth: bool) -> date | None:
    days = {
        mention.as_date()
        for mention in find_dates(text)
        if not mention.swapped
        and (
            not birth
            or _ABOUT_BIRTH.search(text, max(0, mention.start - _NEAR), mention.end + _NEAR)
        )
    }
    days.discard(None)
    return days.pop() if len(days) == 1 else None


def _completed(text: str, anniversary: date | None) -> date | None:
    """Return a birth date of which the source quotes month and year or day and year, and the review
    date gives the rest.
    """
    if anniversary is None:
        return None
    years = {
        int(year)
        for name, year in _YEAR_OF_MONTH.findall(text)
        if NUMBERS[name.casefold()] == anniversary.month
    }
    years |= {int(year) for day, year in _YEAR_OF_DAY.findall(text) if int(day) == anniversary.day}
    if len(years) != 1:
        return None
    return _date(years.pop(), anniversary)


def _date(year: int, anniversary: date) -> date | None:
    try:
        return anniversary.replace(year=year)
    except ValueError:  # 29 February
        return None
