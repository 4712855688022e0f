"""Questions as the bytes of a file, in every format that is read."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from freshqa.dataset.canary import CANARY_COLUMN
from freshqa.dataset.csv_text import write_csv
from freshqa.dataset.dialect import OFFICIAL, PLAIN, Dialect
from freshqa.dataset.encoding import encode
from freshqa.dataset.formula import is_formula, neutral
from freshqa.dataset.layout import rows_of
from freshqa.dataset.question import OFFICIAL_COLUMNS, Question
from freshqa.dataset.records import load_pyarrow
from freshqa.dataset.role import text_of
from freshqa.dataset.table import ATTRIBUTES_COLUMN, KEY_COLUMN, column_name
from freshqa.errors import BadData, UsageError

if TYPE_CHECKING:
    import pandas

FORMATS = ("official", "csv", "jsonl", "parquet", "xlsx")
EXPORT_COLUMNS = (*OFFICIAL_COLUMNS, KEY_COLUMN)
"""Every format but the official one carries our key too, in a last column.

Rows with attributes have them in one more column.
"""
UNWRITABLE = re.compile("[\\x00-\\x08\\x0b-\\x1f\\ufffe\\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
XLSX_CELL = 32_767
XLSX_PROPERTY = 255
"""Characters of a document property; the citation is longer and becomes the description."""
EPOCH = datetime(1980, 1, 1)  # the first day a ZIP archive can name: same questions, same bytes


def write_release(
    questions: Sequence[Question],
    format: str,
    *,
    dialect: Dialect | None = None,
    metadata: Mapping[str, str] | None = None,
    canary: str = "",
) -> bytes:
    """Return the questions, in the order given, as the bytes of a file.

    Args:
        questions: Their index becomes the `id`.
        format: official, csv, jsonl, parquet or xlsx.
        dialect: For `official`: how to write it; by default as the official sheet is exported. One
            with roles says the columns of every format: those of the file that was imported.
        metadata: What Parquet files and workbooks say of themselves (`Citation.metadata`); the
            other formats have no place for it.
        canary: String that every row carries in one more column; it is part of no hash.

    Raises:
        UsageError: An unknown format, or Parquet without pyarrow.
        BadData: A text that the format or encoding cannot hold, or a second canary column.
    """
    own = dialect is not None and bool(dialect.roles)
    if format == "official" or (format == "csv" and own):
        return _official(questions, dialect or OFFICIAL, canary)
    if format not in FORMATS:
        raise UsageError(f"Unknown format {format!r}.", f"Use one of {', '.join(FORMATS)}.")
    if dialect is not None and own:
        columns = tuple(dialect.columns)
        rows: Iterable[list[Any]] = rows_of(questions, columns, dialect.roles)
    else:
        columns = export_columns(questions)
        rows = _rows(questions, columns)
    columns, rows = _marked(columns, rows, canary)
    if format == "csv":
        texts = ([neutral(text_of(cell)) for cell in row] for row in rows)
        return encode(write_csv(texts, replace(PLAIN, columns=columns)), "utf-8", bom=False)
    if format == "jsonl":
        return _json_lines(columns, rows, nested=() if own else (ATTRIBUTES_COLUMN,))
    if format == "parquet":
        return _parquet(columns, list(rows), metadata or {})
    return _xlsx(columns, list(rows), metadata or {})


def _marked(
    columns: Sequence[str], rows: Iterable[list[Any]], canary: str
) -> tuple[tuple[str, ...], Iterable[list[Any]]]:
    """Return columns and rows with the canary, if there is one, in a last column."""
    if not canary:
        return tuple(columns), rows
    if CANARY_COLUMN in map(column_name, columns):
        raise BadData(
            f"The rows already have a column {CANARY_COLUMN!r}.", "Pull them without --canary."
        )
    return (*columns, CANARY_COLUMN), ([*row, canary] for row in rows)


def export_columns(questions: Sequence[Question]) -> tuple[str, ...]:
    """Return the columns of every format but the official one."""
    extra = any(question.attributes for question in questions)
    return (*EXPORT_COLUMNS, ATTRIBUTES_COLUMN) if extra else EXPORT_COLUMNS


def to_frame(questions: Sequence[Question]) -> pandas.DataFrame:
    """The questions as a DataFrame of text, with `id` as a number and our key behind the fields."""
    import pandas

    columns = export_columns(questions)
    frame = pandas.DataFrame(list(_rows(questions, columns)), columns=list(columns), dtype=str)
    return frame.astype({"id": "int64"})


def _rows(questions: Sequence[Question], columns: Sequence[str]) -> Iterator[list[Any]]:
    extra = ATTRIBUTES_COLUMN in columns
    for index, question in enumerate(questions):
        row = [index, *(question.fields[c] for c in OFFICIAL_COLUMNS[1:]), question.key]
        yield [*row, question.attributes] if extra else row


def _json_lines(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], nested: Sequence[str]
) -> bytes:
    lines = []
    for row in rows:
        record = dict(zip(columns, row, strict=True))
        record |= {
            column: json.loads(record[column] or "{}") for column in nested if column in record
        }
        lines.append(f"{json.dumps(record, ensure_ascii=False)}\n")
    return "".join(lines).encode("utf-8")


def _official(questions: Sequence[Question], dialect: Dialect, canary: str) -> bytes:
    own = dialect.roles and rows_of(questions, dialect.columns, dialect.roles)
    columns, rows = _marked(dialect.columns, own or _official_rows(questions, dialect), canary)
    text = write_csv((list(map(text_of, row)) for row in rows), replace(dialect, columns=columns))
    return encode(text, dialect.encoding, bom=dialect.bom)


def _official_rows(questions: Sequence[Question], dialect: Dialect) -> Iterator[list[Any]]:
    names = [column_name(column) for column in dialect.columns]

    def cell(index: int, question: Question, name: str) -> str:
        if name in ("id", KEY_COLUMN):
            return str(index) if name == "id" else question.key
        return question.attributes if name == ATTRIBUTES_COLUMN else question.fields.get(name, "")

    return ([cell(i, question, name) for name in names] for i, question in enumerate(questions))


def _parquet(
    names: Sequence[str], rows: Sequence[Sequence[Any]], metadata: Mapping[str, str]
) -> bytes:
    pyarrow = load_pyarrow()

    def array(values: Sequence[Any]) -> Any:
        if all(value is None or isinstance(value, str) for value in values):
            return pyarrow.array(values, pyarrow.string())
        try:
            return pyarrow.array(values)
        except pyarrow.ArrowException:  # values of several kinds
            return pyarrow.array(list(map(text_of, values)), pyarrow.string())

    columns = list(zip(*rows, strict=True)) or [()] * len(names)
    arrays = [array(column) for column in columns]
    if not rows:
        arrays[0] = arrays[0].cast(pyarrow.int64())
    buffer = io.BytesIO()
    described = {f"freshqa.{name}": value for name, value in metadata.items()} or None
    table = pyarrow.table(arrays, names=list(names), metadata=described)
    pyarrow.parquet.write_table(table, buffer)
    return buffer.getvalue()


def _xlsx(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], metadata: Mapping[str, str]
) -> bytes:
    """Return a workbook whose cells are text, so that no spreadsheet makes dates of them."""
    for number, row in enumerate(rows, start=2):
        for column, text in zip(columns, map(text_of, row), strict=True):
            if len(text) > XLSX_CELL:
                raise BadData(
                    f"Row {number}, column {column}: {len(text):,} characters; a workbook cell "
                    f"holds {XLSX_CELL:,}.",
                    "Use another format.",
                )
    from openpyxl import Workbook
    from openpyxl.packaging.custom import StringProperty

    book = Workbook(write_only=True)
    sheet = book.create_sheet("freshqa")
    sheet.append(list(columns))
    for row in rows:
        sheet.append([_cell(sheet, value) for value in row])
    described: Any = book  # its type stubs do not know custom_doc_props
    for name, value in metadata.items():
        if len(value) > XLSX_PROPERTY:
            book.properties.description = value
            continue
        described.custom_doc_props.append(StringProperty(name=f"freshqa.{name}", value=value))
    book.properties.created = book.properties.modified = EPOCH
    buffer = io.BytesIO()
    book.save(buffer)
    return _with_fixed_times(buffer.getvalue())


def _cell(sheet: Any, value: Any) -> Any:
    """Return a number as one, and every other value as text."""
    if type(value) is int:
        return value
    text = text_of(value)
    return _text_cell(sheet, text) if text else None


def _text_cell(sheet: Any, text: str) -> Any:
    from openpyxl.cell import WriteOnlyCell

    cell = WriteOnlyCell(sheet, value=_escaped(text))
    cell.data_type = "s"  # even if it looks like a formula, an error or a number
    cell.number_format = "@"
    cell.quotePrefix = is_formula(text)
    return cell


def _escaped(text: str) -> str:
    """Characters that XML forbids, as workbooks write them: `_x0007_`."""
    return UNWRITABLE.sub(lambda match: f"_x{ord(match.group()):04X}_", text)


def _with_fixed_times(workbook: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook)) as old, zipfile.ZipFile(buffer, "w") as new:
        for part in old.infolist():
            info = zipfile.ZipInfo(part.filename, EPOCH.timetuple()[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            data = old.read(part)
            if part.filename == "docProps/core.xml":  # openpyxl stamps the time of saving
                data = re.sub(
                    rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>1980-01-01T00:00:00Z", data
                )
            new.writestr(info, data)
    return buffer.getvalue()
