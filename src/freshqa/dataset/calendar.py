"""When a question has to be looked at again: dates, cadence words, and what follows a review."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from freshqa.dataset.question import FactType, Question

EACH_RUN = ("every_time", "frequently")
CADENCE_WEEKS = {"every_time": 1, "frequently": 1, "occasionally": 13, "hardly_ever": 52, "n/a": 52}
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
SEASONS = {"winter": 1, "spring": 3, "summer": 6, "fall": 9, "autumn": 9}


@dataclass(frozen=True)
class Review:
    """What a `next_review` cell means.

    Args:
        raw: The text of the cell.
        due_on: The first day it can mean; None for a cadence word or an unreadable text.
        every_weeks: How often, for a cadence word.
        problem: Why the text is not as it should be; "" when it is.
    """

    raw: str
    due_on: date | None = None
    every_weeks: int | None = None
    problem: str = ""


@dataclass(frozen=True)
class Due:
    """Why and since when a question has to be checked."""

    due_on: date
    why: str


def parse_review(text: str) -> Review:
    """The meaning of a review cell; a text without meaning has a `problem` and nothing else."""
    cleaned = " ".join(text.split()).casefold()
    if cleaned in CADENCE_WEEKS:
        return Review(text, every_weeks=CADENCE_WEEKS[cleaned])
    for pattern, order in PATTERNS:
        found = re.fullmatch(pattern, cleaned)
        if found:
            try:
                return Review(text, due_on=order(found.groups()), problem="")
            except ValueError as impossible:
                return Review(text, problem=str(impossible))
    return Review(text, problem="neither a date nor one of the review words")


def _month(name: str) -> int:
    return MONTHS.index(name[:3]) + 1


PATTERNS: tuple[tuple[str, Callable[[Sequence[str]], date]], ...] = (
    (r"(\d\d?)/(\d\d?)/(\d{4})", lambda g: date(int(g[2]), int(g[0]), int(g[1]))),
    (r"(\d\d)/(\d\d)(\d{4})", lambda g: date(int(g[2]), int(g[0]), int(g[1]))),
    (r"(\d{4})-(\d\d?)-(\d\d?)", lambda g: date(int(g[0]), int(g[1]), int(g[2]))),
    (r"(\d{4})", lambda g: date(int(g[0]), 1, 1)),
    (r"(\d\d?)/(\d{4})", lambda g: date(int(g[1]), int(g[0]), 1)),
    (r"q([1-4]) (\d{4})", lambda g: date(int(g[1]), 3 * int(g[0]) - 2, 1)),
    (rf"({'|'.join(SEASONS)}) (\d{{4}})", lambda g: date(int(g[1]), SEASONS[g[0]], 1)),
)


def due(
    question: Question, *, as_of: date, days: int = 7, last_checked: date | None = None
) -> Due | None:
    """Whether a question has to be checked at `as_of`, when the next run is `days` later.

    Args:
        last_checked: When a run last checked it; a cadence counts from there.
    """
    review = parse_review(question.next_review)
    next_run = as_of + timedelta(days=days)
    if review.due_on is not None:
        why = f"review date {review.due_on.isoformat()}"
        return Due(review.due_on, why) if review.due_on < next_run else None
    if review.every_weeks is None:
        return Due(as_of, f"unreadable review {question.next_review!r}: {review.problem}")
    word = question.next_review.strip()
    if word.casefold() in EACH_RUN:
        return Due(as_of, f"{word}: every run")
    if last_checked is None:
        return Due(as_of, f"{word}: never checked")
    on = last_checked + timedelta(weeks=review.every_weeks)
    return Due(on, f"{word}: every {review.every_weeks} weeks") if on < next_run else None


def roll_review(question: Question, *, as_of: date, changed: bool) -> str:
    """The `next_review` text after a check at `as_of`; words and dates to come stay as they are.

    Args:
        changed: Whether the check found a new answer.
    """
    review = parse_review(question.next_review)
    if review.every_weeks is not None or (review.due_on and review.due_on > as_of):
        return question.next_review
    if question.fact_type == FactType.never_changing.value:
        return "N/A"
    if review.due_on and re.search(r"\bthis year\b", question.text, re.IGNORECASE):
        return f"01/01/{as_of.year + 1}"
    if review.due_on and changed:
        return _same_day_later(review.due_on, as_of).strftime("%m/%d/%Y")
    return "frequently" if question.fact_type == FactType.fast_changing.value else "occasionally"


def _same_day_later(day: date, as_of: date) -> date:
    for year in (as_of.year, as_of.year + 1):
        later = date(year, day.month, min(day.day, 28) if day.month == 2 else day.day)
        if later > as_of:
            return later
    raise AssertionError("a day next year is later")
