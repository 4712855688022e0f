"""What differs between versions: two versions, a window of time, the whole timeline."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import accumulate

from sqlalchemy import Connection, exists, select

from freshqa.dataset.diff import DatasetDiff, diff_snapshots
from freshqa.dataset.question import Question
from freshqa.dataset.selection import Selection
from freshqa.dataset.selection import select as select_questions
from freshqa.errors import UsageError
from freshqa.maintaining.timeline import Edition, Timeline, timeline
from freshqa.store.budgets import costs_by_week
from freshqa.store.database import Store
from freshqa.store.history import days_checked
from freshqa.store.schema import member
from freshqa.store.snapshots import questions_of, select_rows, snapshot
from freshqa.store.tags import named_version
from freshqa.store.versions import find_row, log


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


ANSWER_KINDS = {
    "answer_changed",
    "answer_follows_question",
    "false_premise_flip",
    "question_premise_maintained",
    "question_replaced",
}
"""Kinds of change after which an earlier answer is no longer right (`freshqa.dataset.change_kinds`)."""


def selected(
    store: Store, number: int, questions: Sequence[Question], selection: Selection
) -> tuple[Question, ...]:
    """Return the rows of version `number` that a selection asks for.

    Raises:
        NotFound: a version of the window does not exist.
        UsageError: `valid_on` is not a date, or the sample is larger than what is left.
        NothingToDo: no row is left.
    """
    within: set[str] | None = None
    if selection.changed_since:
        since = named_version(store, selection.changed_since).number
        within = changed_answers(store, since, number)
    if selection.valid_on:
        day = _day(selection.valid_on)
        then = named_version(store, day).number
        held = {question.key for question in snapshot(store, then)}
        held -= changed_answers(store, then, number)
        within = held if within is None else within & held
    return select_questions(questions, selection, within=within)


def changed_answers(store: Store, old: int, new: int) -> set[str]:
    """Keys of the questions of version `new` that `old` lacks or answers with another fact."""
    changes = diff(store, old, new)
    return {question.key for question in changes.added} | {
        change.key for change in changes.changed if ANSWER_KINDS & set(change.kinds)
    }


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"Invalid date {text!r} for --valid-on.", "Use YYYY-MM-DD.") from None


def read_timeline(store: Store, *, until: date, most_rows: int | None = None) -> Timeline:
    """Changes, staleness and cost of a dataset, from its first version to a day.

    Args:
        until: The last day to look at.
        most_rows: Only the newest versions, as many as have this many rows together; all versions
            when not given.
    """
    newest_first = log(store)
    if most_rows is not None:
        totals = accumulate(one.rows for one in newest_first)
        newest_first = newest_first[: sum(total <= most_rows for total in totals)]
    editions = [
        Edition(one.number, one.as_of, one.kind == "import", snapshot(store, one.number))
        for one in reversed(newest_first)
    ]
    return timeline(editions, days_checked(store), until=until, costs=costs_by_week(store))
