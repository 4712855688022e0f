"""A table of text as it came out of a file, before it is known to be a release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from freshqa.dataset.limits import HEADER_WITHIN, MAX_COLUMNS
from freshqa.dataset.question import OFFICIAL_COLUMNS, Question, normalised_question
from freshqa.errors import BadData, NotARelease

REQUIRED = OFFICIAL_COLUMNS[1:10]
"""Columns without which a file is no release; `id`, `note` and further answers may be missing."""


@dataclass(frozen=True)
class Row:
    """The cells of one row, and its number as a spreadsheet shows it (from 1, header included)."""

    number: int
    cells: list[str]


@dataclass(frozen=True)
class Table:
    """A header (its row number in `header`) and the rows under it that are not blank."""

    columns: tuple[str, ...]
    header: int
    rows: list[Row]


def column_name(cell: str) -> str:
    """A header cell as we compare it: `Answer 0` and ` answer_0` are `answer_0`."""
    return cell.strip().strip("\ufeff").casefold().replace(" ", "_")


def find_header(rows: Sequence[Sequence[str]], *, name: str) -> int:
    """Index of the row that names the columns.

    Raises:
        NotARelease: None of the first rows does, or required columns are missing in it.
    """
    best: list[str] = list(REQUIRED)
    for index, cells in enumerate(rows[:HEADER_WITHIN]):
        names = {column_name(cell) for cell in cells}
        missing = [column for column in REQUIRED if column not in names]
        if not missing:
            return index
        if len(missing) < len(best):
            best = missing
    if len(best) == len(REQUIRED):
        raise NotARelease(
            f"{name}: no row names the columns of a FreshQA release.",
            f"The first {HEADER_WITHIN} rows must hold one with: {', '.join(REQUIRED)}.",
        )
    raise NotARelease(
        f"{name}: the header lacks {', '.join(best)}.",
        f"A release has the columns {', '.join(OFFICIAL_COLUMNS)}.",
    )


def to_questions(table: Table, *, name: str) -> tuple[list[Question], list[str]]:
    """The questions of a table in official order (by `id` where there is one), and warnings.

    Raises:
        BadData: A row that cannot be a question, or the same question twice.
    """
    where = _columns(table, name=name)
    warnings = _unknown(table, where)
    ids: list[str] = []
    questions: list[Question] = []
    for row in table.rows:
        _check_width(row, table, name=name)
        cells = {c: row.cells[i] if i < len(row.cells) else "" for c, i in where.items()}
        ids.append(cells.pop("id", ""))
        if "\0" in "".join(cells.values()):
            column = next(c for c, text in cells.items() if "\0" in text)
            raise BadData(
                f"{name}: row {row.number}, column {column}: a NUL character.", "Remove it."
            )
        if not cells["question"].strip():
            raise BadData(
                f"{name}: row {row.number}, column question: empty.", "Fill or delete the row."
            )
        questions.append(Question(cells))
    _refuse_duplicates(questions, table, name=name)
    if not questions:
        raise NotARelease(f"{name}: no question under the header in row {table.header}.", "")
    return _by_id(questions, ids, warnings), warnings


def _columns(table: Table, *, name: str) -> dict[str, int]:
    if len(table.columns) > MAX_COLUMNS:
        raise BadData(
            f"{name}: row {table.header} has {len(table.columns)} columns; {MAX_COLUMNS} are read.",
            "Keep the columns of the release only.",
        )
    where: dict[str, int] = {}
    for index, cell in enumerate(table.columns):
        column = column_name(cell)
        if column not in OFFICIAL_COLUMNS:
            continue
        if column in where:
            raise BadData(
                f"{name}: row {table.header}: column {column} twice ({where[column] + 1} and {index + 1}).",
                "Delete one of them.",
            )
        where[column] = index
    return where


def _unknown(table: Table, where: dict[str, int]) -> list[str]:
    used = set(where.values())
    extra = [c for i, c in enumerate(table.columns) if i not in used and c.strip()]
    return [f"columns that no release has were left out: {', '.join(extra)}"] if extra else []


def _check_width(row: Row, table: Table, *, name: str) -> None:
    wide = [i for i, cell in enumerate(row.cells) if i >= len(table.columns) and cell.strip()]
    if wide:
        raise BadData(
            f"{name}: row {row.number}, column {wide[0] + 1}: a cell beyond the header's "
            f"{len(table.columns)} columns.",
            "A quote or delimiter is probably wrong in this row.",
        )


def _refuse_duplicates(questions: list[Question], table: Table, *, name: str) -> None:
    seen: dict[str, int] = {}
    for question, row in zip(questions, table.rows, strict=True):
        first = seen.setdefault(normalised_question(question.text), row.number)
        if first != row.number:
            raise BadData(
                f"{name}: row {row.number}, column question: the same question as row {first}: "
                f"{question.text[:80]!r}.",
                "Delete one of them.",
            )


def _by_id(questions: list[Question], ids: list[str], warnings: list[str]) -> list[Question]:
    if ids == [str(i) for i in range(len(ids))] or not any(ids):
        return questions
    if all(i.isascii() and i.isdigit() for i in ids) and len(set(ids)) == len(ids):
        numbers = [int(i) for i in ids]
        warnings.append(
            "ids are not the row numbers from 0; rows were ordered by id and renumbered"
        )
        return [
            q for _, q in sorted(zip(numbers, questions, strict=True), key=lambda pair: pair[0])
        ]
    warnings.append("ids are not distinct numbers; rows keep the order of the file")
    return questions
