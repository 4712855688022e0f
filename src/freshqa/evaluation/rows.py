"""Rows of any file that holds responses or verdicts: JSON lines, JSON, CSV, TSV or a workbook."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from freshqa.dataset.csv_text import delimiter_of, read_records
from freshqa.dataset.encoding import decode
from freshqa.dataset.file_type import check_workbook
from freshqa.dataset.table import Row as TableRow
from freshqa.dataset.table import column_name
from freshqa.dataset.workbook import open_workbook, row_of
from freshqa.errors import BadData, NotFound
from freshqa.evaluation.harness_logs import records_of_log
from freshqa.storable import storable

DATE_COLUMNS = ("responded_on", "date", "as_of", "completed_at")
HEADER_WITHIN = 10
"""The sheet of the FreshEval notebook names its columns in the third row."""


@dataclass(frozen=True)
class Row:
    """One record: its row or line number in the file, and its values by column name."""

    number: int
    values: Mapping[str, str]

    def first(self, names: Sequence[str]) -> str:
        """Return the first of some columns that is there and not blank; "" when none is."""
        return next((self.values[n] for n in names if self.values.get(n, "").strip()), "")


@dataclass(frozen=True)
class Rows:
    """A file as records.

    Args:
        rows: The records; blank rows are passed over.
        unreadable: Lines that are not records, with the reason.
        note: How the encoding was guessed, where it had to be.
    """

    name: str
    content: bytes
    rows: tuple[Row, ...]
    unreadable: tuple[str, ...] = ()
    note: str = ""


def read_rows(path: str | Path, *, needed: Sequence[Sequence[str]]) -> Rows:
    """Read a file of records.

    Args:
        path: JSON lines, JSON, CSV, TSV, XLSX or the log of a harness, told by its contents.
        needed: Each group of column names of which one must be there.

    Raises:
        NotFound: the file does not exist.
        BadData: it holds no record, or a needed column is nowhere.
    """
    file = Path(path)
    if not file.is_file():
        raise NotFound(f"File not found: {file}.", "Check the path.")
    content = file.read_bytes()
    unreadable: tuple[str, ...] = ()
    note = ""
    log = records_of_log(content, name=file.name)
    if log is not None:
        rows = tuple(Row(number, record) for number, record in enumerate(log, start=1))
    elif content.startswith(b"PK\x03\x04"):
        rows = _table(_workbook(content, file.name, needed), needed)
    else:
        decoded = decode(content, name=file.name)
        rows, unreadable = _text(decoded.text, file.name, needed)
        if decoded.note:
            note = f"{file.name}: {decoded.note}; if words look wrong, save it as UTF-8"
    _check(rows, unreadable, needed, file.name)
    return Rows(file.name, content, rows, unreadable, note)


def _text(
    text: str, name: str, needed: Sequence[Sequence[str]]
) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    start = text.lstrip()[:1]
    if start == "[":
        return _array(text, name), ()
    if start == "{":
        return _json_lines(text)
    delimiter = delimiter_of(text, lambda cells: _missing(cells, needed))
    records = read_records(text, delimiter=delimiter, name=name)
    return _table([record.cells for record in records], needed), ()


def _array(text: str, name: str) -> tuple[Row, ...]:
    try:
        values = storable(json.loads(text))
    except ValueError as broken:
        raise BadData(
            f"{name} is not valid JSON: {broken}.", "Use JSON Lines, CSV or XLSX."
        ) from None
    return tuple(
        _record(number, value) for number, value in enumerate(values, 1) if isinstance(value, dict)
    )


def _json_lines(text: str) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    rows: list[Row] = []
    unreadable: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = storable(json.loads(line))
        except ValueError:
            value = None
        if isinstance(value, dict):
            rows.append(_record(number, value))
        else:
            unreadable.append(f"line {number} is not a JSON object")
    return tuple(rows), tuple(unreadable)


def _record(number: int, value: Mapping[str, Any]) -> Row:
    return Row(number, {column_name(str(name)): _plain(cell) for name, cell in value.items()})


def _plain(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _workbook(content: bytes, name: str, needed: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the first sheet with the needed columns, its cells as the spreadsheet shows them."""
    check_workbook(content, name=name)
    with open_workbook(content, name=name, values=True) as book:
        sheets = [
            _dated([row_of(number, cells) for number, cells in enumerate(sheet.iter_rows(), 1)])
            for sheet in book.worksheets
        ]
    return next((sheet for sheet in sheets if _header(sheet, needed) is not None), sheets[0])


def _dated(rows: Sequence[TableRow]) -> list[list[str]]:
    """Cells of a sheet; typed dates in columns that hold dates as ISO, whatever their format."""
    heads = [[column_name(cell) for cell in row.cells] for row in rows[:HEADER_WITHIN]]
    dates = {at for head in heads for at, name in enumerate(head) if name in DATE_COLUMNS}
    return [
        [row.typed.get(at, text) if at in dates else text for at, text in enumerate(row.cells)]
        for row in rows
    ]


def _table(cells: Sequence[Sequence[str]], needed: Sequence[Sequence[str]]) -> tuple[Row, ...]:
    header = _header(cells, needed)
    if header is None:
        return ()
    names = [column_name(cell) for cell in cells[header]]
    return tuple(
        Row(number, dict(zip(names, row, strict=False)))
        for number, row in enumerate(cells[header + 1 :], start=header + 2)
        if any(cell.strip() for cell in row)
    )


def _header(cells: Sequence[Sequence[str]], needed: Sequence[Sequence[str]]) -> int | None:
    fitting = (at for at, row in enumerate(cells[:HEADER_WITHIN]) if not _missing(row, needed))
    return next(fitting, None)


def _missing(cells: Sequence[str], needed: Sequence[Sequence[str]]) -> int:
    names = {column_name(cell) for cell in cells}
    return sum(not names & set(group) for group in needed)


def _check(
    rows: Iterable[Row], unreadable: Sequence[str], needed: Sequence[Sequence[str]], name: str
) -> None:
    seen = {column for row in rows for column in row.values}
    for group in needed:
        if not seen & set(group):
            why = f" ({unreadable[0]})" if unreadable else ""
            raise BadData(
                f"{name}: no column {' or '.join(group)}{why}.",
                "Use JSON Lines, CSV or XLSX with a header and one record per row.",
            )


def write_rows(records: Sequence[Mapping[str, Any]]) -> str:
    """Records as CSV text with a header, in the order of the first record's keys."""
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, list(records[0]) if records else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return stream.getvalue()
