"""What differs between two snapshots, row by row and field by field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import PlainSerializer

from freshqa.dataset.change_kinds import kinds
from freshqa.dataset.question import FIELD_COLUMNS, Question
from freshqa.dataset.role import text_of
from freshqa.json_record import JsonRecord

Named = Annotated[Question, PlainSerializer(lambda row: {"key": row.key, "question": row.text})]
"""A question as JSON: only key and wording."""


@dataclass(frozen=True)
class FieldDiff:
    """One column, before and after."""

    old: str
    new: str


@dataclass(frozen=True)
class QuestionChange(JsonRecord):
    """One question that is in both snapshots and differs.

    Args:
        key: Its stable key.
        question: Its newer wording.
        fields: Column → old and new text, only columns that differ.
        kinds: What the differences mean: values of `ChangeKind`, such as `answer_changed`.
    """

    key: str
    question: str
    fields: Mapping[str, FieldDiff]
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class DatasetDiff(JsonRecord):
    """Questions only in the newer, only in the older, and different in both."""

    added: tuple[Named, ...]
    removed: tuple[Named, ...]
    changed: tuple[QuestionChange, ...]


def diff_snapshots(old: Sequence[Question], new: Sequence[Question]) -> DatasetDiff:
    """Compare two snapshots by key; the order of rows does not count."""
    before = {q.key: q for q in old}
    after = {q.key: q for q in new}
    changed = (
        change_of(before[q.key], q)
        for q in new
        if q.key in before and before[q.key].texts != q.texts
    )
    return DatasetDiff(
        added=tuple(q for q in new if q.key not in before),
        removed=tuple(q for q in old if q.key not in after),
        changed=tuple(changed),
    )


def change_of(old: Question, new: Question) -> QuestionChange:
    """Return the difference between two revisions of one question."""
    fields = {
        column: FieldDiff(old.fields[column], new.fields[column])
        for column in FIELD_COLUMNS
        if old.fields[column] != new.fields[column]
    }
    if old.attributes != new.attributes:
        fields |= _changed_attributes(old.extra, new.extra)
    return QuestionChange(new.key, new.text, fields, kinds(old, new, fields))


def _changed_attributes(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, FieldDiff]:
    """Return the attributes that differ, under names distinct from official columns."""
    return {
        f"attributes.{name}" if name in FIELD_COLUMNS else name: FieldDiff(
            text_of(old.get(name)), text_of(new.get(name))
        )
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    }
