"""A table of text read from a file, and the questions in it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from freshqa.dataset.limits import MAX_CELL, MAX_COLUMNS
from freshqa.dataset.question import OFFICIAL_COLUMNS, Question, packed
from freshqa.dataset.wording import normalised_question
from freshqa.errors import BadData, NotARelease

UNKEEPABLE = re.compile("[\0\ud800-\udfff]")
KEY_COLUMN = "key"
"""Our exports have the key in this column, so that an edited copy can be matched."""
ATTRIBUTES_COLUMN = "attributes"
"""Our own exports carry the columns that a question does not have in this one, as JSON."""
REQUIRED = OFFICIAL_COLUMNS[1:10]
"""Columns that a release must have; `id`, `note` and further answers may be missing."""


@dataclass(frozen=True)
class Row:
    """One row of a file.

    Args:
        number: As a spreadsheet shows it, from 1, header and preamble counted.
        cells: Their texts; in a file with columns of its own, also numbers, lists and records.
        typed: Column index → what a spreadsheet knows beyond the text (the ISO date of a cell).
    """

    number: int
    cells: list[Any]
    typed: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Table:
    """A header (its row number in `header`) and the rows under it that are not blank."""

    columns: tuple[str, ...]
    header: int
    rows: list[Row]


@dataclass(frozen=True)
class Placed:
    """A question, its row, and the ISO dates of cells that were typed as dates."""

    row: int
    question: Question
    dates: Mapping[str, str] = field(default_factory=dict)


def column_name(cell: str) -> str:
    """A header cell in comparable form: `Answer 0`, ` answer_0` and `Answer-0:` are `answer_0`."""
    name = re.sub(r"[\s_.-]+", "_", cell.strip(" \t\r\n\ufeff*:?").casefold()).strip("_")
    return re.sub(r"\Aanswer(\d)\Z", r"answer_\1", name)


def to_questions(table: Table, *, name: str) -> tuple[list[Placed], list[str]]:
    """Return the questions of a table in official order (by `id` where there is one), and warnings.

    Raises:
        BadData: A row that cannot be a question.
        NotARelease: No rows at all.
    """
    where = _columns(table, name=name)
    _refuse_cut_off(table, name=name)
    ids: list[str] = []
    placed: list[Placed] = []
    for row in table.rows:
        cells = {c: row.cells[i] if i < len(row.cells) else "" for c, i in where.items()}
        ids.append(cells.pop("id", ""))
        key = cells.pop(KEY_COLUMN, "")
        attributes = _attributes(cells.pop(ATTRIBUTES_COLUMN, ""), row, name=name)
        check_row(row, cells, len(table.columns), name=name)
        dates = {c: row.typed[i] for c, i in where.items() if i in row.typed}
        placed.append(Placed(row.number, Question(cells, key, attributes), dates))
    if not placed:
        raise NotARelease(f"{name}: no questions below the header.", "Use a complete release.")
    warnings = _unknown(table, where)
    return _by_id(placed, ids, warnings), warnings


def _attributes(text: str, row: Row, *, name: str) -> str:
    """Return the attributes that an export of ours carries, in their one form."""
    if not text:
        return ""
    try:
        values = json.loads(text)
    except ValueError:
        values = None
    if not isinstance(values, dict):
        raise BadData(
            f"{name}: row {row.number}, column {ATTRIBUTES_COLUMN}: not a JSON object.",
            "Restore it from the exported file, or rename the column.",
        )
    return packed(values)


def refuse_duplicates(placed: Sequence[Placed], *, name: str) -> None:
    """Raise BadData when two rows hold the same question, or the same key."""
    seen: dict[str, int] = {}
    for entry in placed:
        text = normalised_question(entry.question.text)
        for what in (text, entry.question.key and f"key {entry.question.key}"):
            first = seen.setdefault(what, entry.row) if what else entry.row
            if first != entry.row:
                column = "question" if what == text else KEY_COLUMN
                raise BadData(
                    f"{name}: row {entry.row}, column {column}: duplicate of row {first}: "
                    f"{entry.question.text[:80]!r}.",
                    "Delete one of the two rows.",
                )


def _columns(table: Table, *, name: str) -> dict[str, int]:
    if len(table.columns) > MAX_COLUMNS:
        raise BadData(
            f"{name}: row {table.header} has a column {MAX_COLUMNS + 1}; a release has "
            f"{len(OFFICIAL_COLUMNS)}.",
            "Remove the additional columns.",
        )
    where: dict[str, int] = {}
    for index, cell in enumerate(table.columns):
        column = column_name(cell)
        if column not in (*OFFICIAL_COLUMNS, KEY_COLUMN, ATTRIBUTES_COLUMN):
            continue
        if column in where:
            raise BadData(
                f"{name}: row {table.header}: duplicate column {column}, at positions "
                f"{where[column] + 1} and {index + 1}.",
                "Delete one of them.",
            )
        where[column] = index
    return where


def _unknown(table: Table, where: Mapping[str, int]) -> list[str]:
    used = set(where.values())
    extra = [c for i, c in enumerate(table.columns) if i not in used and c.strip()]
    absent = [c for c in OFFICIAL_COLUMNS if c not in where]
    notes = [f"columns that no release has were not read: {', '.join(extra)}"] if extra else []
    return notes + (
        [f"columns that are missing count as empty: {', '.join(absent)}"] * bool(absent)
    )


def _refuse_cut_off(table: Table, *, name: str) -> None:
    """A last row shorter than all others was cut off in the middle."""
    if not table.header or len(table.rows) < 2:
        return
    *others, last = table.rows
    if len(last.cells) < min(len(row.cells) for row in others) == len(table.columns):
        raise BadData(
            f"{name}: row {last.number} ends after {len(last.cells)} of {len(table.columns)} columns.",
            "The file may be truncated. Download it again.",
        )


def check_row(row: Row, cells: Mapping[str, str], width: int, *, name: str) -> None:
    """Raise BadData for a row that cannot be a question."""
    beyond = next((i for i, c in enumerate(row.cells) if i >= width and c.strip()), None)
    if beyond is not None:
        raise BadData(
            f"{name}: row {row.number}, column {beyond + 1}: a cell to the right of the {width} columns "
            "of the header.",
            "Check the quotes and commas of this row.",
        )
    for column, text in cells.items():
        if len(text) > MAX_CELL:
            raise BadData(
                f"{name}: row {row.number}, column {column}: {len(text):,} characters; at most "
                f"{MAX_CELL:,} are kept.",
                "Shorten it.",
            )
        if UNKEEPABLE.search(text):
            raise BadData(
                f"{name}: row {row.number}, column {column}: a character that a database cannot store.",
                "Delete NUL characters and halves of surrogate pairs.",
            )
    if not cells["question"].strip(" \n\r\t"):
        raise BadData(
            f"{name}: row {row.number}, column question: empty.", "Fill it in, or delete the row."
        )


def _by_id(placed: list[Placed], ids: list[str], warnings: list[str]) -> list[Placed]:
    if ids == [str(i) for i in range(len(ids))] or not any(ids):
        return placed
    if all(i.isascii() and i.isdigit() and len(i) < 10 for i in ids) and len(set(ids)) == len(ids):
        warnings.append(
            "ids are not the row numbers from 0: rows were ordered by id and renumbered"
        )
        numbered = sorted(zip(map(int, ids), placed, strict=True), key=lambda pair: pair[0])
        return [entry for _, entry in numbered]
    warnings.append("ids are not distinct numbers: rows keep the order of the file")
    return placed
