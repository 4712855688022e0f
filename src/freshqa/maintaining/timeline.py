"""Changes and staleness of the dataset over time."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from statistics import median
from typing import Annotated

from pydantic import Field

from freshqa.dataset.change_kinds import ChangeKind
from freshqa.dataset.diff import diff_snapshots
from freshqa.dataset.question import Question
from freshqa.dates.review import parse_review
from freshqa.json_record import JsonRecord

WEEK = timedelta(weeks=1)
WEEKS_AHEAD = 8
"""How many weeks of reviews the timeline looks ahead."""


@dataclass(frozen=True)
class Edition:
    """A version as the timeline needs it.

    Args:
        as_of: The day its content describes.
        imported: Whether it was imported: a person has checked every row.
    """

    number: int
    as_of: date
    imported: bool
    questions: Sequence[Question]


@dataclass(frozen=True)
class Movement:
    """The changes from one version to the next.

    Args:
        since: The day of the earlier one.
        until: The day of the later one.
        changed: Fact type (of the earlier row) → questions whose answer is another fact.
        added, removed: Questions added and removed.
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
    """The number of questions that were past their review and unchecked on one day.

    Args:
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
class Cost:
    """The amount that refreshes of one week paid to one provider.

    Args:
        provider: Search engine or model, as the ledger names it.
        usd: The sum, in US dollars.
    """

    week: date
    provider: str
    usd: Decimal


@dataclass(frozen=True)
class Timeline(JsonRecord):
    """Changes between versions, staleness week by week, cost, and the reviews of coming weeks.

    Args:
        movements: One for each version after the first.
        weeks: Staleness on the same weekday, from the first version on.
        ahead: Fact type → reviews in each of the next eight weeks; what is overdue counts in the
            first.
        costs: By week and provider, where anything was paid.
    """

    movements: Annotated[tuple[Movement, ...], Field(serialization_alias="changes")]
    weeks: Annotated[tuple[Staleness, ...], Field(serialization_alias="staleness")]
    ahead: Mapping[str, tuple[int, ...]]
    costs: tuple[Cost, ...]


def timeline(
    editions: Sequence[Edition],
    checked: Mapping[str, Sequence[date]],
    *,
    until: date,
    costs: Sequence[Cost] = (),
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
        _ahead(editions, checked, until) if editions else {},
        tuple(costs),
    )


def _movement(before: Edition, after: Edition) -> Movement:
    diff = diff_snapshots(before.questions, after.questions)
    types = {question.key: question.fact_type for question in before.questions}
    moved = (
        change.key for change in diff.changed if ChangeKind.answer_changed.value in change.kinds
    )
    return Movement(
        version=after.number,
        since=before.as_of,
        until=after.as_of,
        changed=dict(Counter(types[key] for key in moved)),
        added=len(diff.added),
        removed=len(diff.removed),
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
    edition, looked = _in_force(editions, day)
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


def _in_force(editions: Sequence[Edition], day: date) -> tuple[Edition, date]:
    """Return the version of a day, and the day on which a person last saw all of its rows."""
    place = bisect_right([edition.as_of for edition in editions], day) - 1
    edition = editions[place]
    looked = max((e.as_of for e in editions[: place + 1] if e.imported), default=edition.as_of)
    return edition, looked


def _ahead(
    editions: Sequence[Edition], checked: Mapping[str, Sequence[date]], until: date
) -> dict[str, tuple[int, ...]]:
    day = max(until, editions[-1].as_of)
    edition, looked = _in_force(editions, day)
    counts: dict[str, list[int]] = {}
    for question in edition.questions:
        due_on = _review_due(question, looked, checked.get(question.key, ()), day)
        week = max((due_on - day).days, 0) // 7
        if week < WEEKS_AHEAD:
            counts.setdefault(question.fact_type, [0] * WEEKS_AHEAD)[week] += 1
    return {name: tuple(weeks) for name, weeks in counts.items()}


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
