"""When a question has to be looked at again, and what its review date becomes afterwards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from freshqa.dataset.question import FactType, Question
from freshqa.dates.event import event_date
from freshqa.dates.mentions import read_date
from freshqa.dates.review import CADENCE_WEEKS, REMEDY, Review, parse_review

__all__ = ["CADENCE_WEEKS", "REMEDY", "Due", "Review", "due", "parse_review", "roll_review"]
EACH_RUN = ("every_time", "frequently")
THIS_YEAR = re.compile(r"\bthis year\b", re.IGNORECASE)
MONTHLY = re.compile(r"\bmonth\b", re.IGNORECASE)
ANNUAL = re.compile(
    r"\b(how old|age of|years? ago|years? since|how many years|how long has it been|last year|annual"
    r"|(last|latest|recent|next) season|awards?|prize|medal|oscars?|emmys?|grammys?|laureate|ballon|cup|bowl|championships?|champions"
    r"|league|tournament|open|marathon|festival|conference|miss (world|universe|america))\b",
    re.IGNORECASE,
)
"""Wordings of what happens once a year: ages, anniversaries, prizes, seasons."""


@dataclass(frozen=True)
class Due:
    """Why and since when a question has to be checked."""

    due_on: date
    why: str


def due(
    question: Question, *, as_of: date, days: int = 7, last_checked: date | None = None
) -> Due | None:
    """Return whether a question has to be checked at `as_of`, when the next run is `days` later.

    A review on the day of the next run is due now: that run may be late, and until it has ended
    the stored answer is served. A review text without a meaning counts as due too: better one check
    too many.

    Args:
        last_checked: When a run last checked it; a cadence counts from there.
    """
    review = parse_review(question.next_review)
    next_run = as_of + timedelta(days=days)
    if review.due_on is not None:
        why = f"review date {review.due_on.isoformat()}"
        return Due(review.due_on, why) if review.due_on <= next_run else None
    if review.every_weeks is None:
        return Due(as_of, f"unreadable review {question.next_review!r}: {review.problem}")
    word = question.next_review.strip()
    if word.casefold() in EACH_RUN:
        return Due(as_of, f"{word}: every run")
    if last_checked is None:
        return Due(as_of, f"{word}: never checked")
    on = last_checked + timedelta(weeks=review.every_weeks)
    return Due(on, f"{word}: every {review.every_weeks} weeks") if on <= next_run else None


def roll_review(
    question: Question, *, as_of: date, changed: bool, old_answers: Sequence[str] = ()
) -> str:
    """Return the `next_review` text after a check at `as_of`, as the maintainers would write it.

    Where the stored review was the day that the old answer named ("the next full moon"), it becomes
    the day to come that the new answer names. Otherwise words, and dates to come, stay. A date that has passed becomes, in this order: N/A for a fact
    that never changes; New Year for "this year"; the day to come that the answers name; the first
    of the next month for a monthly question; the same day a year later for an annual event that took
    place; else a word by fact type (a passed date without a change says nothing of the next).

    Args:
        question: With its new answers, when they changed.
        changed: Whether the check found a new fact.
        old_answers: The answers before, where they changed.
    """
    review = parse_review(question.next_review)
    event = _event(question, review, as_of, old_answers) if changed else None
    if event is not None:
        return f"{event:%m/%d/%Y}"
    if review.every_weeks is not None or (review.due_on and review.due_on > as_of):
        return question.next_review
    if question.fact_type == FactType.never_changing.value:
        return "N/A"
    following = _following(question, review, as_of=as_of, changed=changed)
    if following:
        return f"{following:%m/%d/%Y}"
    return "frequently" if question.fact_type == FactType.fast_changing.value else "occasionally"


def _event(
    question: Question, review: Review, as_of: date, old_answers: Sequence[str]
) -> date | None:
    """Return the day to come of the new answer, where the review was the day of the old one."""
    if review.due_on is None:
        return None
    day_before = review.due_on - timedelta(days=1)
    if event_date(old_answers, after=day_before) != review.due_on:
        return None
    event = event_date(question.answers, after=as_of)
    return event if event is not None and event > as_of else None


def _following(question: Question, review: Review, *, as_of: date, changed: bool) -> date | None:
    if THIS_YEAR.search(question.text):
        return date(as_of.year + 1, 1, 1)
    if review.due_on is None or not changed:
        return None
    dates = (read_date(answer) for answer in question.answers)
    named = next((day for read in dates if read and (day := read.as_date())), None)
    if named and named > as_of:
        return named
    if review.due_on.day == 1 and MONTHLY.search(question.text):
        return date(as_of.year + as_of.month // 12, as_of.month % 12 + 1, 1)
    return _year_later(review.due_on, as_of) if ANNUAL.search(question.text) else None


def _year_later(day: date, as_of: date) -> date:
    """Return the same day in the first year that puts it after `as_of`; 29 February becomes 28."""
    if (day.month, day.day) == (2, 29):
        day = day.replace(day=28)
    this_year = day.replace(year=as_of.year)
    return this_year if this_year > as_of else day.replace(year=as_of.year + 1)
