"""Read the rows of a version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from sqlalchemy import Connection, Select, select

from freshqa.dataset.question import FIELD_COLUMNS, REVISION_COLUMNS, Question
from freshqa.store.database import Store
from freshqa.store.finding import find_row
from freshqa.store.schema import artifact, member, question, revision
from freshqa.store.version_info import VersionInfo, version_info

CHUNK = 500
"""Rows that are fetched from the database at once."""
_ROWS = (
    select(question.c.key, *(revision.c[column] for column in REVISION_COLUMNS))
    .select_from(member)
    .join(revision, revision.c.id == member.c.revision_id)
    .join(question, question.c.id == member.c.question_id)
)


def snapshot(store: Store, number: int) -> tuple[Question, ...]:
    """Return the questions of a version, in its order, with their keys.

    Raises:
        NotFound: no such version.
    """
    with store.read() as connection:
        found = find_row(connection, store.dataset_id, number=number)
        return tuple(questions_of(connection, select_rows(found.id)))


def questions_of(connection: Connection, query: Select[Any]) -> Iterator[Question]:
    """Yield the questions that a query like `select_rows` finds, one after the other."""
    for row in connection.execution_options(yield_per=CHUNK).execute(query):
        yield read_question(row)


def read_question(row: Sequence[str]) -> Question:
    """Return the question of a row with its key and `REVISION_COLUMNS`."""
    key, *fields, attributes = row
    return Question(dict(zip(FIELD_COLUMNS, fields, strict=True)), key, attributes)


def read_version(
    store: Store,
    *,
    number: int | None = None,
    tag: str | None = None,
    as_of: date | None = None,
) -> tuple[VersionInfo, Sequence[Sequence[str]]]:
    """A version without its tags, and the key, official fields and attributes of its rows, in one
    reading.

    Args: as for `freshqa.store.finding.find`.

    Raises:
        NotFound: no such version.
    """
    with store.read() as connection:
        found = find_row(connection, store.dataset_id, number=number, tag=tag, as_of=as_of)
        return version_info(found, {}), connection.execute(select_rows(found.id)).all()


def select_rows(version_id: int) -> Select[Any]:
    """Key, official fields and attributes of each row of a version, in its order."""
    return _ROWS.where(member.c.version_id == version_id).order_by(member.c.position)


def original(store: Store, number: int) -> bytes | None:
    """Return the bytes of the file that a version was imported from.

    Returns:
        None when it was not imported from a file, or when the file was redacted.

    Raises:
        NotFound: no such version.
    """
    return read_artifact(store, number, "original")


def read_artifact(store: Store, number: int, kind: str) -> bytes | None:
    """Bytes kept with a version under a kind; None when there are none or they were redacted.

    Raises:
        NotFound: no such version.
    """
    with store.read() as connection:
        version_id = find_row(connection, store.dataset_id, number=number).id
        query = select(artifact.c.body).where(
            artifact.c.version_id == version_id, artifact.c.kind == kind
        )
        return connection.execute(query).scalar_one_or_none()
