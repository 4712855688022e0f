"""Kinds of change between releases."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum

from freshqa.dataset.question import ANSWER_COLUMNS, FIELD_COLUMNS, Question
from freshqa.dataset.question_similarity import relation
from freshqa.facts.same_fact import SENTENCE, is_same, numbers, same_fact


class ChangeKind(str, Enum):
    """A kind of difference between two revisions of a question."""

    answer_changed = "answer_changed"
    stale_alternatives_kept = "stale_alternatives_kept"
    answer_follows_question = "answer_follows_question"
    answer_format = "answer_format"
    answer_reorder = "answer_reorder"
    answer_detail = "answer_detail"
    answer_rewording = "answer_rewording"
    answer_alt_added = "answer_alt_added"
    answer_alt_edited = "answer_alt_edited"
    answer_alt_removed = "answer_alt_removed"
    question_reworded = "question_reworded"
    question_premise_maintained = "question_premise_maintained"
    question_replaced = "question_replaced"
    split_change = "split_change"
    effective_year_change = "effective_year_change"
    next_review_change = "next_review_change"
    false_premise_flip = "false_premise_flip"
    num_hops_change = "num_hops_change"
    fact_type_change = "fact_type_change"
    source_change = "source_change"
    note_change = "note_change"
    attribute_change = "attribute_change"


ANOTHER_ANSWER = frozenset(
    kind.value
    for kind in (
        ChangeKind.answer_changed,
        ChangeKind.answer_follows_question,
        ChangeKind.false_premise_flip,
        ChangeKind.question_premise_maintained,
        ChangeKind.question_replaced,
    )
)
"""Kinds of change after which an earlier answer is no longer right."""
_FIELD_KINDS = {
    "split": ChangeKind.split_change,
    "effective_year": ChangeKind.effective_year_change,
    "next_review": ChangeKind.next_review_change,
    "false_premise": ChangeKind.false_premise_flip,
    "num_hops": ChangeKind.num_hops_change,
    "fact_type": ChangeKind.fact_type_change,
    "source": ChangeKind.source_change,
    "note": ChangeKind.note_change,
}
_QUESTION_KINDS = {
    "reworded": ChangeKind.question_reworded,
    "premise-maintained": ChangeKind.question_premise_maintained,
    "replaced": ChangeKind.question_replaced,
}


def kinds(old: Question, new: Question, columns: Collection[str]) -> tuple[str, ...]:
    """Return what the differences between two revisions mean: values of `ChangeKind`.

    A correction (the earlier answer was wrong) cannot be distinguished from a change by the text alone: both
    are `answer_changed`.

    Args:
        old: The earlier revision.
        new: The later revision.
        columns: The columns that differ.
    """
    meanings: list[ChangeKind] = []
    edit = relation(old, new) if "question" in columns else ""
    if any(column in columns for column in ANSWER_COLUMNS):
        meanings += _answer_kinds(old, new, maintained=edit == "premise-maintained")
    if edit:
        meanings.append(_QUESTION_KINDS[edit])
    meanings += [kind for column, kind in _FIELD_KINDS.items() if column in columns]
    if set(columns) - set(FIELD_COLUMNS):
        meanings.append(ChangeKind.attribute_change)
    return tuple(kind.value for kind in meanings)


def _answer_kinds(old: Question, new: Question, *, maintained: bool) -> list[ChangeKind]:
    before = [answer.strip() for answer in old.answers]
    after = [answer.strip() for answer in new.answers]
    if sorted(before) == sorted(after):
        return [ChangeKind.answer_format if before == after else ChangeKind.answer_reorder]
    if not before or not after:
        return [ChangeKind.answer_changed]
    if len(before) == len(after) and all(map(is_same, before, after)):
        return [ChangeKind.answer_format]
    rebuttals = old.false_premise and new.false_premise
    if is_same(before[0], after[0]) or (not rebuttals and same_fact(before, after)):
        return [_alternatives(before, after)]
    if maintained:
        return [ChangeKind.answer_follows_question]
    if rebuttals and min(map(_words, (before[0], after[0]))) >= SENTENCE:
        other_numbers = numbers(before[0]) != numbers(after[0])
        return [ChangeKind.answer_detail if other_numbers else ChangeKind.answer_rewording]
    kept_stale = any(
        not is_same(form, after[0]) and any(is_same(form, answer) for answer in before)
        for form in after[1:]
    )
    if kept_stale:
        return [ChangeKind.answer_changed, ChangeKind.stale_alternatives_kept]
    return [ChangeKind.answer_changed]


def _alternatives(before: list[str], after: list[str]) -> ChangeKind:
    added, removed = set(after) - set(before), set(before) - set(after)
    if added and removed:
        return ChangeKind.answer_alt_edited
    return ChangeKind.answer_alt_added if added else ChangeKind.answer_alt_removed


def _words(text: str) -> int:
    return len(text.split())
