"""The order in which the official sheet is sorted, which makes its row numbers (`id`)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Any

from freshqa.dataset.question import Question
from freshqa.dates.review import parse_review
from freshqa.dates.spreadsheet import SLASH_DATE

SORT_COLUMNS = (
    "split",
    "false_premise",
    "fact_type",
    "num_hops",
    "effective_year",
    "next_review",
)
"""What the official order is sorted by."""


def official_order(questions: Sequence[Question]) -> tuple[Question, ...]:
    """Return the questions as the official sheet has them since 2023-11-23; ties keep their order.

    Every key sorts Z to A: split, false premise, fact type, hops, effective year, next review
    """
    return tuple(sorted(questions, key=official_key, reverse=True))


def official_key(question: Question) -> tuple[Any, ...]:
    """Return what the official sheet is sorted by, the greatest first."""
    return key_of([question.fields[column] for column in SORT_COLUMNS])


def key_of(cells: Sequence[str]) -> tuple[Any, ...]:
    """Return `official_key` of the cells of `SORT_COLUMNS`."""
    split, false_premise, *others, review = cells
    return (split, false_premise.upper(), *others, *_review_key(review))


@lru_cache(maxsize=4096)  # most rows share a word, many a day
def _review_key(text: str) -> tuple[bool, str, date]:
    review = parse_review(text)
    if review.due_on is None or not SLASH_DATE.fullmatch(text):
        return True, text.casefold(), date.min
    return False, "", review.due_on
