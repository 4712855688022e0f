"""The file that `pull` writes: its format, its bytes, its place."""

from __future__ import annotations

import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from freshqa.errors import NotFound, UsageError

if TYPE_CHECKING:
    from freshqa.store.database import Store

STDOUT = "-"


class Format(str, Enum):
    """Formats of a pulled file.

    `official` and `csv` are both CSV: `official` is the file as FreshQA publishes it (preamble and
    official columns), or as the imported file was; `csv` is plain UTF-8 with the column of our key,
    as in the formats after it.
    """

    official = "official"
    csv = "csv"
    jsonl = "jsonl"
    parquet = "parquet"
    xlsx = "xlsx"


class Layout(str, Enum):
    """Layouts of format `official`: that of the imported file, or FreshQA's."""

    own = "own"
    official = "official"


def imported_file(store: Store, number: int) -> bytes:
    """Return the bytes that a version was imported from.

    Raises:
        NotFound: the version was published here, not imported.
    """
    from freshqa.store import snapshots

    body = snapshots.original(store, number)
    if body is None:
        raise NotFound(
            f"Version {number} was not imported from a file.", "Pull it without --original."
        )
    return body


def by_ending(output: str) -> Format:
    """Return the format that a file's ending names; official for .csv, stdout and any other."""
    ending = Path(output).suffix.removeprefix(".").lower()
    return Format(ending) if ending in ("jsonl", "parquet", "xlsx") else Format.official


def write(body: bytes, output: str) -> None:
    """Write to stdout, or to a file: all of it or nothing.

    Raises:
        StoreError: the file cannot be written.
    """
    from freshqa.dataset.whole_file import write_whole

    if output != STDOUT:
        write_whole(body, Path(output))
        return
    sys.stdout.buffer.write(body)
    sys.stdout.buffer.flush()


def refuse_on_stdout(*, json: bool, cff: bool) -> None:
    """Raise `UsageError` for options that need an output file."""
    if json:
        raise UsageError("--json and the data cannot both be written to stdout.", "Add -o FILE.")
    if cff:
        raise UsageError("--cff writes a file beside the snapshot.", "Add -o FILE.")
