"""Hashes of versions, and whether stored rows match them: ok, redacted or corrupt."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import Annotated, Any, NamedTuple

from pydantic import Field
from sqlalchemy import Connection, LargeBinary, Row, select, type_coerce

from freshqa.dataset.question import REVISION_COLUMNS, Question, hash_cells
from freshqa.json_record import JsonRecord
from freshqa.store.columns import KINDS, column_problems
from freshqa.store.database import Store
from freshqa.store.schema import artifact, dataset, member, question, revision, version
from freshqa.store.versions import find_row, select_versions

NO_PARENT = ""
OK, REDACTED, CORRUPT = "ok", "redacted", "corrupt"


def content_hash(questions: Sequence[Question]) -> str:
    """Hash of rows in their order, in hex: equal for any file or database that holds them.

    Covers position and the official fields; not our keys, and not the sheet's `id`, which is only
    a row number.
    """
    return root_hash(question.revision_hash for question in questions)


def root_hash(revision_hashes: Iterable[str]) -> str:
    """`content_hash` from the revision hashes alone, in order of position."""
    whole = hashlib.sha256(b"fq1-root\0")
    for position, digest in enumerate(revision_hashes):
        whole.update(f"{position}\t{digest}\n".encode("ascii"))
    return whole.hexdigest()


def chain_hash(parent: str, root: str, as_of: date, keys: Iterable[str]) -> str:
    """Hash of a version and everything before it, in hex: equal only for the same history.

    Args:
        parent: Chain hash of the parent, or `NO_PARENT`.
        root: Content hash of this version.
        as_of: The day that the content describes.
        keys: Our keys, in order of position.
    """
    whole = hashlib.sha256(b"fq1-chain\0")
    for line in chain((parent, root, as_of.isoformat()), keys):
        whole.update(f"{line}\n".encode())
    return whole.hexdigest()


@dataclass(frozen=True)
class Verification(JsonRecord):
    """The result of recomputing a version's hashes.

    Args:
        status: `ok`; `redacted` when text was removed by request and all else fits; `corrupt`.
        problems: What does not fit, one sentence each.
        redacted: What was removed: keys of questions, and `original` for the imported file.
    """

    number: Annotated[int, Field(serialization_alias="version")]
    status: str
    problems: tuple[str, ...] = ()
    redacted: tuple[str, ...] = ()


class _Text(NamedTuple):
    digest: str
    state: str
    current: str  # the hash of the text as it is now: another one after a redaction


_MISSING = _Text("", CORRUPT, "")


def verify(store: Store, number: int | None = None) -> tuple[Verification, ...]:
    """Check one version, or all of them in order.

    Checked are the text of each revision against its hash, the rows of each version against its
    content hash and count, its place in the chain of versions, the imported file, and the columns
    kept beside the rows of a large version. The message and the time of publication are not part of
    any hash.

    Raises:
        NotFound: no such version.
    """
    with store.read() as connection:
        if number is not None:
            find_row(connection, store.dataset_id, number=number)
        query = select_versions(store.dataset_id).order_by(None).order_by(version.c.number)
        versions = {row.id: row for row in connection.execute(query)}
        asked = [row for row in versions.values() if number is None or row.number == number]
        only = None if number is None else asked[0].id
        texts = dict(_texts(connection, store.dataset_id, only))
        return tuple(
            _verify_one(connection, row, versions.get(row.parent_id), texts) for row in asked
        )


def _verify_one(
    connection: Connection, row: Row[Any], parent: Row[Any] | None, texts: dict[int, _Text]
) -> Verification:
    query = (
        select(member.c.position, member.c.revision_id, question.c.key)
        .join(question, question.c.id == member.c.question_id)
        .where(member.c.version_id == row.id)
        .order_by(member.c.position)
    )
    members = connection.execute(query).all()
    rows = [(place, key, texts.get(id_, _MISSING)) for place, id_, key in members]
    files = _check_files(connection, row.id)
    problems = list(_check_place(row, parent, rows))
    held = [(id_, key, texts.get(id_, _MISSING).current) for _, id_, key in members]
    for kind in (kind for kind in KINDS if files.get(kind) == OK):
        body = select(artifact.c.body).where(artifact.c.version_id == row.id)
        body = body.where(artifact.c.kind == kind)
        problems += column_problems(connection.execute(body).scalar_one(), held)
    problems += [
        f"Row {place} ({key}): the text does not fit its hash."
        for place, key, text in rows
        if text.state == CORRUPT
    ]
    problems += [
        f"The {kind} file does not fit its hash."
        for kind, state in files.items()
        if state == CORRUPT
    ]
    removed = [key for _, key, text in rows if text.state == REDACTED]
    removed += [kind for kind, state in files.items() if state == REDACTED and kind not in KINDS]
    status = CORRUPT if problems else REDACTED if removed else OK
    return Verification(row.number, status, tuple(problems), tuple(removed))


def _check_place(
    row: Row[Any], parent: Row[Any] | None, rows: Sequence[tuple[int, str, _Text]]
) -> Iterator[str]:
    """Yield what is wrong with the rows as a whole and with the version's place in the chain."""
    if len(rows) != row.row_count:
        yield f"It has {len(rows)} rows and was published with {row.row_count}."
    if [place for place, _, _ in rows] != list(range(len(rows))):
        yield "The positions of its rows have gaps."
    if root_hash(text.digest for _, _, text in rows) != row.content_hash:
        yield "Its rows, or their order, are not those it was published with."
    if row.parent_id is not None and parent is None:
        yield "The version it was made from is missing."
    elif parent is not None and parent.number != row.number - 1:
        yield f"It was made from version {parent.number}, not from the one before it."
    before = parent.chain_hash if parent is not None else NO_PARENT
    if chain_hash(before, row.content_hash, row.as_of, [r[1] for r in rows]) != row.chain_hash:
        yield "Its date, keys or history are not those it was published with."


def _texts(
    connection: Connection, dataset_id: int, version_id: int | None
) -> Iterator[tuple[int, _Text]]:
    """Revision id → its hash, and whether its text still fits it."""
    cells = [revision.c[column] for column in REVISION_COLUMNS]
    query = (
        select(revision.c.id, revision.c.content_hash, revision.c.redacted_at, *cells)
        .join(question, question.c.id == revision.c.question_id)
        .where(question.c.dataset_id == dataset_id)
        .execution_options(yield_per=2000)
    )
    if version_id is not None:
        query = query.join(member, member.c.revision_id == revision.c.id)
        query = query.where(member.c.version_id == version_id)
    for id_, digest, redacted_at, *row in connection.execute(query):
        held, current = digest.hex(), hash_cells(row)
        whole = OK if current == held else CORRUPT
        yield id_, _Text(held, whole if redacted_at is None else REDACTED, current)


def _check_files(connection: Connection, version_id: int) -> dict[str, str]:
    """Kind → state of each file kept with a version."""
    packed = type_coerce(artifact.c.body, LargeBinary).label("packed")
    query = select(artifact.c.kind, artifact.c.sha256, packed).where(
        artifact.c.version_id == version_id
    )
    return {kind: _state(body, sha256) for kind, sha256, body in connection.execute(query)}


def _state(packed: bytes, sha256: str) -> str:
    if not packed:
        return REDACTED
    try:
        body = zlib.decompress(packed)
    except zlib.error:
        return CORRUPT
    return OK if hashlib.sha256(body).hexdigest() == sha256 else CORRUPT


def chain_hashes(store: Store) -> dict[str, tuple[str, int]]:
    """Chain hash → dataset and number, of every version in the database of a store."""
    query = select(version.c.chain_hash, dataset.c.slug, version.c.number).join(
        dataset, dataset.c.id == version.c.dataset_id
    )
    with store.read() as connection:
        return {row.chain_hash: (row.slug, row.number) for row in connection.execute(query)}
