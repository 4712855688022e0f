"""Convert between CSV text and rows of cells, keeping what is needed to write it again."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from freshqa.dataset.dialect import Dialect
from freshqa.dataset.header import find_header, lacking
from freshqa.dataset.limits import HEADER_WITHIN, MAX_CELL, MAX_RECORD, MAX_ROWS
from freshqa.dataset.recognition import NO_MAP
from freshqa.dataset.table import Row, Table
from freshqa.errors import BadData

QUOTING = {"minimal": '[{d}"\r\n]', "lean": '[{d}\r\n]|^"', "all": ""}
QUOTES = "A quote is probably missing in or before this row."
DELIMITERS = ",;\t|"
LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Record:
    """One row of the file and where its text begins and ends."""

    cells: list[str]
    start: int
    end: int


def read_records(text: str, *, delimiter: str, name: str) -> list[Record]:
    """Yield every row of a CSV text, blank ones too.

    Raises:
        BadData: A quoted cell that never ends, a cell or a table that is too large.
    """
    records: list[Record] = []
    start = position = 0

    def lines() -> Iterator[str]:  # StringIO would need four times the memory of the text
        nonlocal position
        for line in LINE.finditer(text):
            position = line.end()
            if position - start > MAX_RECORD:
                row = len(records) + 1
                raise BadData(
                    f"{name}: row {row} is longer than {MAX_RECORD:,} characters.", QUOTES
                )
            yield line.group()

    reader = csv.reader(lines(), delimiter=delimiter, strict=True)
    try:
        for cells in reader:
            records.append(Record(cells, start, position))
            start = position
            if len(records) > MAX_ROWS:
                raise BadData(
                    f"{name}: more than {MAX_ROWS:,} rows.", "Use a file with a single release."
                )
    except csv.Error as broken:
        raise _broken(broken, name, row=len(records) + 1, line=reader.line_num) from broken
    return records


def _broken(error: csv.Error, name: str, *, row: int, line: int) -> BadData:
    if "unexpected end" in str(error):
        what, remedy = "a quoted cell never ends", "The file may be truncated. Download it again."
    elif "field limit" in str(error):
        what, remedy = (
            f"a cell is longer than {MAX_CELL:,} characters",
            QUOTES,
        )
    else:
        what, remedy = str(error), "Check the quotes in this row."
    return BadData(f"{name}: row {row} (line {line}): {what}.", remedy)


def read_csv(
    text: str, *, encoding: str, bom: bool, name: str, mapping: Mapping[str, str] = NO_MAP
) -> tuple[Table, Dialect]:
    """Return the table in a CSV text, and the dialect that writes it.

    Raises:
        BadData: As `read_records`.
        NotARelease: No header of a release near the top.
    """
    delimiter = delimiter_of(text, lambda cells: lacking(cells, mapping))
    records = read_records(text, delimiter=delimiter, name=name)
    header = find_header([record.cells for record in records], name=name, mapping=mapping)
    body = [(i, r) for i, r in enumerate(records) if i > header and any(r.cells)]
    rows = [Row(number=i + 1, cells=list(r.cells)) for i, r in body]
    head = records[header]
    last = body[-1][1] if body else head
    dialect = Dialect(
        encoding=encoding,
        bom=bom,
        delimiter=delimiter,
        row_end=_line_end(text[head.start : head.end]) or "\r\n",
        cell_newline=next(
            (m.group() for r in rows for c in r.cells if (m := LINE_END.search(c))), "\n"
        ),
        end=_line_end(text[last.start : last.end]) + text[last.end : last.end + MAX_CELL],
        preamble=text[: head.start][:MAX_CELL],
        columns=tuple(head.cells),
    )
    for quoting in QUOTING:
        candidate = replace(dialect, quoting=quoting)
        if write_csv((r.cells for r in rows), candidate) == text:
            dialect = candidate
            break
    return Table(columns=tuple(head.cells), header=header + 1, rows=rows), dialect


def write_csv(rows: Iterable[Sequence[str]], dialect: Dialect) -> str:
    """Return the rows of cells as CSV text; a byte order mark is not part of it."""
    special = re.compile(QUOTING[dialect.quoting].format(d=re.escape(dialect.delimiter)))

    def cell(text: str) -> str:
        if not special.search(text):
            return text
        text = LINE_END.sub(dialect.cell_newline, text)
        return '"' + text.replace('"', '""') + '"'

    lines = [dialect.delimiter.join(map(cell, row)) for row in (dialect.columns, *rows)]
    return dialect.preamble + dialect.row_end.join(lines) + dialect.end


def _line_end(text: str) -> str:
    match = re.search(r"(\r\n|\r|\n)\Z", text)
    return match.group() if match else ""


def delimiter_of(text: str, missing: Callable[[Sequence[str]], int]) -> str:
    """The delimiter: the one with which a line near the top is the best header.

    Args:
        text: The whole CSV.
        missing: How many needed columns a row of cells does not name.
    """
    best = (missing(()), ",")
    for line in text[:MAX_CELL].splitlines()[:HEADER_WITHIN]:
        for delimiter in DELIMITERS:
            cells = next(csv.reader([line], delimiter=delimiter), [])
            best = min(best, (missing(cells), delimiter), key=lambda rated: rated[0])
    return best[1]
