"""Questions as the frames that the rules read.

An empty cell becomes None: Great Expectations counts `""` as a value. `N/A` and `none` stay text,
because they are data here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import pandas

from freshqa.chunks import chunks
from freshqa.dataset.official_order import SORT_COLUMNS
from freshqa.dataset.question import ANSWER_COLUMNS, FIELD_COLUMNS, Question, new_key
from freshqa.dataset.wording import normalised_question
from prefect_freshqa.expectations.rule import filled

Row = TypeVar("Row")
CHUNK = 5_000
"""Rows that are judged at once by rules about single rows: Great Expectations takes 2 KB for each,
and a second for every time it is called."""
CELL_COLUMNS = ("question", *ANSWER_COLUMNS)
"""Columns whose cells are read as plain text, one fact a cell."""
_CELL_PLACES = [(column, FIELD_COLUMNS.index(column)) for column in CELL_COLUMNS]


def keyed(questions: Sequence[Question]) -> tuple[Question, ...]:
    """Return the questions; one without a key gets the key of its wording."""
    return tuple(q if q.key else q.with_key(new_key(q.text)) for q in questions)


def row_chunks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Return the rows, at most `CHUNK` at a time."""
    return chunks(rows, CHUNK)


def joined_answers(row: Mapping[str, Any]) -> str:
    """Join all answers of a row for a message."""
    cells = (filled(row[column]) for column in ANSWER_COLUMNS)
    return " | ".join(cell for cell in cells if cell.strip())


def together_frame(questions: Sequence[Question]) -> pandas.DataFrame:
    """Return one row per question, for rules about questions beside one another.

    Columns: `row`, `key`, `asked`, `SORT_COLUMNS`, `question`, `answer_0`, `source` and `wording`
    (folded, for equality).
    """
    frame = official_columns(questions, (*SORT_COLUMNS, "question", "answer_0", "source"))
    wordings = [normalised_question(question.text) or None for question in questions]
    frame["wording"] = pandas.Series(wordings, dtype=object)
    return frame


def official_columns(
    questions: Sequence[Question], names: Sequence[str] = FIELD_COLUMNS, *, prefix: str = ""
) -> pandas.DataFrame:
    """`row`, `key`, `asked` and official columns as text, None where a cell is empty."""
    named: dict[str, list[object]] = {
        "row": list(range(len(questions))),
        "key": [question.key or None for question in questions],
        "asked": [question.text for question in questions],
    }
    return object_frame({**named, **texts_by_column(questions, names, prefix=prefix)})


def texts_by_column(
    questions: Sequence[Question], names: Sequence[str], *, prefix: str = ""
) -> dict[str, list[object]]:
    """Official columns as lists of texts, None where a cell is empty."""
    rows = [question.filled_cells for question in questions]
    places = {prefix + column: FIELD_COLUMNS.index(column) for column in names}
    return {
        name: [cells[at] or None if at < len(cells) else None for cells in rows]
        for name, at in places.items()
    }


def cells_frame(questions: Sequence[Question]) -> pandas.DataFrame:
    """One row per filled question or answer cell: `row`, `key`, `asked`, `column`, `text`."""
    columns: dict[str, list[Any]] = {"key": [], "asked": [], "column": [], "text": []}
    for question in questions:
        cells = question.filled_cells
        texts = [(column, cells[at]) for column, at in _CELL_PLACES if at < len(cells)]
        texts = [(column, text) for column, text in texts if text]
        columns["key"] += [question.key] * len(texts)
        columns["asked"] += [question.text] * len(texts)
        columns["column"] += [column for column, _ in texts]
        columns["text"] += [text for _, text in texts]
    return object_frame({"row": list(range(len(columns["key"]))), **columns})


def object_frame(columns: Mapping[str, list[Any]]) -> pandas.DataFrame:
    """Return columns as a frame of objects, `row` of numbers.

    As objects from the start: pandas would copy every text, and copy it back.
    """
    return pandas.DataFrame(
        {
            name: cells if name == "row" else pandas.Series(cells, dtype=object)
            for name, cells in columns.items()
        }
    )
