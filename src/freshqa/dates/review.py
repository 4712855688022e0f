"""A `next_review` cell: its meaning, when the question is due, and its value after a check."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import Protocol

from freshqa.dates.forms import ANY_DAY, NUMBERS, WRITTEN, official_date
from freshqa.dates.mentions import event_date, read_date

CADENCE_WEEKS = {"every_time": 1, "frequently": 1, "occasionally": 13, "hardly_ever": 52, "n/a": 52}
"""Review words of the official sheet → weeks between checks (`every_time`, `frequently`: each run)."""
SEASONS = {"winter": 1, "spring": 3, "summer": 6, "fall": 9, "autumn": 9}
PARTS = {"early": 1, "mid": 5, "late": 9}
REMEDY = "Write MM/DD/YYYY, or one of every_time, frequently, occasionally, hardly_ever, N/A."
EACH_RUN = ("every_time", "frequently")
THIS_YEAR = re.compile(r"\bthis year\b", re.IGNORECASE)
MONTHLY = re.compile(r"\bmonth\b", re.IGNORECASE)
ANNUAL = re.compile(
    r"\b(how old|age of|years? ago|years? since|how many years|how long has it been|last year|annual"
    r"|(last|latest|recent|next) season|awards?|prize|medal|oscars?|emmys?|grammys?|laureate|ballon|cup|bowl|championships?|champions"
    r"|league|tournament|open|marathon|festival|conference|miss (world|universe|america))\b",
    re.IGNORECASE,
)
"""Wordings of yearly events: ages, anniversaries, prizes, seasons."""
Parts = Mapping[str, str]


class Reviewed(Protocol):
    """The columns of a question that decide its review date."""

    @property
    def text(self) -> str:
        """The question."""

    @property
    def answers(self) -> Sequence[str]:
        """Its answers, primary first."""

    @property
    def fact_type(self) -> str:
        """How often the answer changes."""

    @property
    def next_review(self) -> str:
        """The `next_review` cell."""


@dataclass(frozen=True)
class Review:
    """The meaning of a `next_review` cell.

    Args:
        raw: The text of the cell.
        due_on: The first day it can mean; None for a cadence word or an unreadable text.
        every_weeks: How often, for a cadence word.
        problem: Why the text is not as it should be; "" when it is. A text with a problem may
            still have a meaning (`01/012026`); one without meaning counts as due.
    """

    raw: str
    due_on: date | None = None
    every_weeks: int | None = None
    problem: str = ""

    @property
    def readable(self) -> bool:
        """Whether the text has a meaning."""
        return self.due_on is not None or self.every_weeks is not None


@lru_cache(maxsize=4096)  # most rows share a word, many a day
def parse_review(text: str) -> Review:
    """Return the meaning of a review cell: a date, the first day of a loose one, or a cadence."""
    cleaned = " ".join(text.split()).casefold()
    word = _word(text)
    if cleaned in CADENCE_WEEKS:
        return Review(text, every_weeks=CADENCE_WEEKS[cleaned])
    if word in CADENCE_WEEKS or cleaned in ("na", "n.a."):
        problem = "the word is written otherwise"
        return Review(text, every_weeks=CADENCE_WEEKS.get(word, 52), problem=problem)
    if not cleaned:
        return Review(text, problem="empty")
    for pattern, meaning, problem in FORMS:
        match = pattern.fullmatch(cleaned)
        if match:
            try:
                return Review(text, due_on=meaning(match.groupdict()), problem=problem)
            except ValueError:
                return Review(text, problem="no such day in the calendar")
    return Review(text, problem="neither a date nor a review word")


def more_than_weekly(text: str) -> bool:
    """Return whether a review cell says that the answer changes more than once a week."""
    return _word(text) == "every_time"


def _word(text: str) -> str:
    return "_".join(text.casefold().replace("-", " ").replace("_", " ").split())


def _day(parts: Parts) -> date:
    month, day, year = parts["month"], int(parts["day"]), int(parts["year"])
    number = int(month) if month.isdigit() else NUMBERS[month[:3]]
    return date(2000 + year if year < 100 else year, number, day)


def _first(parts: Parts) -> date:
    return _day({**parts, "day": "1"})


def _quarter(parts: Parts) -> date:
    return date(int(parts["year"]), 3 * int(parts["q"]) - 2, 1)


def _named(months: Mapping[str, int]) -> Callable[[Parts], date]:
    return lambda parts: date(int(parts["year"]), months[parts["name"]], 1)


def _forms(
    *rows: tuple[str, Callable[[Parts], date], str],
) -> list[tuple[re.Pattern[str], Callable[[Parts], date], str]]:
    month = rf"(?P<month>(?:{WRITTEN})[a-z]*)\.?"
    pieces = {"M": month, "Y": r"(?P<year>\d{4})", "D": ANY_DAY}
    return [(re.compile(p.format(**pieces)), meaning, problem) for p, meaning, problem in rows]


FORMS = _forms(
    (r"(?P<month>\d{{1,2}})/(?P<day>\d{{1,2}})/{Y}", _day, ""),
    (r"{Y}-(?P<month>\d{{1,2}})-(?P<day>\d{{1,2}})(?:[t ].*)?", _day, ""),
    (r"{Y}", lambda parts: date(int(parts["year"]), 1, 1), ""),
    (r"(?P<month>\d{{1,2}})/{Y}", _first, ""),
    (r"q(?P<q>[1-4])[ /-]?{Y}", _quarter, ""),
    (r"{Y}[ /-]?q(?P<q>[1-4])", _quarter, ""),
    (rf"(?P<name>{'|'.join(SEASONS)}),? {{Y}}", _named(SEASONS), ""),
    (rf"(?P<name>{'|'.join(PARTS)})[ -]{{Y}}", _named(PARTS), ""),
    (r"{M},? {Y}", _first, ""),
    (r"{M} {D},? {Y}", _day, ""),
    (r"{D} {M},? {Y}", _day, ""),
    (r"(?P<month>\d\d)/?(?P<day>\d\d)/?{Y}", _day, "a slash is missing"),
    (r"(?P<month>\d{{1,2}})[-.](?P<day>\d{{1,2}})[-.]{Y}", _day, "slashes are written otherwise"),
    (r"(?P<month>\d{{1,2}})/(?P<day>\d{{1,2}})/(?P<year>\d\d)", _day, "a year of two digits"),
)  # fmt: skip


@dataclass(frozen=True)
class Due:
    """The reason and the date of a due check."""

    due_on: date
    why: str


def due(
    question: Reviewed, *, as_of: date, days: int = 7, last_checked: date | None = None
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
    question: Reviewed, *, as_of: date, changed: bool, old_answers: Sequence[str] = ()
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
        return official_date(event)
    if review.every_weeks is not None or (review.due_on and review.due_on > as_of):
        return question.next_review
    if question.fact_type == "never-changing":
        return "N/A"
    following = _following(question, review, as_of=as_of, changed=changed)
    if following:
        return official_date(following)
    return "frequently" if question.fact_type == "fast-changing" else "occasionally"


def _event(
    question: Reviewed, review: Review, as_of: date, old_answers: Sequence[str]
) -> date | None:
    """Return the future day that the new answer names, if the review was on the day of the old one."""
    if review.due_on is None:
        return None
    day_before = review.due_on - timedelta(days=1)
    if event_date(old_answers, after=day_before) != review.due_on:
        return None
    event = event_date(question.answers, after=as_of)
    return event if event is not None and event > as_of else None


def _following(question: Reviewed, review: Review, *, as_of: date, changed: bool) -> date | None:
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
    """Return the same day in the first year in which it is after `as_of`; 29 February becomes 28."""
    if (day.month, day.day) == (2, 29):
        day = day.replace(day=28)
    this_year = day.replace(year=as_of.year)
    return this_year if this_year > as_of else day.replace(year=as_of.year + 1)
