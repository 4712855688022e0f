"""The rows of a version: which revisions it holds, written and read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from sqlalchemy import Connection, Row, Select, insert, select

from freshqa.chunks import chunks
from freshqa.dataset.question import FIELD_COLUMNS, REVISION_COLUMNS, Question
from freshqa.store.database import Store
from freshqa.store.schema import artifact, member, question, revision
from freshqa.store.versions import find_row

CHUNK = 500  # bound variables of one query: SQLite allows 32,766, old builds 999


def add_members(
    connection: Connection,
    dataset_id: int,
    version_id: int,
    parent: Row[Any] | None,
    questions: Sequence[Question],
    digests: Sequence[str],
) -> None:
    """Insert the questions and revisions that are new, then the members, a chunk at a time.

    Args:
        digests: The revision hash of each question.
    """
    for placed in chunks(zip(count(), questions, digests), CHUNK):
        _add_chunk(connection, dataset_id, version_id, parent, placed)


def _add_chunk(
    connection: Connection,
    dataset_id: int,
    version_id: int,
    parent: Row[Any] | None,
    placed: Sequence[tuple[int, Question, str]],
) -> None:
    """Insert questions, each with its position and revision hash.

    Most rows are those of the parent, so its members are read first.
    """
    questions = [row for _, row, _ in placed]
    keys = [row.key for row in questions]
    known = {}
    if parent is not None:
        known = _parent_revisions(connection, dataset_id, parent.id, keys)
    question_ids = {key: question_id for key, (question_id, _, _) in known.items()}
    _complete_questions(connection, dataset_id, questions, question_ids)
    revision_ids = {
        question_id: (digest, revision_id) for question_id, digest, revision_id in known.values()
    }
    rows = []
    missing = []
    for position, row, revision_hash in placed:
        question_id, digest = question_ids[row.key], bytes.fromhex(revision_hash)
        held = revision_ids.get(question_id)
        member_row = {
            "version_id": version_id,
            "question_id": question_id,
            "revision_id": held[1] if held is not None and held[0] == digest else None,
            "position": position,
        }
        rows.append(member_row)
        if member_row["revision_id"] is None:
            missing.append((member_row, digest, row))
    if missing:
        _complete_revisions(connection, missing)
    connection.execute(insert(member), rows)


def _parent_revisions(
    connection: Connection, dataset_id: int, version_id: int, keys: Sequence[str]
) -> dict[str, tuple[int, bytes, int]]:
    query = (
        select(question.c.key, question.c.id, revision.c.content_hash, revision.c.id)
        .select_from(member)
        .join(revision, revision.c.id == member.c.revision_id)
        .join(question, question.c.id == member.c.question_id)
        .where(
            member.c.version_id == version_id,
            question.c.dataset_id == dataset_id,
            question.c.key.in_(keys),
        )
    )
    return {key: (id_, digest, rev) for key, id_, digest, rev in connection.execute(query)}


def _complete_questions(
    connection: Connection, dataset_id: int, questions: Sequence[Question], ids: dict[str, int]
) -> None:
    """Look up the ids of keys that the parent does not hold; insert those never seen."""
    for inserting in (True, False):
        missing = [row.key for row in questions if row.key not in ids]
        if not missing:
            return
        query = select(question.c.key, question.c.id).where(
            question.c.dataset_id == dataset_id, question.c.key.in_(missing)
        )
        ids.update(connection.execute(query).all())
        unseen = [{"dataset_id": dataset_id, "key": key} for key in missing if key not in ids]
        if not unseen or not inserting:
            return
        connection.execute(insert(question), unseen)


def _complete_revisions(
    connection: Connection, missing: list[tuple[dict[str, Any], bytes, Question]]
) -> None:
    """Fill in `revision_id` of each member row, inserting the revisions never seen."""
    ids = _revision_ids(connection, missing)
    plain = not any(question.attributes for _, _, question in missing)  # the default serves

    def texts(question: Question) -> Mapping[str, str]:
        return question.fields if plain else question.texts

    unseen = [
        {"question_id": row["question_id"], "content_hash": digest, **texts(question)}
        for row, digest, question in missing
        if (row["question_id"], digest) not in ids
    ]
    if unseen:
        # many rows without RETURNING, then one lookup: 3 to 9 times faster than RETURNING
        connection.execute(insert(revision), unseen)
        ids = _revision_ids(connection, missing)
    for row, digest, _ in missing:
        row["revision_id"] = ids[row["question_id"], digest]


def _revision_ids(
    connection: Connection, missing: list[tuple[dict[str, Any], bytes, Question]]
) -> dict[tuple[int, bytes], int]:
    ids: dict[tuple[int, bytes], int] = {}
    query = select(revision.c.question_id, revision.c.content_hash, revision.c.id).where(
        revision.c.question_id.in_([row["question_id"] for row, _, _ in missing])
    )
    for question_id, digest, id_ in connection.execute(query):
        ids[question_id, digest] = id_
    return ids


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
        version = find_row(connection, store.dataset_id, number=number)
        return tuple(questions_of(connection, select_rows(version.id)))


def questions_of(connection: Connection, query: Select[Any]) -> Iterator[Question]:
    """Yield the questions that a query like `select_rows` finds, one after the other."""
    for row in connection.execution_options(yield_per=CHUNK).execute(query):
        yield read_question(row)


def read_question(row: Sequence[str]) -> Question:
    """Return the question of a row with its key and `REVISION_COLUMNS`."""
    key, *fields, attributes = row
    return Question(dict(zip(FIELD_COLUMNS, fields, strict=True)), key, attributes)


def select_rows(version_id: int) -> Select[Any]:
    """Key, official fields and attributes of each row of a version, in its order."""
    return _ROWS.where(member.c.version_id == version_id).order_by(member.c.position)


def add_artifact(connection: Connection, version_id: int, kind: str, body: bytes) -> None:
    """Keep bytes with a version."""
    connection.execute(
        insert(artifact).values(
            version_id=version_id,
            kind=kind,
            sha256=hashlib.sha256(body).hexdigest(),
            size=len(body),
            body=body,
        )
    )


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
