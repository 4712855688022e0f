"""The table in JSON, JSON lines, Parquet or a DataFrame."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from freshqa.dataset.file_type import reason
from freshqa.dataset.header import find_header, is_official
from freshqa.dataset.limits import MAX_BYTES, MAX_COLUMNS, MAX_JSON, MAX_RECORD, MAX_ROWS
from freshqa.dataset.question import packed
from freshqa.dataset.recognition import NO_MAP, names_question_and_answer
from freshqa.dataset.table import ATTRIBUTES_COLUMN, Row, Table
from freshqa.dates.forms import official_date
from freshqa.errors import BadData, NotARelease, UsageError

if TYPE_CHECKING:
    import pandas

INTEGERS = ("id", "effective_year")
"""Columns that pandas turns into 2023.0 when a cell is missing."""


def read_json(text: str, *, name: str, mapping: Mapping[str, str] = NO_MAP) -> tuple[Table, str]:
    """Return the table of a JSON text, and whether it was `json` or `jsonl`.

    Arrays of records, an object that holds one, and both column layouts of pandas are read.

    Raises:
        BadData: Broken JSON (with its line), or a value that is not a cell.
        NotARelease: the JSON contains no records.
    """
    lines = text.strip().split("\n")  # not splitlines: U+2028 may occur inside a JSON string
    if lines[0].startswith("[") or len(lines[0]) > MAX_RECORD:
        return _table(_whole(text, name=name), name=name, mapping=mapping), "json"
    try:
        records = [_record(json.loads(lines[0], object_pairs_hook=_no_twins), name=name, row=1)]
    except (ValueError, RecursionError, NotARelease):
        return _table(_whole(text, name=name), name=name, mapping=mapping), "json"
    for number, line in enumerate(lines[1:], start=2):
        _check_size(line, MAX_RECORD, f"{name}: line {number}")
        if line.strip():
            records.append(_record(_loads(line, name=name, line=number), name=name, row=number))
        if len(records) > MAX_ROWS:
            break  # refused below
    return _table(records, name=name, mapping=mapping), "jsonl"


def _check_size(text: str, limit: int, what: str) -> None:
    if len(text) > limit:
        raise BadData(f"{what}: longer than {limit:,} characters.", "Use JSON Lines or CSV.")


def _loads(text: str, *, name: str, line: int) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_no_twins)
    except json.JSONDecodeError as broken:
        raise BadData(
            f"{name}: line {line + broken.lineno - 1}, column {broken.colno}: {broken.msg}.",
            "The file may be truncated or hand-edited. Download it again.",
        ) from broken
    except (ValueError, RecursionError) as broken:
        raise BadData(f"{name}: line {line}: {broken}.", "Use flat records.") from broken


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        twin = next(key for index, (key, _) in enumerate(pairs) if key in dict(pairs[:index]))
        raise ValueError(f"duplicate key {twin!r} in one record")
    return record


def _record(value: Any, *, name: str, row: int) -> Mapping[str, Any]:
    if isinstance(value, Mapping) and not _is_columns(value) and _records_in(value) is None:
        return value
    raise NotARelease(f"{name}: line {row} is not a record.", "Each line must hold one question.")


def _whole(text: str, *, name: str) -> Sequence[Mapping[str, Any]]:
    _check_size(text, MAX_JSON, name)
    value = _loads(text, name=name, line=1)
    if isinstance(value, Mapping):
        if _is_columns(value):
            return _from_columns(value)
        value = _records_in(value)
    if not isinstance(value, list) or not all(isinstance(record, Mapping) for record in value):
        raise NotARelease(f"{name}: the JSON contains no records.", "Use an array of questions.")
    return value


def _records_in(value: Mapping[str, Any]) -> list[Any] | None:
    if "question" in value or names_question_and_answer(list(value)):
        return None
    lists = [v for v in value.values() if isinstance(v, list) and v and isinstance(v[0], Mapping)]
    return lists[0] if len(lists) == 1 else None


def _is_columns(value: Mapping[str, Any]) -> bool:
    columns = [value.get("question"), value.get("answer_0")]
    return all(isinstance(column, (list, Mapping)) for column in columns)


def _from_columns(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    columns = {
        key: list(cells.values()) if isinstance(cells, Mapping) else cells
        for key, cells in value.items()
        if isinstance(cells, (list, Mapping))
    }
    length = max(map(len, columns.values()))
    return [
        {key: cells[index] if index < len(cells) else None for key, cells in columns.items()}
        for index in range(length)
    ]


def _table(
    records: Sequence[Mapping[str, Any]], *, name: str, mapping: Mapping[str, str] = NO_MAP
) -> Table:
    if len(records) > MAX_ROWS:
        raise BadData(
            f"{name}: more than {MAX_ROWS:,} records.", "Use a file with a single release."
        )
    columns = tuple(dict.fromkeys(key for record in records for key in record))
    find_header([columns], name=name, mapping=mapping)
    official = is_official(columns, mapping)
    rows = [
        Row(number, [_value(record.get(c), c, number, name, official) for c in columns])
        for number, record in enumerate(records, start=1)
    ]
    return Table(columns=columns, header=0, rows=[row for row in rows if any(row.cells)])


def _value(value: Any, column: str, row: int, name: str, official: bool) -> Any:
    """Return the text of a cell of a release; any value of a file with columns of its own."""
    if not official:
        return value
    if column == ATTRIBUTES_COLUMN and isinstance(value, Mapping):
        return packed(value)
    return cell(value, column=column, row=row, name=name)


def cell(value: Any, *, column: str, row: int, name: str) -> str:
    """Return a value as the text of a cell: TRUE and FALSE, US dates, "" for a missing one.

    Raises:
        BadData: A list, a record, or another value that is not single.
    """
    if isinstance(value, str):
        return value
    if value is None or str(value) in ("nan", "NaT", "<NA>"):
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if column in INTEGERS and value.is_integer() else repr(value)
    if isinstance(value, (date, datetime)):
        return official_date(value)
    raise BadData(
        f"{name}: row {row}, column {column}: a {type(value).__name__} where text is expected.",
        "Each cell must hold a single value.",
    )


def load_pyarrow() -> Any:
    """Return pyarrow, with its reader and writer of Parquet.

    Raises:
        UsageError: it is not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as missing:
        raise UsageError(
            "Parquet needs pyarrow.", "Install it: pip install 'prefect-freshqa[parquet]'."
        ) from missing
    return pyarrow


def read_parquet(data: bytes, *, name: str, mapping: Mapping[str, str] = NO_MAP) -> Table:
    """Return the table of a Parquet file.

    Raises:
        UsageError: pyarrow is not installed.
        BadData: A broken file, or one that is too large when unpacked.
    """
    pyarrow = load_pyarrow()
    try:
        file = pyarrow.parquet.ParquetFile(io.BytesIO(data))
        columns = tuple(file.schema_arrow.names)
        if file.metadata.num_rows > MAX_ROWS or len(columns) > MAX_COLUMNS:
            raise BadData(
                f"{name}: {file.metadata.num_rows:,} rows, {len(columns)} columns: too large.",
                "Use a file with a single release.",
            )
        find_header([columns], name=name, mapping=mapping)
        records: list[Mapping[str, Any]] = []
        read = 0
        for batch in file.iter_batches(batch_size=2_000):
            read += batch.nbytes
            if read > MAX_BYTES:
                raise BadData(
                    f"{name}: unpacks to more than {MAX_BYTES:,} bytes.",
                    "Use a file with a single release.",
                )
            records.extend(batch.to_pylist())
    except (pyarrow.ArrowException, OSError, ValueError) as broken:
        what = f"{name}: a broken Parquet file ({reason(broken)})."
        raise BadData(what, "Download it again.") from broken
    return _table(records, name=name, mapping=mapping)


def read_frame(frame: pandas.DataFrame, *, name: str, mapping: Mapping[str, str] = NO_MAP) -> Table:
    """Return the table of a DataFrame; its index does not count."""
    if len(frame) > MAX_ROWS or len(frame.columns) > MAX_COLUMNS:
        raise BadData(
            f"{name}: a frame of shape {frame.shape} is too large.", "Use the rows of one release."
        )
    columns = tuple(map(str, frame.columns))
    find_header([columns], name=name, mapping=mapping)
    official = is_official(columns, mapping)
    rows = [
        Row(
            number,
            [_plain(v, c, number, name, official) for c, v in zip(columns, values, strict=True)],
        )
        for number, values in enumerate(frame.itertuples(index=False, name=None), start=1)
    ]
    return Table(columns=columns, header=0, rows=rows)


def _plain(value: Any, column: str, row: int, name: str, official: bool) -> Any:
    native = getattr(value, "tolist", None)  # a numpy scalar or array
    return _value(native() if callable(native) else value, column, row, name, official)
