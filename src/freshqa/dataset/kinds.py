"""What a change means: the vocabulary in which changes between releases are counted."""

from __future__ import annotations

import re
from collections.abc import Collection

from freshqa.dataset.answer_forms import canonical
from freshqa.dataset.question import ANSWER_COLUMNS, Question
from freshqa.dataset.wording import relation

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
SENTENCE = 6
"""Words from which an answer is a sentence, whose wording may change without its meaning."""


def kinds(old: Question, new: Question, columns: Collection[str]) -> tuple[str, ...]:
    """Return what the differences between two revisions mean.

    Args:
        columns: The columns that differ.

    A correction (the earlier answer was wrong) cannot be told from a change by the text alone: both
    are `answer_changed`.
    """
    found: list[str] = []
    edit = relation(old, new) if "question" in columns else ""
    if any(column in columns for column in ANSWER_COLUMNS):
        found += _answer_kinds(old, new, maintained=edit == "premise-maintained")
    if edit:
        found.append(QUESTION_KINDS[edit])
    return (*found, *(kind for column, kind in FIELD_KINDS.items() if column in columns))


def _answer_kinds(old: Question, new: Question, *, maintained: bool) -> list[str]:
    before = [answer.strip() for answer in old.answers]
    after = [answer.strip() for answer in new.answers]
    if sorted(before) == sorted(after):
        return ["answer_format" if before == after else "answer_reorder"]
    forms_before, forms_after = list(map(canonical, before)), list(map(canonical, after))
    if forms_before == forms_after:
        return ["answer_format"]
    if not before or not after:
        return ["answer_changed"]
    if _same_fact(forms_before, forms_after):
        return [_alternatives(before, after)]
    if maintained:
        return ["answer_follows_question"]
    if (
        old.false_premise
        and new.false_premise
        and min(map(_words, (before[0], after[0]))) >= SENTENCE
    ):
        return [
            "answer_detail" if _numbers(before[0]) != _numbers(after[0]) else "answer_rewording"
        ]
    stale = {form for form in forms_after[1:] if form != forms_after[0]} & set(forms_before)
    return ["answer_changed"] + ["stale_alternatives_kept"] * bool(stale)


def _same_fact(before: list[str], after: list[str]) -> bool:
    """Whether the primary answer stayed, or gave way to an alternative that was there already."""
    if before[0] == after[0]:
        return True
    kept = len(set(before) & set(after))
    return after[0] in before and (before[0] in after or kept > len(set(before)) / 2)


def _alternatives(before: list[str], after: list[str]) -> str:
    added, removed = set(after) - set(before), set(before) - set(after)
    if added and removed:
        return "answer_alt_edited"
    return "answer_alt_added" if added else "answer_alt_removed"


def _words(text: str) -> int:
    return len(text.split())


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d[\d.,]*\d|\d", canonical(text)))
