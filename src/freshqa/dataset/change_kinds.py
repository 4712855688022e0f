"""What a change means: the vocabulary in which changes between releases are counted."""

from __future__ import annotations

from collections.abc import Collection

from freshqa.dataset.question import ANSWER_COLUMNS, FIELD_COLUMNS, Question
from freshqa.dataset.question_similarity import relation
from freshqa.facts.same_fact import SENTENCE, is_same, numbers, same_fact

FIELD_KINDS = {
    "split": "split_change",
    "effective_year": "effective_year_change",
    "next_review": "next_review_change",
    "false_premise": "false_premise_flip",
    "num_hops": "num_hops_change",
    "fact_type": "fact_type_change",
    "source": "source_change",
    "note": "note_change",
}
QUESTION_KINDS = {
    "reworded": "question_reworded",
    "premise-maintained": "question_premise_maintained",
    "replaced": "question_replaced",
}


def kinds(old: Question, new: Question, columns: Collection[str]) -> tuple[str, ...]:
    """Return what the differences between two revisions mean.

    Args:
        columns: The columns that differ.

    A correction (the earlier answer was wrong) cannot be told from a change by the text alone: both
    are `answer_changed`.
    """
    meanings: list[str] = []
    edit = relation(old, new) if "question" in columns else ""
    if any(column in columns for column in ANSWER_COLUMNS):
        meanings += _answer_kinds(old, new, maintained=edit == "premise-maintained")
    if edit:
        meanings.append(QUESTION_KINDS[edit])
    meanings += [kind for column, kind in FIELD_KINDS.items() if column in columns]
    return (*meanings, *["attribute_change"] * bool(set(columns) - set(FIELD_COLUMNS)))


def _answer_kinds(old: Question, new: Question, *, maintained: bool) -> list[str]:
    before = [answer.strip() for answer in old.answers]
    after = [answer.strip() for answer in new.answers]
    if sorted(before) == sorted(after):
        return ["answer_format" if before == after else "answer_reorder"]
    if not before or not after:
        return ["answer_changed"]
    if len(before) == len(after) and all(map(is_same, before, after)):
        return ["answer_format"]
    rebuttals = old.false_premise and new.false_premise
    if is_same(before[0], after[0]) or (not rebuttals and same_fact(before, after)):
        return [_alternatives(before, after)]
    if maintained:
        return ["answer_follows_question"]
    if rebuttals and min(map(_words, (before[0], after[0]))) >= SENTENCE:
        detail = numbers(before[0]) != numbers(after[0])
        return ["answer_detail" if detail else "answer_rewording"]
    stale = [
        form
        for form in after[1:]
        if not is_same(form, after[0]) and any(is_same(form, answer) for answer in before)
    ]
    return ["answer_changed"] + ["stale_alternatives_kept"] * bool(stale)


def _alternatives(before: list[str], after: list[str]) -> str:
    added, removed = set(after) - set(before), set(before) - set(after)
    if added and removed:
        return "answer_alt_edited"
    return "answer_alt_added" if added else "answer_alt_removed"


def _words(text: str) -> int:
    return len(text.split())
