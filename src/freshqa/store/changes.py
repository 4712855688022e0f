"""What changed: between two versions, in a window of time, how often behind each question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import accumulate
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, exists, func, select

from freshqa.checking.change_rate import ChangeHistory
from freshqa.dataset.change_kinds import ANOTHER_ANSWER
from freshqa.dataset.diff import DatasetDiff, diff_snapshots
from freshqa.dataset.question import ANSWER_COLUMNS, Question
from freshqa.dataset.selection import Selection
from freshqa.dataset.selection import select as select_questions
from freshqa.dataset.wording import normalised_question
from freshqa.facts.same_fact import same_fact
from freshqa.maintaining.proposal import Outcome
from freshqa.maintaining.timeline import Edition, Timeline, timeline
from freshqa.store.budgets import costs_by_week
from freshqa.store.database import Store
from freshqa.store.ledger_schema import check, run
from freshqa.store.schema import member, question, revision, version
from freshqa.store.snapshots import questions_of, select_rows, snapshot
from freshqa.store.versions import find, find_row, log, named_version

DAYS_A_YEAR = 365.25
NO_CHECK = (Outcome.failed.value, Outcome.reported.value)
"""Outcomes after which a question is as due as before."""


def diff(store: Store, old: int, new: int) -> DatasetDiff:
    """Return what was added, removed and changed, field by field, from one version to another.

    Args:
        old: Number of the version to start from.
        new: Number of the version to compare with it; it may be the older one.

    Raises:
        NotFound: no such version.
    """
    with store.read() as connection:
        before = find_row(connection, store.dataset_id, number=old).id
        after = find_row(connection, store.dataset_id, number=new).id
        gone = _only_in(connection, before, after)
        come = _only_in(connection, after, before)
    return diff_snapshots(gone, come)


def _only_in(connection: Connection, version_id: int, other_id: int) -> list[Question]:
    """Rows of a version that the other one does not hold in this revision, in their order."""
    other = member.alias("other")
    same = exists(
        select(other.c.question_id).where(
            other.c.version_id == other_id,
            other.c.question_id == member.c.question_id,
            other.c.revision_id == member.c.revision_id,
        )
    )
    return list(questions_of(connection, select_rows(version_id).where(~same)))


def selected(
    store: Store, number: int, questions: Sequence[Question], selection: Selection
) -> tuple[Question, ...]:
    """Return the rows of version `number` that a selection asks for.

    Raises:
        NotFound: a version of the window does not exist.
        UsageError: the sample is larger than what is left.
        NothingToDo: no row is left.
    """
    within: set[str] | None = None
    if selection.changed_since:
        since = named_version(store, selection.changed_since).number
        within = changed_answers(store, since, number)
    if selection.valid_on is not None:
        then = find(store, as_of=selection.valid_on).number
        held = {question.key for question in snapshot(store, then)}
        held -= changed_answers(store, then, number)
        within = held if within is None else within & held
    return select_questions(questions, selection, within=within)


def changed_answers(store: Store, old: int, new: int) -> set[str]:
    """Keys of the questions of version `new` that `old` lacks or answers with another fact."""
    changes = diff(store, old, new)
    return {question.key for question in changes.added} | {
        change.key for change in changes.changed if ANOTHER_ANSWER & set(change.kinds)
    }


def read_timeline(store: Store, *, until: date, most_rows: int | None = None) -> Timeline:
    """Changes, staleness and cost of a dataset, from its first version to a day.

    Args:
        until: The last day to look at.
        most_rows: Only the newest versions, as many as have this many rows together; all versions
            when not given.
    """
    newest_first = log(store)
    if most_rows is not None:
        totals = accumulate(info.rows for info in newest_first)
        newest_first = newest_first[: sum(total <= most_rows for total in totals)]
    editions = [
        Edition(info.number, info.as_of, info.kind == "import", snapshot(store, info.number))
        for info in reversed(newest_first)
    ]
    return timeline(editions, days_checked(store), until=until, costs=costs_by_week(store))


def last_checked(store: Store) -> Mapping[str, date]:
    """Return key → the latest day for which a check of the question gave a result."""
    query = _checks(store, question.c.key, func.max(run.c.as_of)).group_by(question.c.key)
    with store.read() as connection:
        return dict(connection.execute(query).all())


def days_checked(store: Store) -> Mapping[str, tuple[date, ...]]:
    """Return key → every day for which a check of the question gave a result, oldest first."""
    query = _checks(store, question.c.key, run.c.as_of).distinct().order_by(run.c.as_of)
    days: dict[str, tuple[date, ...]] = {}
    with store.read() as connection:
        for key, day in connection.execute(query):
            days[key] = (*days.get(key, ()), day)
    return days


def _checks(store: Store, *columns: ColumnElement[Any]) -> Select[Any]:
    return (
        select(*columns)
        .select_from(check)
        .join(run, run.c.id == check.c.run_id)
        .join(question, question.c.id == check.c.question_id)
        .where(run.c.dataset_id == store.dataset_id, check.c.outcome.not_in(NO_CHECK))
    )


def change_history(store: Store) -> Mapping[str, ChangeHistory]:
    """Return key → how often the fact behind the question changed between versions.

    A change is another fact (`freshqa.facts.same_fact`) under the same wording.
    """
    previous = func.lag(member.c.revision_id).over(
        partition_by=member.c.question_id, order_by=version.c.number
    )
    steps = (
        select(member.c.question_id, member.c.revision_id, previous.label("previous_id"))
        .join(version, version.c.id == member.c.version_id)
        .where(version.c.dataset_id == store.dataset_id)
        .subquery()
    )
    before, after = revision.alias("before"), revision.alias("after")
    columns = ("question", *ANSWER_COLUMNS)
    changed = (
        select(question.c.key, *(side.c[column] for side in (before, after) for column in columns))
        .select_from(steps)
        .join(before, before.c.id == steps.c.previous_id)
        .join(after, after.c.id == steps.c.revision_id)
        .join(question, question.c.id == steps.c.question_id)
        .where(steps.c.previous_id != steps.c.revision_id)
    )
    checked = last_checked(store)
    counts: Counter[str] = Counter()
    with store.read() as connection:
        for key, *cells in connection.execute(changed):
            old, new = cells[: len(columns)], cells[len(columns) :]
            if _is_another_fact(old, new):
                counts[key] += 1
        return {
            key: ChangeHistory(
                changes=counts[key],
                years=(newest - oldest).days / DAYS_A_YEAR,
                last_checked=checked.get(key),
            )
            for key, oldest, newest in connection.execute(_watched(store))
        }


def _is_another_fact(old: Sequence[str | None], new: Sequence[str | None]) -> bool:
    """Return True when the answers state another fact under the same wording.

    Args:
        old: Question and answers of the earlier revision; empty slots are "" or None.
        new: Those of the later revision.
    """
    if normalised_question(old[0] or "") != normalised_question(new[0] or ""):
        return False
    return not same_fact(*([answer for answer in row[1:] if answer] for row in (old, new)))


def _watched(store: Store) -> Select[Any]:
    """Key of every question with the first and the last day of its versions."""
    return (
        select(question.c.key, func.min(version.c.as_of), func.max(version.c.as_of))
        .select_from(member)
        .join(version, version.c.id == member.c.version_id)
        .join(question, question.c.id == member.c.question_id)
        .where(version.c.dataset_id == store.dataset_id)
        .group_by(question.c.key)
    )
