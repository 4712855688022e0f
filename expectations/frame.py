"""Questions as the frames that the rules read.

An empty cell becomes None: Great Expectations counts `""` as a value. `N/A` and `none` stay text,
because they are data here.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas

from freshqa.dataset.question import (
    ANSWER_COLUMNS,
    FIELD_COLUMNS,
    Question,
    new_key,
    normalised_question,
)

CELL_COLUMNS = ("question", *ANSWER_COLUMNS)
"""Columns whose cells are read as plain text, one fact a cell."""


def keyed(questions: Sequence[Question]) -> tuple[Question, ...]:
    """The questions, those without a key under the key their wording gives."""
    return tuple(q if q.key else q.with_key(new_key(q.text)) for q in questions)


def questions_frame(questions: Sequence[Question]) -> pandas.DataFrame:
    """One row per question: `row`, `key`, the official columns, `wording` (folded, for equality)."""
    columns: dict[str, list[object]] = {
        "row": list(range(len(questions))),
        "key": [question.key or None for question in questions],
    }
    for column in FIELD_COLUMNS:
        columns[column] = [question.fields[column] or None for question in questions]
    columns["wording"] = [normalised_question(question.text) or None for question in questions]
    return pandas.DataFrame(columns).astype({c: object for c in columns if c != "row"})


def cells_frame(questions: Sequence[Question]) -> pandas.DataFrame:
    """One row per filled question or answer cell: `row`, `key`, `question`, `column`, `text`."""
    cells = [
        (question.key, question.text, column, question.fields[column])
        for question in questions
        for column in CELL_COLUMNS
        if question.fields[column]
    ]
    frame = pandas.DataFrame(cells, columns=["key", "question", "column", "text"], dtype=object)
    frame.insert(0, "row", range(len(cells)))
    return frame
