"""Read and write release files of FreshQA."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from freshqa.dataset.canary import without_canary
from freshqa.dataset.csv_text import read_csv
from freshqa.dataset.damage import Damage, apply_repairs, find_damage
from freshqa.dataset.dialect import PLAIN, Dialect
from freshqa.dataset.encoding import decode
from freshqa.dataset.file_type import detect
from freshqa.dataset.formula import unmarked
from freshqa.dataset.header import is_official
from freshqa.dataset.layout import read_layout
from freshqa.dataset.limits import MAX_BYTES
from freshqa.dataset.question import Question
from freshqa.dataset.recognition import NO_MAP, check_mapping
from freshqa.dataset.records import read_frame, read_json, read_parquet
from freshqa.dataset.table import KEY_COLUMN, Table, column_name, refuse_duplicates, to_questions
from freshqa.dataset.workbook import read_workbook
from freshqa.dataset.writing import to_frame, write_release
from freshqa.errors import BadData, NotFound, UsageError

if TYPE_CHECKING:
    import pandas

__all__ = ["REPAIRS", "Release", "read_release", "to_frame", "write_release"]
REPAIRS = ("none", "certain", "all")
OTHER_ENCODING = "if names look wrong, roll back and import it with --encoding NAME"
NOT_AGAIN = "this file's own layout cannot be written again byte for byte"


@dataclass(frozen=True)
class Release:
    """An official file, read.

    Args:
        name: What to call the file in messages.
        questions: In official order: a question's `id` is its index here. No keys yet.
        sha256: Of the original bytes, in hex.
        original: The bytes of the file ("" for a DataFrame).
        format: csv, xlsx, json, jsonl, parquet or dataframe: what it is, whatever its name says.
        dialect: How the CSV was written, and the columns of a file with columns of its own; None
            for releases in other formats.
        findings: Damaged cells, repaired ones included.
        warnings: What a person should know, one sentence each.
        rows: Row number in the file of each question, as findings count them.
        lacking: Fields of which a file with columns of its own says nothing.
    """

    name: str
    questions: tuple[Question, ...]
    sha256: str
    original: bytes
    format: str
    dialect: Dialect | None = None
    findings: tuple[Damage, ...] = ()
    warnings: tuple[str, ...] = ()
    rows: tuple[int, ...] = ()
    lacking: tuple[str, ...] = ()

    @property
    def columns(self) -> dict[str, str]:
        """Column of the file → the field it holds; empty for the columns of FreshQA."""
        if self.dialect is None or not self.dialect.roles:
            return {}
        taken = {role.column: role.describe() for role in self.dialect.roles}
        return {column: taken.get(column, "attribute") for column in self.dialect.columns}


def read_release(
    source: str | Path | bytes | pandas.DataFrame,
    *,
    name: str = "",
    repair: str = "certain",
    encoding: str = "",
    mapping: Mapping[str, str] = NO_MAP,
) -> Release:
    """Read a release, or any question-answer file, from a file, its bytes or a DataFrame.

    Args:
        source: A path, the bytes of a file, or a frame with the official columns.
        name: What to call it in messages; by default the file's name.
        repair: `none`, `certain` (no other original is possible) or `all` (best guesses too).
        encoding: Codec of a text file; by default it is found out, and a guess is a warning.
        mapping: Field → column, for a file with columns of its own; the rest is recognised.

    Raises:
        NotFound: the file does not exist.
        NotARelease: the file has no columns with questions and answers.
        BadData: The file is broken, too large, or has rows that cannot be used.
    """
    if repair not in REPAIRS:
        raise UsageError(f"Unknown value repair={repair!r}.", f"Use {', '.join(REPAIRS)}.")
    mapping = check_mapping(mapping)
    if isinstance(source, (str, Path)):
        name, source = name or Path(source).name, _read_bytes(Path(source))
    elif isinstance(source, bytes):
        name = name or "input"
        _check_size(len(source), name)
    if isinstance(source, bytes):
        content = _read(source, name=name, encoding=encoding, mapping=mapping)
        original = source
    else:
        table = read_frame(source, name=name or "DataFrame", mapping=mapping)
        content, original = Content(table, "dataframe"), b""
    name = name or "DataFrame"
    content = _unmarked(content)
    if not is_official(content.table.columns, mapping):
        return _other(content, original, name=name, mapping=mapping)
    return _release(content, original, name=name, repair=repair)


def _other(content: Content, original: bytes, *, name: str, mapping: Mapping[str, str]) -> Release:
    """Return the release in a file with columns of its own; its cells are never repaired."""
    layout = read_layout(content.table, mapping, name=name)
    refuse_duplicates(layout.placed, name=name)
    questions = tuple(entry.question for entry in layout.placed)
    dialect = replace(content.dialect or PLAIN, columns=content.table.columns, roles=layout.roles)
    warnings = [*content.warnings, *layout.notes]
    if not _again(content, questions, dialect, original):
        warnings.append(NOT_AGAIN)
    return Release(
        name=name,
        questions=questions,
        sha256=hashlib.sha256(original or write_release(questions, "jsonl")).hexdigest(),
        original=original,
        format=content.format,
        dialect=dialect,
        warnings=tuple(warnings),
        rows=tuple(entry.row for entry in layout.placed),
        lacking=layout.lacking,
    )


def _release(content: Content, original: bytes, *, name: str, repair: str) -> Release:
    placed, warnings = to_questions(content.table, name=name)
    warnings = [*content.warnings, *warnings]
    dialect = content.dialect
    if not _again(content, [p.question for p in placed], dialect, original):
        warnings.append(NOT_AGAIN)
    findings = find_damage(placed)
    placed = apply_repairs(placed, findings, repair)
    refuse_duplicates(placed, name=name)
    questions = tuple(entry.question for entry in placed)
    return Release(
        name=name,
        questions=questions,
        sha256=hashlib.sha256(original or write_release(questions, "jsonl")).hexdigest(),
        original=original,
        format=content.format,
        dialect=dialect,
        findings=findings,
        warnings=tuple(warnings),
        rows=tuple(entry.row for entry in placed),
    )


def _again(
    content: Content, questions: Sequence[Question], dialect: Dialect | None, original: bytes
) -> bool:
    """Whether the file, if it is a CSV, can be written again as it was."""
    if not content.dialect or content.marked:
        return True
    return write_release(questions, "official", dialect=dialect) == original


@dataclass(frozen=True)
class Content:
    """The content of a file before it is known to be a release."""

    table: Table
    format: str
    dialect: Dialect | None = None
    warnings: tuple[str, ...] = ()
    marked: bool = False
    """It carried a canary column, so its bytes are not those of its rows."""


def _unmarked(content: Content) -> Content:
    """Return the content without the canary column of an export of ours."""
    table, notes = without_canary(content.table)
    if not notes:
        return content
    dialect = content.dialect and replace(content.dialect, columns=table.columns)
    return replace(
        content, table=table, dialect=dialect, warnings=(*content.warnings, *notes), marked=True
    )


def _read(data: bytes, *, name: str, encoding: str, mapping: Mapping[str, str]) -> Content:
    format = detect(data, name=name)
    if encoding and format in ("xlsx", "parquet"):
        raise UsageError(f"{name} is not a text file: it has no encoding.", "Leave --encoding out.")
    if format == "xlsx":
        table, warnings = read_workbook(data, name=name, mapping=mapping)
        return Content(table, format, warnings=tuple(warnings))
    if format == "parquet":
        return Content(read_parquet(data, name=name, mapping=mapping), format)
    decoded = decode(data, name=name, encoding=encoding)
    warnings = [f"{decoded.note}; {OTHER_ENCODING}"] if decoded.note else []
    if format == "json":
        table, format = read_json(decoded.text, name=name, mapping=mapping)
        return Content(table, format, warnings=tuple(warnings))
    table, dialect = read_csv(
        decoded.text, encoding=decoded.encoding, bom=decoded.bom, name=name, mapping=mapping
    )
    if is_official(table.columns, mapping) and KEY_COLUMN in map(column_name, table.columns):
        # our own export: formulas were neutralised
        rows = [replace(row, cells=list(map(unmarked, row.cells))) for row in table.rows]
        table = replace(table, rows=rows)
    return Content(table, format, dialect, tuple(warnings))


def _read_bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise BadData(f"{path} is a directory.", "Pass the path of a release file.")
        _check_size(path.stat().st_size, path.name)
        with path.open("rb") as file:  # a pipe has no size
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError as missing:
        raise NotFound(f"File not found: {path}.", "Check the path.") from missing
    except (OSError, ValueError) as unreadable:
        raise BadData(
            f"{path} cannot be read: {unreadable}.", "Check its permissions."
        ) from unreadable
    _check_size(len(data), path.name)
    return data


def _check_size(size: int, name: str) -> None:
    if size > MAX_BYTES:
        raise BadData(
            f"{name}: larger than {MAX_BYTES // 1_000_000} MB.",
            "A release is about 0.25 MB; this file is not a release.",
        )
