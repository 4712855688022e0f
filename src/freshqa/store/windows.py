"""Windows of time: which questions changed since a version, which answers held on a day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from freshqa.dataset.question import Question
from freshqa.dataset.selection import Selection, select
from freshqa.errors import UsageError
from freshqa.store.database import Store
from freshqa.store.differences import diff
from freshqa.store.naming import named_version
from freshqa.store.snapshots import snapshot

ANSWER_KINDS = {
    "answer_changed",
    "answer_follows_question",
    "false_premise_flip",
    "question_premise_maintained",
    "question_replaced",
}
"""Kinds of change after which an earlier answer is no longer right (`freshqa.dataset.kinds`)."""


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
    return select(questions, selection, within=within)


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
