"""The table in an XLSX workbook, as the spreadsheet shows it."""

from __future__ import annotations

import io
import re
import warnings as python_warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from freshqa.dataset.file_type import reason
from freshqa.dataset.header import find_header, is_official
from freshqa.dataset.limits import HEADER_WITHIN, MAX_ROWS
from freshqa.dataset.number_format import shown
from freshqa.dataset.recognition import NO_MAP, names_question_and_answer
from freshqa.dataset.table import Row, Table, column_name
from freshqa.errors import BadData, FreshQAError

ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
MAX_CELLS = 20_000_000


@dataclass(frozen=True)
class Sheet:
    """One sheet: its rows that are not blank, and which of them names the columns."""

    title: str
    rows: list[Row]
    header: int


def read_workbook(
    data: bytes, *, name: str, mapping: Mapping[str, str] = NO_MAP
) -> tuple[Table, list[str]]:
    """Return the table of the sheet that holds the release, and warnings.

    Of several sheets with a header, the one with most rows is the release (the official workbook
    has a second one with five examples).

    Raises:
        BadData: A broken workbook, or a formula whose value was never computed.
        NotARelease: No sheet has the header of a release.
    """
    with open_workbook(data, name=name) as book:
        sheets = [_sheet(worksheet, name=name) for worksheet in book.worksheets]
    usable = [sheet for sheet in sheets if sheet.header >= 0 and not mapping]
    if not usable:
        find_header(
            [row.cells for sheet in sheets for row in sheet.rows[:HEADER_WITHIN]],
            name=name,
            mapping=mapping,
        )
        candidates = [replace(s, header=_other_header(s.rows, mapping)) for s in sheets]
        usable = [sheet for sheet in candidates if sheet.header >= 0]
    best = max(usable, key=lambda sheet: len(sheet.rows))
    head, body = best.rows[best.header], best.rows[best.header + 1 :]
    notes = [
        f"sheet {sheet.title!r} was not read: {best.title!r} holds more rows"
        for sheet in usable
        if sheet is not best
    ]
    columns = tuple(head.cells)
    if any("formula" in row.typed.values() for row in best.rows):
        body = _with_values(data, best.title, body, columns, name=name)
    return Table(columns=columns, header=head.number, rows=body), notes


@contextmanager
def open_workbook(data: bytes, *, name: str, values: bool = False) -> Iterator[Any]:
    """The workbook, closed afterwards; errors of openpyxl become `BadData`."""
    import openpyxl  # a quarter of a second, needed only for workbooks

    with python_warnings.catch_warnings():
        python_warnings.simplefilter("ignore")  # about styles and extensions that are not used
        try:
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=values)
            try:
                yield book
            finally:
                book.close()
        except FreshQAError:
            raise
        except Exception as broken:  # openpyxl raises many kinds of errors
            raise BadData(
                f"{name}: the workbook is damaged ({reason(broken)}).",
                "Open it in a spreadsheet, save it again, and import that.",
            ) from broken


def _sheet(worksheet: Any, *, name: str) -> Sheet:
    rows: list[Row] = []
    header, seen = -1, 0
    worksheet.reset_dimensions()  # the size stated in a file is often wrong
    for number, cells in enumerate(worksheet.iter_rows(), start=1):
        if not cells:  # a gap, of a million rows at worst
            continue
        seen += len(cells)
        row = row_of(number, cells)
        if not row.cells:
            continue
        rows.append(row)
        if header < 0 and len(rows) <= HEADER_WITHIN and is_official(row.cells):
            header = len(rows) - 1
        if len(rows) > MAX_ROWS or seen > MAX_CELLS:
            raise BadData(
                f"{name}: sheet {worksheet.title!r} is larger than any release (row {number:,}).",
                "Copy the questions into a new workbook.",
            )
    return Sheet(worksheet.title, rows, header)


def _other_header(rows: list[Row], mapping: Mapping[str, str]) -> int:
    """Return the index of the header of a file with columns of its own; -1 when there is none."""
    first = enumerate(rows[:HEADER_WITHIN])
    return next((i for i, row in first if names_question_and_answer(row.cells, mapping)), -1)


def row_of(number: int, cells: tuple[Any, ...]) -> Row:
    """Return the texts of a row as the spreadsheet shows them, without empty cells at its end."""
    texts: list[str] = []
    typed: dict[int, str] = {}
    for index, cell in enumerate(cells):
        value = cell.value
        text = shown(value, cell.number_format) if value is not None else ""
        if isinstance(value, str):
            text = ESCAPED.sub(lambda match: chr(int(match[1], 16)), value)
            if cell.data_type == "f":
                typed[index] = "formula"
        elif isinstance(value, date):
            typed[index] = f"{value:%Y-%m-%d}"
        texts.append(text)
    while texts and not texts[-1]:
        texts.pop()
    return Row(number, texts, typed)


def _with_values(
    data: bytes, title: str, body: list[Row], columns: tuple[str, ...], *, name: str
) -> list[Row]:
    """Return the rows with computed values in place of formulas."""
    with open_workbook(data, name=name, values=True) as book:
        computed = {row.number: row for row in _sheet(book[title], name=name).rows}
    filled = []
    for row in body:
        values = computed.get(row.number, Row(row.number, []))
        for index in (i for i, kind in row.typed.items() if kind == "formula"):
            if index >= len(values.cells) or not values.cells[index]:
                column = column_name(columns[index]) if index < len(columns) else str(index + 1)
                raise BadData(
                    f"{name}: row {row.number}, column {column}: a formula without a stored value.",
                    "Open the workbook in a spreadsheet, save it, and import it again.",
                )
        filled.append(values)
    return filled
