"""Ages, anniversaries and "how many years since": whole years from a day the dataset knows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

from freshqa.dataset.question import Question
from freshqa.dataset.wording import normalised_question
from freshqa.dates.forms import whole_years
from freshqa.maintaining.deterministic.computed import Computed, a_number, first_number
from freshqa.maintaining.deterministic.known_dates import KnownDate, known_date
from freshqa.number_words import WORD_VALUES, read_words

_AGE = re.compile(r"how old is (?P<who>.+)|what is the (?:current )?age of (?P<whom>.+)")
_SINCE = re.compile(
    r"how many years ago (?:did|was|were) (?P<ago>.+)"
    r"|how (?:many years|long) (?:has it been|it has been|is it) since (?P<since>.+)"
    r"|how long has .+ been .+ since (?P<been>.+)"
)
_COMING = re.compile(
    r"in how many years will (?P<whose>.+?) celebrate (?:its|his|her|their) "
    r"(?P<nth>[a-z ]+|\d+(?:st|nd|rd|th)) (?:anniversary|birthday)"
)
_CELEBRATED = re.compile(
    r"when did (?P<whose>.+?) celebrate (?:its|his|her|their) "
    r"(?P<nth>[a-z ]+|\d+(?:st|nd|rd|th)) (?:anniversary|birthday)"
)
_BEGINS = re.compile(r"\W*(?:how|what|in|when)\W", re.IGNORECASE)
"""The beginning of every pattern above, before normalisation."""
SLIP = 2
"""Years by which a forgotten anniversary can be off; a larger difference means another event."""
_SMALL_UNITS = re.compile(r"\b(?:months?|weeks?|days?|hours?)\b", re.IGNORECASE)


def elapsed(question: Question, as_of: date, events: Mapping[str, date]) -> Computed | None:
    """The number of years at `as_of`, when the pattern and the day it counts from are certain."""
    if question.text.isascii() and not _BEGINS.match(question.text):
        return None
    text = normalised_question(question.text)
    celebrated = _CELEBRATED.fullmatch(text)
    if celebrated:
        return _came_true(question, celebrated, as_of, events)
    coming = _COMING.fullmatch(text)
    if coming and not question.false_premise:
        return _until(question, coming, as_of, events)
    age, since = _AGE.fullmatch(text), _SINCE.fullmatch(text)
    asked = age or since
    if asked is None or question.false_premise or _SMALL_UNITS.search(question.primary):
        return None
    subject = next(part for part in asked.groups() if part)
    event = f"{subject} born" if age else subject
    start = known_date(question, events, event=event, birth=age is not None)
    if start is None or start.day > as_of:
        return None
    return _years(whole_years(start.day, as_of), start, question)


def _until(
    question: Question, match: re.Match[str], as_of: date, events: Mapping[str, date]
) -> Computed | None:
    start, day = _celebration(question, match, events)
    if start is None or day is None or day <= as_of:
        return None
    return _years(whole_years(as_of, day), start, question)


def _came_true(
    question: Question, match: re.Match[str], as_of: date, events: Mapping[str, date]
) -> Computed | None:
    """A premise that is false until the day: "when did X celebrate its thirtieth anniversary?"."""
    start, day = _celebration(question, match, events)
    if start is None or day is None or not question.false_premise:
        return None
    return Computed(day.isoformat(), f"the premise came true; {_why(start)}", agrees=as_of < day)


def _celebration(
    question: Question, match: re.Match[str], events: Mapping[str, date]
) -> tuple[KnownDate | None, date | None]:
    nth = _ordinal(match["nth"])
    start = known_date(
        question.with_changes({"next_review": ""}), events, event=match["whose"], birth=False
    )
    if nth is None or start is None or (start.day.month, start.day.day) == (2, 29):
        return None, None
    return start, start.day.replace(year=start.day.year + nth)


def _years(years: int, start: KnownDate, question: Question) -> Computed | None:
    """The number of years; None when a quoted day is so far off that it belongs to another event."""
    computed = a_number(years, _why(start), question.primary)
    if computed is None or years < 1:
        return None
    said = first_number(question.primary)
    far = not start.certain and said is not None and abs(said - years) > SLIP
    return None if far else computed


def _ordinal(text: str) -> int | None:
    digits = re.match(r"\d+", text)
    if digits:
        return int(digits[0])
    words = text.split()
    if not words or words[0] not in WORD_VALUES:
        return None
    value, _, used = read_words(words)
    return int(value) if used == len(words) else None


def _why(start: KnownDate) -> str:
    return f"counted from {start.day}, {start.where}"
