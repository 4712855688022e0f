"""Questions of a file with other columns, and its rows written again."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import TYPE_CHECKING, Any

from freshqa.dataset.header import MAP, column_list
from freshqa.dataset.limits import MAX_COLUMNS, MAX_RECORD
from freshqa.dataset.question import ANSWER_COLUMNS, FIELD_COLUMNS, Question, packed
from freshqa.dataset.recognition import NO_MAP, recognise, restores
from freshqa.dataset.role import ROW_NUMBER, Role, unwrapped, values_of
from freshqa.dataset.table import Placed, Row, Table, check_row
from freshqa.errors import BadData, NotARelease, UsageError

if TYPE_CHECKING:
    from freshqa.dataset.dialect import Dialect

DEFAULTS = {"split": "TEST", "next_review": "frequently", "false_premise": "FALSE"}
"""Defaults of fields that the file lacks; every other field is empty."""


@dataclass(frozen=True)
class Layout:
    """The questions of a file, and how its columns were understood.

    Args:
        roles: The columns that hold a field of a question.
        attributes: The columns that are kept as they are.
        lacking: Fields of which the file says nothing.
        notes: All of this in sentences.
    """

    placed: list[Placed]
    roles: tuple[Role, ...]
    attributes: tuple[str, ...]
    lacking: tuple[str, ...]
    notes: tuple[str, ...]


def read_layout(table: Table, mapping: Mapping[str, str] = NO_MAP, *, name: str) -> Layout:
    """Return the questions of a table with columns of its own.

    Raises:
        NotARelease: no question or no answer column is recognised, or there are no rows.
        UsageError: `mapping` names a column that the file does not have.
        BadData: a column twice, too many columns, or a row without a question.
    """
    _check_columns(table, mapping, name=name)
    columns = _named(table)
    records = [_record(table.columns, columns, row, name=name) for row in table.rows]
    if not records:
        raise NotARelease(
            f"{name}: the header row of a FreshQA release was not found, and no questions are below "
            f"the columns {column_list(columns)}.",
            "Use a complete file.",
        )
    roles = recognise(columns, records, mapping)
    missing = {"question", "answer_0"} - {role.field for role in roles}
    if missing:
        what = " and no ".join(sorted({m.partition("_")[0] for m in missing}, reverse=True))
        raise NotARelease(
            f"{name}: no {what} column was recognised; it has the columns {column_list(columns)}.",
            MAP,
        )
    placed, partly = [], 0
    for row, record in zip(table.rows, records, strict=True):
        question, cut = _question(roles, record, row.number, name=name)
        check_row(row, question.fields, len(table.columns), name=name)
        placed.append(Placed(row.number, question))
        partly += cut
    used = {role.column for role in roles}
    others = tuple(column for column in columns if column not in used)
    filled = {slot for role in roles for slot in role.slots}
    lacking = tuple(column for column in FIELD_COLUMNS if column not in filled)
    notes = _notes(roles, others, lacking, placed, partly)
    return Layout(placed, roles, others, lacking, notes)


def lacking_columns(dialect: Dialect | None) -> frozenset[str]:
    """Return the columns of FreshQA that an imported file did not have and that got no default."""
    if dialect is None or not dialect.roles:
        return frozenset()
    filled = {slot for role in dialect.roles for slot in role.slots}
    return frozenset(FIELD_COLUMNS) - filled - DEFAULTS.keys() - set(ANSWER_COLUMNS)


def of_own_columns(question: Question) -> bool:
    """Return whether a question was imported from a file with columns of its own."""
    return bool(question.attributes) or not question.fields["num_hops"]


def rows_of(
    questions: Sequence[Question], columns: Sequence[str], roles: Sequence[Role]
) -> Iterator[list[Any]]:
    """Yield each question as a row of its own file.

    A value that cannot be written exactly from the fields was kept, and is written while it still
    has the meaning that the question gives it.
    """
    by_column = {role.column: role for role in roles}
    for position, question in enumerate(questions):
        extra = question.extra
        yield [_value(by_column.get(c), c, question, extra, position) for c in columns]


def _value(
    role: Role | None, column: str, question: Question, extra: Mapping[str, Any], position: int
) -> Any:
    if role is None:
        return extra.get(column)
    kept = extra.get(column)
    if kept is not None:
        said = dict.fromkeys(role.slots, "") | role.decode(kept, extra)
        if all(question.fields[slot] == text for slot, text in said.items()):
            return kept
    return role.encode(question.fields, extra, position)


def _question(
    roles: Sequence[Role], record: Mapping[str, Any], number: int, *, name: str
) -> tuple[Question, bool]:
    """Return the question of a row, and whether it has more answers than can be accepted."""
    fields = dict(DEFAULTS)
    extra = dict(record)
    cut = False
    for role in roles:
        value = extra.pop(role.column, None)
        if role.field == ROW_NUMBER:
            continue
        fields.update(dict.fromkeys(role.slots, "") | role.decode(value, record))
        if role.field in ANSWER_COLUMNS:
            cut |= len(values_of(unwrapped(value))) > len(role.slots)
        if value is not None and not restores(role, record):
            extra[role.column] = value
    text = packed(extra)
    if len(text) > MAX_RECORD:
        raise BadData(
            f"{name}: row {number} is longer than {MAX_RECORD:,} characters.", "Shorten it."
        )
    return Question(fields, attributes=text), cut


def _named(table: Table) -> list[str]:
    """Return the columns that are read: all with a name, and one without that has values."""
    return [
        column
        for index, column in enumerate(table.columns)
        if column.strip()
        or any(row.cells[index : index + 1] not in ([], [""]) for row in table.rows)
    ]


def _record(
    header: Sequence[str], columns: Sequence[str], row: Row, *, name: str
) -> dict[str, Any]:
    filled = [*row.cells, *[""] * (len(header) - len(row.cells))]
    return {
        column: _plain(value, column, row.number, name)
        for column, value in zip(header, filled, strict=False)
        if column in columns
    }


def _plain(value: Any, column: str, row: int, name: str) -> Any:
    """Return a value as a JSON type."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): _plain(inner, column, row, name) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner, column, row, name) for inner in value]
    if str(value) in ("NaT", "<NA>"):
        return None
    if callable(native := getattr(value, "tolist", None)):  # numpy
        return _plain(native(), column, row, name)
    raise BadData(
        f"{name}: row {row}, column {column}: a {type(value).__name__}, which is not kept.",
        "Remove the column.",
    )


def _check_columns(table: Table, mapping: Mapping[str, str], *, name: str) -> None:
    if len(table.columns) > MAX_COLUMNS:
        raise BadData(
            f"{name}: row {table.header} has {len(table.columns):,} columns; at most {MAX_COLUMNS} "
            "are read.",
            "Remove the columns that are not needed.",
        )
    named = _named(table)
    twice = next((column for column in named if named.count(column) > 1), None)
    if twice is not None:
        raise BadData(
            f"{name}: row {table.header}: duplicate column {twice!r}.", "Rename one of them."
        )
    absent = [column for column in mapping.values() if column not in named]
    if absent:
        raise UsageError(
            f"{name} does not have the column {absent[0]!r} of --map.",
            f"It has {', '.join(named)}.",
        )


def _notes(
    roles: Sequence[Role],
    attributes: Sequence[str],
    lacking: Sequence[str],
    placed: Sequence[Placed],
    partly: int,
) -> tuple[str, ...]:
    taken = "; ".join(
        f"{role.column} is a row number"
        if role.field == ROW_NUMBER
        else f"{role.column} is {role.describe()}"
        for role in roles
    )
    notes = [f"this file has columns of its own: {taken} (--map FIELD=COLUMN says otherwise)"]
    if attributes:
        notes.append(f"kept as attributes: {', '.join(attributes)}")
    empty = [c for c in lacking if c not in (*ANSWER_COLUMNS, *DEFAULTS, "fact_type")]
    if "fact_type" in lacking:
        notes.append(
            "fact_type is unknown: every question is checked at each refresh until it is learned"
        )
    counted = [c for c in DEFAULTS if c in lacking]
    notes += [f"{column} is missing and counts as {DEFAULTS[column]}" for column in counted]
    if empty:
        notes.append(f"fields of FreshQA that are missing stay empty: {', '.join(empty)}")
    unanswered = [entry.row for entry in placed if not entry.question.answers]
    if unanswered:
        notes.append(f"{len(unanswered)} questions have no answer (first: row {unanswered[0]})")
    if partly:
        notes.append(
            f"{partly} questions have more answers than can be accepted: the first ones count, all "
            "are kept as an attribute"
        )
    return tuple(notes)
