"""Read the rows of a version."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, select

from freshqa.dataset.question import FIELD_COLUMNS, Question
from freshqa.store.database import Store
from freshqa.store.finding import find_row
from freshqa.store.schema import artifact, member, question, revision

FIELDS = tuple(revision.c[column] for column in FIELD_COLUMNS)


def snapshot(store: Store, number: int) -> tuple[Question, ...]:
    """The questions of a version, in its order, with their keys.

    Raises:
        NotFound: no such version.
    """
    with store.read() as connection:
        version_id = find_row(connection, store.dataset_id, number=number).id
        rows = connection.execute(select_rows(version_id)).all()
    return tuple(Question(dict(zip(FIELD_COLUMNS, row[1:], strict=True)), row[0]) for row in rows)


def select_rows(version_id: int) -> Select[Any]:
    """Key and the official fields of each row of a version, in its order."""
    return (
        select(question.c.key, *FIELDS)
        .select_from(member)
        .join(revision, revision.c.id == member.c.revision_id)
        .join(question, question.c.id == member.c.question_id)
        .where(member.c.version_id == version_id)
        .order_by(member.c.position)
    )


def original(store: Store, number: int) -> bytes | None:
    """The bytes of the file that a version was imported from.

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
