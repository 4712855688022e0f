"""Names of columns for people, and the order in which pages list them."""

from __future__ import annotations

from collections.abc import Iterable

from freshqa.dataset.question import FIELD_COLUMNS

LABELS = {
    "effective_year": "Effective year",
    "next_review": "Next review",
    "false_premise": "False premise",
    "num_hops": "Hops",
    "fact_type": "Fact type",
    "source": "Source",
    "question": "Question",
    "answer_0": "Answer",
    "note": "Note",
    "split": "Split",
}


def label(column: str) -> str:
    """Return the name of a column for people."""
    if column.startswith("answer_"):
        return LABELS.get(column) or f"Also accepted {column.removeprefix('answer_')}"
    return LABELS.get(column, column)


def sorted_columns(columns: Iterable[str]) -> list[str]:
    """Sort columns as pages list them: answers first, then as in the sheet, then attributes."""
    given = list(columns)
    order = [*FIELD_COLUMNS, *given]
    return sorted(given, key=lambda c: (not c.startswith("answer_"), order.index(c)))
