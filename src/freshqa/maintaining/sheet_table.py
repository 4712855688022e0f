"""A table of text as a CSV or XLSX file that a spreadsheet opens without harm, and back."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from datetime import date, time, timedelta
from typing import Any

from freshqa.dataset.csv_text import DELIMITERS, read_records
from freshqa.dataset.encoding import decode
from freshqa.dataset.file_type import detect
from freshqa.dataset.formula import neutral, unmarked
from freshqa.dataset.workbook import open_workbook, row_of
from freshqa.errors import BadData, UsageError

FORMATS = ("csv", "xlsx")
SEPARATOR = re.compile(r'"?sep=(.)"?')
_WIDTH = 28
_XLSX_LONGEST = 32_767  # characters that a cell holds
_CONTROL = dict.fromkeys([*range(9), 11, 12, *range(14, 32)], None)


def write_table(columns: Sequence[str], rows: Sequence[Sequence[str]], format: str) -> bytes:
    """Return the table as a file: UTF-8 with a byte order mark (CSV), or all cells text (XLSX).

    Text from the web may start like a formula; it is kept from being one.

    Raises:
        UsageError: The format is neither `csv` nor `xlsx`.
    """
    if format == "csv":
        buffer = io.StringIO()
        writer = csv.writer(buffer)
        writer.writerow(columns)
        writer.writerows([[neutral(cell.translate(_CONTROL)) for cell in row] for row in rows])
        return buffer.getvalue().encode("utf-8-sig", "replace")
    if format == "xlsx":
        return _workbook(columns, rows)
    raise UsageError(f"Unknown sheet format {format!r}.", f"Choose one of: {', '.join(FORMATS)}.")


def read_table(data: bytes, *, name: str) -> list[dict[str, str | None]]:
    """The rows of a file, each by column name; an XLSX file is recognised by its content, not its name.

    Returns:
        One record for each row that is not blank. None is a cell that a spreadsheet has turned into
        a date or time, so that its text is lost.

    Raises:
        BadData: The file is neither, or has no header.
    """
    if detect(data, name=name) == "xlsx":
        table = _read_workbook(data, name)
    else:
        table = _read_csv(data, name)
    if not table or not any(table[0]):
        raise BadData(
            f"{name} has no header row.", "Export the sheet again and fill in the new file."
        )
    header = [str(cell or "").strip() for cell in table[0]]
    records = []
    for row in table[1:]:
        cells = [*row, *[""] * (len(header) - len(row))]
        if any(cell is None or cell.strip() for cell in cells):
            records.append(dict(zip(header, cells, strict=False)))
    return records


def _workbook(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    book = Workbook()
    sheet = book.active
    assert sheet is not None, "a new workbook has a sheet"
    sheet.title = "review"
    for number, values in enumerate((columns, *rows), 1):
        for position, text in enumerate(values, 1):
            cell = sheet.cell(number, position)
            cell.value = text.translate(_CONTROL)[:_XLSX_LONGEST]
            cell.data_type = "s"  # also what starts with "="
            cell.number_format = "@"  # so that text typed into it stays text
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            if number == 1:
                cell.font = Font(bold=True)
    for position in range(1, len(columns) + 1):
        sheet.column_dimensions[get_column_letter(position)].width = _WIDTH
    sheet.freeze_panes = "C2"
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def _read_workbook(data: bytes, name: str) -> list[list[str | None]]:
    with open_workbook(data, name=name, values=True) as book:
        worksheet = book.worksheets[0]
        worksheet.reset_dimensions()  # the size stated in a file is often wrong
        return [_texts(number, cells) for number, cells in enumerate(worksheet.iter_rows(), 1)]


def _texts(number: int, cells: tuple[Any, ...]) -> list[str | None]:
    """The texts of a row as the spreadsheet shows them, None for what it took for a date."""
    texts = row_of(number, cells).cells
    typed = (isinstance(cell.value, date | time | timedelta) for cell in cells)
    return [None if lost else text for text, lost in zip(texts, typed, strict=False)]


def _read_csv(data: bytes, name: str) -> list[list[str | None]]:
    decoded = decode(data, name=name)
    if decoded.note and not decoded.encoding.startswith("utf"):
        raise BadData(
            f"{name} is not UTF-8, so letters may be wrong or lost.",
            "Save it as XLSX, or as CSV UTF-8.",
        )
    text = decoded.text
    header = text.partition("\n")[0]
    if named := SEPARATOR.fullmatch(header.strip()):  # a line that spreadsheets write and read
        text = text.partition("\n")[2]
    delimiter = named[1] if named else max(DELIMITERS, key=header.count)
    records = read_records(text, delimiter=delimiter, name=name)
    return [[unmarked(cell) for cell in record.cells] for record in records]
