"""How the dataset moved, and how stale it was, over time."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from statistics import median
from typing import Any

from freshqa.dataset.calendar import parse_review
from freshqa.dataset.diff import diff_snapshots
from freshqa.dataset.question import Question

WEEK = timedelta(weeks=1)


@dataclass(frozen=True)
class Edition:
    """A version as the timeline needs it.

    Args:
        number: Its number.
        as_of: The day its content describes.
        imported: Whether it was imported: a person has checked every row.
        questions: Its rows.
    """

    number: int
    as_of: date
    imported: bool
    questions: Sequence[Question]


@dataclass(frozen=True)
class Movement:
    """What changed from one version to the next.

    Args:
        version: The later one.
        since: The day of the earlier one.
        until: The day of the later one.
        changed: Fact type (of the earlier row) → questions whose answer is another fact.
        added, removed: Questions that came and went.
    """

    version: int
    since: date
    until: date
    changed: Mapping[str, int]
    added: int
    removed: int

    @property
    def weeks(self) -> float:
        """Weeks between the two days; at least one day."""
        return max((self.until - self.since).days, 1) / 7


@dataclass(frozen=True)
class Staleness:
    """How many questions were past their review and unchecked on one day.

    Args:
        on: The day.
        version: The version in force.
        questions: How many questions it holds.
        stale: Fact type → questions past their review.
        median_days: Median of the days past review; 0 when there are none.
    """

    on: date
    version: int
    questions: int
    stale: Mapping[str, int]
    median_days: float


@dataclass(frozen=True)
class Timeline:
    """Changes between versions, and staleness week by week."""

    movements: tuple[Movement, ...]
    weeks: tuple[Staleness, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the shape printed by `prefect-freshqa log --plot FILE --json`."""
        return {
            "changes": [
                {
                    "version": moved.version,
                    "since": moved.since.isoformat(),
                    "until": moved.until.isoformat(),
                    "changed": dict(moved.changed),
                    "added": moved.added,
                    "removed": moved.removed,
                }
                for moved in self.movements
            ],
            "staleness": [
                {
                    "on": week.on.isoformat(),
                    "version": week.version,
                    "questions": week.questions,
                    "stale": dict(week.stale),
                    "median_days": week.median_days,
                }
                for week in self.weeks
            ],
        }


def timeline(
    editions: Sequence[Edition], checked: Mapping[str, Sequence[date]], *, until: date
) -> Timeline:
    """Changes from version to version, and staleness on the same weekday from the first version on.

    Args:
        editions: Versions, oldest first.
        checked: Key → the days on which runs checked the question, oldest first.
        until: The last day to look at; no earlier than the newest version's.
    """
    return Timeline(
        tuple(_movement(before, after) for before, after in pairwise(editions)),
        tuple(_staleness(editions, checked, day) for day in _days(editions, until)),
    )


def _movement(before: Edition, after: Edition) -> Movement:
    found = diff_snapshots(before.questions, after.questions)
    types = {question.key: question.fact_type for question in before.questions}
    moved = (change.key for change in found.changed if "answer_changed" in change.kinds)
    return Movement(
        version=after.number,
        since=before.as_of,
        until=after.as_of,
        changed=dict(Counter(types[key] for key in moved)),
        added=len(found.added),
        removed=len(found.removed),
    )


def _days(editions: Sequence[Edition], until: date) -> Iterator[date]:
    if not editions:
        return
    day = editions[0].as_of
    last = max(until, editions[-1].as_of)
    while day < last:
        yield day
        day += WEEK
    yield last


def _staleness(
    editions: Sequence[Edition], checked: Mapping[str, Sequence[date]], day: date
) -> Staleness:
    place = bisect_right([edition.as_of for edition in editions], day) - 1
    edition = editions[place]
    looked = max((e.as_of for e in editions[: place + 1] if e.imported), default=edition.as_of)
    late = {
        question.key: (day - due_on).days
        for question in edition.questions
        if (due_on := _review_due(question, looked, checked.get(question.key, ()), day)) < day
    }
    types = Counter(q.fact_type for q in edition.questions if q.key in late)
    return Staleness(
        on=day,
        version=edition.number,
        questions=len(edition.questions),
        stale=dict(types),
        median_days=float(median(late.values())) if late else 0.0,
    )


def _review_due(question: Question, looked: date, checks: Sequence[date], day: date) -> date:
    """Return when the question was due after its last check up to `day`.

    A review date that was past when the row came from outside counts as missed from that date on:
    the row says so itself. A date that a check has met, and unreadable text, count from the check.
    """
    review = parse_review(question.next_review)
    place = bisect_right(checks, day)
    last = checks[place - 1] if place else None
    if review.due_on is not None and (last is None or last < review.due_on):
        return review.due_on
    weeks = review.every_weeks if review.every_weeks is not None else 1
    return max(looked, last or looked) + timedelta(weeks=weeks)
