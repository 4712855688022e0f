"""Detect answers that time alone has outdated ("next", "this year")."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from freshqa.dataset.question import Question
from freshqa.dates.forms import BARE_YEAR
from freshqa.dates.mentions import read_date
from freshqa.dates.review import parse_review

_NEXT = re.compile(r"\b(next|upcoming)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(this|last|present|current) year\b", re.IGNORECASE)
_MONTH = re.compile(r"\bthis month\b|\bwhat month is it\b", re.IGNORECASE)


@dataclass(frozen=True)
class Expiry:
    """The reason why a stored answer is outdated by the calendar.

    Args:
        reason: One sentence.
        impossible: True when the answer cannot be right any more; False when the same answer may
            hold again for the new year or month.
    """

    reason: str
    impossible: bool


def expired(question: Question, *, as_of: date, since: date | None = None) -> Expiry | None:
    """Return the reason why the calendar contradicts the stored answer, or None.

    Args:
        question: The stored row; a false premise stays false unless its review date is past.
        as_of: Day for which it is asked.
        since: Day of the last check, for questions about "this month".
    """
    review = parse_review(question.next_review).due_on
    if question.false_premise and (review is None or review > as_of):
        return None
    day = _stored_day(question) if _NEXT.search(question.text) else None
    if day is not None and day < as_of:
        reason = f"The question asks what comes next; the stored {day.isoformat()} is past."
        return Expiry(reason, impossible=True)
    coarse = _stored_period(question) if _NEXT.search(question.text) else None
    if coarse is not None and coarse < (as_of.year, as_of.month)[: len(coarse)]:
        said = "-".join(f"{part:02d}" for part in coarse)
        reason = f"The question asks what comes next; the stored {said} is past."
        return Expiry(reason, impossible=True)
    year = question.effective_year.strip()
    if _YEAR.search(question.text) and year.isdigit() and int(year) < as_of.year:
        reason = f"The question counts from the present year; the stored answer is of {year}."
        return Expiry(reason, impossible=False)
    monthly = _MONTH.search(question.text) and since is not None
    if monthly and since and (since.year, since.month) < (as_of.year, as_of.month):
        reason = f"The question asks about this month; the stored answer is of {since:%Y-%m}."
        return Expiry(reason, impossible=False)
    return None


def may_be_past(question: Question, *, as_of: date) -> bool:
    """True for a question about what comes next whose stored answer is the present year or month.

    The event may be in the past: on 13 March 2024, "2024" is not the next leap year.
    """
    if question.false_premise or not _NEXT.search(question.text):
        return False
    coarse = _stored_period(question)
    return coarse is not None and coarse == (as_of.year, as_of.month)[: len(coarse)]


def _stored_period(question: Question) -> tuple[int, ...] | None:
    """Return the year, or year and month, that is stored; None when a day or no date is."""
    if _stored_day(question) is not None:
        return None
    for answer in question.answers:
        if BARE_YEAR.fullmatch(answer.strip()):
            return (int(answer),)
        mention = read_date(answer)
        if mention is not None and mention.year is not None:
            return (mention.year, mention.month)
    return None


def _stored_day(question: Question) -> date | None:
    for answer in question.answers:
        mention = read_date(answer)
        if mention is not None and (day := mention.as_date()) is not None:
            return day
    return None
