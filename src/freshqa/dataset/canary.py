"""The canary string of a version: exports can carry it, so that copies of them can be found."""

from __future__ import annotations

import gzip
import re
import uuid
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from freshqa.dataset.records import load_pyarrow
from freshqa.dataset.table import Table, column_name
from freshqa.errors import BadData, NotFound

CANARY = re.compile(r"freshqa-canary:GUID:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
"""What a canary string looks like in any text."""
CANARY_COLUMN = "canary"
CANARY_NAMESPACE = uuid.UUID("e87e6bde-e1c5-5c07-830d-6f75b6fb7aab")
LENGTH = len("freshqa-canary:GUID:") + 36
CHUNK = 1 << 20
PARQUET, ZIP, GZIP = b"PAR1", b"PK\x03\x04", b"\x1f\x8b"


def canary(chain_hash: str) -> str:
    """Return the canary string of a version, which is reproducible.

    Args:
        chain_hash: Of the version, so that two stores with the same history agree.
    """
    return f"freshqa-canary:GUID:{uuid.uuid5(CANARY_NAMESPACE, chain_hash)}"


def canaries_in(text: str) -> set[str]:
    """Return every canary string in a text, such as a training corpus or a model's output."""
    return {match.group(0) for match in CANARY.finditer(text)}


def canaries_in_file(path: Path) -> set[str]:
    """Return every canary string in a file of any size.

    Text of any kind is searched as it is; gzip files, ZIP archives (workbooks too) and Parquet
    files are unpacked first.

    Raises:
        NotFound: the file does not exist.
        BadData: the file cannot be read, or is broken.
        UsageError: Parquet without pyarrow.
    """
    try:
        with path.open("rb") as file:
            start = file.read(4)
            file.seek(0)
            if start == PARQUET:
                return _scan_parquet(path)
            if start == ZIP:
                return {string for part in _members(file) for string in _scan(part)}
            if start.startswith(GZIP):
                with gzip.open(file) as unpacked:
                    return _scan(unpacked)  # type: ignore[arg-type]
            return _scan(file)
    except FileNotFoundError:
        raise NotFound(f"File not found: {path}.", "Check the path.") from None
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, ValueError) as broken:
        raise BadData(f"{path} cannot be read: {broken}.", "Check the file.") from broken


def without_canary(table: Table) -> tuple[Table, tuple[str, ...]]:
    """Return a table without the canary column of our exports, and a note about it.

    A column of the same name with other values, as in SealQA, is kept.
    """
    names = [column_name(column) for column in table.columns]
    if CANARY_COLUMN not in names:
        return table, ()
    place = names.index(CANARY_COLUMN)
    cells = {str(row.cells[place]) if place < len(row.cells) else "" for row in table.rows}
    if not cells or not all(CANARY.fullmatch(cell) for cell in cells):
        return table, ()
    rows = [
        replace(
            row,
            cells=[cell for i, cell in enumerate(row.cells) if i != place],
            typed={i - (i > place): day for i, day in row.typed.items() if i != place},
        )
        for row in table.rows
    ]
    columns = tuple(column for i, column in enumerate(table.columns) if i != place)
    note = f"the rows carry the canary {', '.join(sorted(cells))}: the column was left out"
    return replace(table, columns=columns, rows=rows), (note,)


def _scan(file: BinaryIO) -> set[str]:
    canaries: set[str] = set()
    kept = b""
    while chunk := file.read(CHUNK):
        text = (kept + chunk).decode("latin-1")  # a canary is ASCII in every encoding of bytes
        canaries |= canaries_in(text) | canaries_in(text.replace("\0", ""))  # UTF-16
        kept = (kept + chunk)[-2 * LENGTH :]
    return canaries


def _members(file: BinaryIO) -> Iterator[BinaryIO]:
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            if not member.is_dir():
                with archive.open(member) as part:
                    yield part  # type: ignore[misc]


def _scan_parquet(path: Path) -> set[str]:
    pyarrow = load_pyarrow()
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            batches = file.iter_batches(batch_size=1_000)
            return {string for batch in batches for string in canaries_in(str(batch.to_pylist()))}
    except pyarrow.ArrowException as broken:
        raise ValueError(str(broken)) from broken
