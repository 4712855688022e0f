"""Questions as the frames that the rules read.

An empty cell becomes None: Great Expectations counts `""` as a value. `N/A` and `none` stay text,
because they are data here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import TypeVar

import pandas

from freshqa.chunks import chunks
from freshqa.dataset.official_order import SORT_COLUMNS
from freshqa.dataset.question import (
    ANSWER_COLUMNS,
    FIELD_COLUMNS,
    Question,
    new_key,
    normalised_question,
)
from freshqa.maintaining.deterministic.recompute import recompute_all

Row = TypeVar("Row")
CHUNK = 5_000
"""Rows that are judged at once by rules about single rows: Great Expectations takes 2 KB for each,
and a second for every time it is called."""
CELL_COLUMNS = ("question", *ANSWER_COLUMNS)
"""Columns whose cells are read as plain text, one fact a cell."""


def keyed(questions: Sequence[Question]) -> tuple[Question, ...]:
    """Return the questions, those without a key under the key their wording gives."""
    return tuple(q if q.key else q.with_key(new_key(q.text)) for q in questions)


def row_chunks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Return the rows, at most `CHUNK` at a time."""
    return chunks(rows, CHUNK)


def questions_frame(questions: Sequence[Question]) -> pandas.DataFrame:
    """Return one row per question, for rules about single questions.

    Columns: `row`, `key`, `asked`, the official columns and `answers` (all of them, to be shown).
    """
    frame = official_columns(questions)
    frame["answers"] = [" | ".join(question.answers) for question in questions]
    return frame


def together_frame(questions: Sequence[Question], *, as_of: date) -> pandas.DataFrame:
    """Return one row per question, for rules about questions beside one another.

    Columns: `row`, `key`, `asked`, `SORT_COLUMNS`, `question`, `answer_0`, `source`, `wording`
    (folded, for equality), `computed` and `because` (the answer that follows from the date
    `as_of`, and why).
    """
    frame = official_columns(questions, (*SORT_COLUMNS, "question", "answer_0", "source"))
    frame["wording"] = [normalised_question(question.text) or None for question in questions]
    computed = recompute_all(questions, as_of=as_of)
    frame["computed"] = [answer.value if answer else None for answer in computed]
    frame["because"] = [answer.why if answer else None for answer in computed]
    return frame


def official_columns(
    questions: Sequence[Question], names: Sequence[str] = FIELD_COLUMNS, *, prefix: str = ""
) -> pandas.DataFrame:
    """`row`, `key`, `asked` and official columns as text, None where a cell is empty."""
    columns: dict[str, list[object]] = {
        "row": list(range(len(questions))),
        "key": [question.key or None for question in questions],
        "asked": [question.text for question in questions],
    }
    rows = [question.fields.values() for question in questions]
    every = zip(*rows, strict=True) if rows else [()] * len(FIELD_COLUMNS)
    by_column = dict(zip(FIELD_COLUMNS, every, strict=True))
    for column in names:
        columns[prefix + column] = [text or None for text in by_column[column]]
    # as objects from the start: pandas would copy every text, and copy it back
    return pandas.DataFrame(
        {
            name: cells if name == "row" else pandas.Series(cells, dtype=object)
            for name, cells in columns.items()
        }
    )


def cells_frame(questions: Sequence[Question]) -> pandas.DataFrame:
    """One row per filled question or answer cell: `row`, `key`, `asked`, `column`, `text`."""
    cells = [
        (question.key, question.text, column, question.fields[column])
        for question in questions
        for column in CELL_COLUMNS
        if question.fields[column]
    ]
    frame = pandas.DataFrame(cells, columns=["key", "asked", "column", "text"], dtype=object)
    frame.insert(0, "row", range(len(cells)))
    return frame
