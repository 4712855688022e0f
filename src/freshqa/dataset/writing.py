"""Questions as the bytes of a file, in every format that is read."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.packaging.custom import StringProperty

from freshqa.dataset.csv_text import write_csv
from freshqa.dataset.dialect import OFFICIAL, PLAIN, Dialect
from freshqa.dataset.encoding import encode
from freshqa.dataset.formula import is_formula, neutral
from freshqa.dataset.question import OFFICIAL_COLUMNS, Question
from freshqa.dataset.table import KEY_COLUMN, column_name
from freshqa.errors import BadData, UsageError

if TYPE_CHECKING:
    import pandas

FORMATS = ("official", "csv", "jsonl", "parquet", "xlsx")
EXPORT_COLUMNS = (*OFFICIAL_COLUMNS, KEY_COLUMN)
"""Every format but the official one carries our key too, in a last column."""
UNWRITABLE = re.compile("[\\x00-\\x08\\x0b-\\x1f\\ufffe\\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
XLSX_CELL = 32_767
EPOCH = datetime(1980, 1, 1)  # the first day a ZIP archive can name: same questions, same bytes


def write_release(
    questions: Sequence[Question],
    format: str,
    *,
    dialect: Dialect | None = None,
    metadata: Mapping[str, str] | None = None,
) -> bytes:
    """Return the questions, in the order given, as the bytes of a file.

    Args:
        questions: Their index becomes the `id`.
        format: official, csv, jsonl, parquet or xlsx.
        dialect: For `official`: how to write it; by default as the official sheet is exported.
        metadata: What Parquet files and workbooks say of themselves (`Citation.metadata`); the
            other formats have no place for it.

    Raises:
        UsageError: An unknown format, or Parquet without pyarrow.
        BadData: A text that the format or encoding cannot hold.
    """
    if format == "official":
        return _official(questions, dialect or OFFICIAL)
    if format == "csv":
        rows = ([neutral(cell) for cell in row] for row in _rows(questions))
        return encode(write_csv(rows, _with_key(PLAIN)), "utf-8", bom=False)
    if format == "jsonl":
        records = (dict(zip(EXPORT_COLUMNS, row, strict=True)) for row in _rows(questions))
        lines = (json.dumps({**r, "id": int(r["id"])}, ensure_ascii=False) for r in records)
        return "".join(f"{line}\n" for line in lines).encode("utf-8")
    if format == "parquet":
        return _parquet(questions, metadata or {})
    if format == "xlsx":
        return _xlsx(questions, metadata or {})
    raise UsageError(f"Unknown format {format!r}.", f"Use one of {', '.join(FORMATS)}.")


def to_frame(questions: Sequence[Question]) -> pandas.DataFrame:
    """The questions as a DataFrame of text, with `id` as a number and our key as last column."""
    import pandas

    frame = pandas.DataFrame(list(_rows(questions)), columns=list(EXPORT_COLUMNS), dtype=str)
    return frame.astype({"id": "int64"})


def _with_key(dialect: Dialect) -> Dialect:
    return Dialect.from_json({**dialect.to_json(), "columns": EXPORT_COLUMNS})


def _rows(questions: Sequence[Question]) -> Iterator[list[str]]:
    for index, question in enumerate(questions):
        yield [str(index), *(question.fields[c] for c in OFFICIAL_COLUMNS[1:]), question.key]


def _official(questions: Sequence[Question], dialect: Dialect) -> bytes:
    names = [column_name(column) for column in dialect.columns]

    def cell(index: int, question: Question, name: str) -> str:
        if name in ("id", KEY_COLUMN):
            return str(index) if name == "id" else question.key
        return question.fields.get(name, "")

    rows = ([cell(i, question, name) for name in names] for i, question in enumerate(questions))
    return encode(write_csv(rows, dialect), dialect.encoding, bom=dialect.bom)


def _parquet(questions: Sequence[Question], metadata: Mapping[str, str]) -> bytes:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as missing:
        raise UsageError(
            "Parquet needs pyarrow.", "Install it: pip install 'prefect-freshqa[parquet]'."
        ) from missing
    columns = list(zip(*_rows(questions), strict=True)) or [()] * len(EXPORT_COLUMNS)
    arrays = [pyarrow.array(list(map(int, columns[0])), pyarrow.int64())]
    arrays += [pyarrow.array(list(column), pyarrow.string()) for column in columns[1:]]
    buffer = io.BytesIO()
    described = {f"freshqa.{name}": value for name, value in metadata.items()} or None
    table = pyarrow.table(arrays, names=list(EXPORT_COLUMNS), metadata=described)
    pyarrow.parquet.write_table(table, buffer)
    return buffer.getvalue()


def _xlsx(questions: Sequence[Question], metadata: Mapping[str, str]) -> bytes:
    """Return a workbook whose cells are all text, so that no spreadsheet makes dates of them."""
    rows = list(_rows(questions))
    for number, row in enumerate(rows, start=2):
        for column, text in zip(EXPORT_COLUMNS, row, strict=True):
            if len(text) > XLSX_CELL:
                raise BadData(
                    f"Row {number}, column {column}: {len(text):,} characters; a workbook cell "
                    f"holds {XLSX_CELL:,}.",
                    "Use another format.",
                )
    book = Workbook(write_only=True)
    sheet = book.create_sheet("freshqa")
    sheet.append(list(EXPORT_COLUMNS))
    for row in rows:
        cells = [_text_cell(sheet, text) if text else None for text in row[1:]]
        sheet.append([int(row[0]), *cells])
    described: Any = book  # its type stubs do not know custom_doc_props
    for name, value in metadata.items():
        described.custom_doc_props.append(StringProperty(name=f"freshqa.{name}", value=value))
    book.properties.created = book.properties.modified = EPOCH
    buffer = io.BytesIO()
    book.save(buffer)
    return _with_fixed_times(buffer.getvalue())


def _text_cell(sheet: Any, text: str) -> Any:
    cell = WriteOnlyCell(sheet, value=_escaped(text))
    cell.data_type = "s"  # whatever it looks like: a formula, an error, a number
    cell.number_format = "@"
    cell.quotePrefix = is_formula(text)
    return cell


def _escaped(text: str) -> str:
    """Characters that XML forbids, as workbooks write them: `_x0007_`."""
    return UNWRITABLE.sub(lambda found: f"_x{ord(found.group()):04X}_", text)


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
