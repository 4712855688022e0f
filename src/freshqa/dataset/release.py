"""Reading and writing the files that FreshQA travels in."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from freshqa.dataset.csv_text import read_csv, write_csv
from freshqa.dataset.damage import Damage
from freshqa.dataset.dialect import OFFICIAL, Dialect
from freshqa.dataset.encoding import decode, encode
from freshqa.dataset.limits import MAX_BYTES
from freshqa.dataset.question import Question
from freshqa.dataset.table import column_name, to_questions
from freshqa.errors import BadData, NotFound, UsageError

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Release:
    """An official file, read.

    Args:
        name: What to call the file in messages.
        questions: In official order: a question's `id` is its index here. No keys yet.
        sha256: Of the original bytes, in hex.
        original: The bytes of the file ("" for a DataFrame).
        format: csv, xlsx, json, jsonl, parquet or dataframe: what it is, whatever its name says.
        dialect: How the CSV was written; None for other formats.
        findings: Damaged cells, repaired ones included.
        warnings: What a person should know, one sentence each.
    """

    name: str
    questions: tuple[Question, ...]
    sha256: str
    original: bytes
    format: str
    dialect: Dialect | None = None
    findings: tuple[Damage, ...] = ()
    warnings: tuple[str, ...] = ()


def read_release(
    source: str | Path | bytes | pandas.DataFrame, *, name: str = "", repair: str = "certain"
) -> Release:
    """Read a release from a file, its bytes or a DataFrame.

    Args:
        source: A path, the bytes of a file, or a frame with the official columns.
        name: What to call it in messages; by default the file's name.
        repair: `none`, `certain` (no other original is possible) or `all` (best guesses too).

    Raises:
        NotFound: There is no such file.
        NotARelease: The file holds no FreshQA rows.
        BadData: The file is broken, too large, or has rows that cannot be used.
    """
    if repair not in ("none", "certain", "all"):
        raise UsageError(f"repair={repair!r} is unknown.", "Use none, certain or all.")
    if isinstance(source, (str, Path)):
        name = name or Path(source).name
        data = _read_bytes(Path(source))
    elif isinstance(source, bytes):
        name, data = name or "input", source
    else:
        raise UsageError("DataFrames are not read yet.", "")
    decoded = decode(data)
    table, dialect = read_csv(decoded.text, encoding=decoded.encoding, bom=decoded.bom, name=name)
    questions, warnings = to_questions(table, name=name)
    return Release(
        name=name,
        questions=tuple(questions),
        sha256=hashlib.sha256(data).hexdigest(),
        original=data,
        format="csv",
        dialect=dialect,
        warnings=tuple(warnings),
    )


def _read_bytes(path: Path) -> bytes:
    if not path.exists():
        raise NotFound(f"There is no file {path}.", "Check the path.")
    if not path.is_file():
        raise BadData(f"{path} is not a file.", "Give a release file.")
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise BadData(
            f"{path.name}: larger than {MAX_BYTES // 1_000_000} MB.", "A release is small."
        )
    return data


def write_release(
    questions: Sequence[Question], format: str, *, dialect: Dialect | None = None
) -> bytes:
    """The questions, in the order given, as the bytes of a file.

    Args:
        questions: Their index becomes the `id`.
        format: official, csv, jsonl, parquet or xlsx.
        dialect: For `official`: how to write it; by default as the official sheet is exported.

    Raises:
        UsageError: An unknown format.
    """
    if format != "official":
        raise UsageError(f"Format {format!r} is not written yet.", "Use official.")
    dialect = dialect or OFFICIAL
    names = [column_name(column) for column in dialect.columns]
    rows = (
        [str(index) if name == "id" else question.fields.get(name, "") for name in names]
        for index, question in enumerate(questions)
    )
    return encode(write_csv(rows, dialect), dialect.encoding, bom=dialect.bom)
