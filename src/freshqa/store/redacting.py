"""Remove text by legal request; hashes stay, so that the chain of versions still verifies."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field
from sqlalchemy import Column, Connection, LargeBinary, Row, literal, select, update

from freshqa.chunks import chunks
from freshqa.dataset.question import REVISION_COLUMNS
from freshqa.errors import NotFound, UsageError
from freshqa.json_record import JsonRecord
from freshqa.store.database import Store
from freshqa.store.ledger_schema import (
    check,
    completion,
    decision,
    judgement,
    page,
    page_text,
    proposal,
    search,
    validation,
)
from freshqa.store.schema import artifact, member, question, revision, version
from freshqa.store.snapshots import CHUNK

SHORTEST = 8
"""A shorter text ("42", "TRUE", "Paris") would be found in calls that have nothing to do with it."""
NOTHING = literal(b"", LargeBinary)


@dataclass(frozen=True)
class Redaction(JsonRecord):
    """The removed texts.

    Args:
        revision_hash: The revision, whose hash stays.
        key: Its question.
        columns: Its columns that are empty now.
        versions: Numbers of the versions that hold it; their imported files are gone too.
        ledger: Table → how many of its records were emptied.
    """

    revision_hash: Annotated[str, Field(serialization_alias="revision")]
    key: str
    columns: tuple[str, ...]
    versions: tuple[int, ...]
    ledger: dict[str, int]


def redact(
    store: Store,
    revision_hash: str,
    *,
    now: datetime,
    reason: str,
    columns: Sequence[str] = (),
) -> Redaction:
    """Empty the text of a revision, and everything the store keeps that repeats it.

    Emptied are the columns of the revision, the imported files of all versions that hold it and the
    columns kept beside their rows, the checks, proposals and edits of its question, and every
    recorded search, page, completion, validation and judgement that contains one of the removed texts
    (texts of less than eight characters are not looked for). On SQLite the old pages are zeroed; on
    PostgreSQL they go with the next `VACUUM FULL`. Backups are not touched.

    Args:
        revision_hash: Content hash of the revision, or at least its first eight characters.
        reason: Why; kept.
        columns: Columns to empty, official ones or `attributes`; all when not given.

    Raises:
        NotFound: no such revision.
        UsageError: no reason, an unknown column, or a hash that fits several revisions.
    """
    chosen = _columns(columns)
    if not reason.strip():
        raise UsageError("Missing reason for the redaction.", "Pass --reason.")
    with store.write() as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA secure_delete = ON")  # zero what is freed
        row = _find(connection, store.dataset_id, revision_hash)
        if not columns and not row.attributes:
            chosen.remove("attributes")  # nothing to report of a row that has none
        removed = list(_texts(row, chosen))
        emptied = dict.fromkeys(chosen, "")
        connection.execute(
            update(revision)
            .where(revision.c.id == row.id)
            .values(**emptied, redacted_at=now, redaction_reason=reason)
        )
        numbers = _empty_files(connection, row.id)
        ledger = {
            **_empty_question_records(connection, row.question_id),
            "searches": _empty_repeats(connection, search.c.body, removed),
            "pages": _empty_repeats(connection, page.c.body, removed)
            + _empty_repeats(connection, page_text.c.body, removed),
            "completions": _empty_repeats(connection, completion.c.body, removed),
            "validations": _empty_repeats(connection, validation.c.report, removed),
            "judgements": _empty_repeats(connection, judgement.c.body, removed),
        }
    _forget_pages(store)
    digest = row.content_hash.hex()
    return Redaction(digest, row.key, tuple(chosen), tuple(numbers), ledger)


def _columns(asked: Sequence[str]) -> list[str]:
    unknown = sorted(set(asked) - set(REVISION_COLUMNS))
    if unknown:
        raise UsageError(
            f"Unknown columns: {', '.join(unknown)}.", f"Use: {', '.join(REVISION_COLUMNS)}."
        )
    return [column for column in REVISION_COLUMNS if not asked or column in asked]


def _find(connection: Connection, dataset_id: int, prefix: str) -> Row[Any]:
    hashes = (
        select(revision.c.id, revision.c.content_hash)
        .join(question, question.c.id == revision.c.question_id)
        .where(question.c.dataset_id == dataset_id)
    )
    ids = [
        id_
        for id_, digest in connection.execute(hashes)
        if len(prefix) >= SHORTEST and digest.hex().startswith(prefix.lower())
    ]
    if not ids:
        raise NotFound(f"Revision not found: {prefix!r}.", "See: prefect-freshqa history QUESTION")
    if len(ids) > 1:
        raise UsageError(f"{len(ids)} revisions start with {prefix!r}.", "Use more characters.")
    row: Row[Any] = connection.execute(
        select(revision, question.c.key)
        .join(question, question.c.id == revision.c.question_id)
        .where(revision.c.id == ids[0])
    ).one()
    return row


def _texts(row: Row[Any], columns: Sequence[str]) -> Iterator[str]:
    """Yield the texts to look for elsewhere: each line of a cell, as JSON writes it."""
    for column in columns:
        text = getattr(row, column)
        cells = _strings(json.loads(text or "{}")) if column == "attributes" else [text]
        for line in (line.strip() for cell in cells for line in cell.split("\n")):
            if len(line) >= SHORTEST:
                yield json.dumps(line)[1:-1]


def _strings(value: Any) -> Iterator[str]:
    """Yield every text in a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)


def _empty_files(connection: Connection, revision_id: int) -> list[int]:
    holders = (
        select(version.c.id, version.c.number)
        .join(member, member.c.version_id == version.c.id)
        .where(member.c.revision_id == revision_id)
        .order_by(version.c.number)
    )
    versions = dict(connection.execute(holders).all())
    for ids in chunks(versions, CHUNK):
        connection.execute(
            update(artifact).where(artifact.c.version_id.in_(ids)).values(body=NOTHING)
        )
    return list(versions.values())


def _empty_question_records(connection: Connection, question_id: int) -> dict[str, int]:
    of_question = select(proposal.c.id).where(proposal.c.question_id == question_id)
    counts = {}
    for name, table, chosen, emptied in (
        ("checks", check, check.c.question_id == question_id, {"body": NOTHING}),
        ("proposals", proposal, proposal.c.question_id == question_id, {"body": NOTHING}),
        (
            "decisions",
            decision,
            decision.c.proposal_id.in_(of_question),
            {"edits": {}, "reason": ""},
        ),
    ):
        counts[name] = connection.execute(update(table).where(chosen).values(**emptied)).rowcount
    return counts


def _empty_repeats(connection: Connection, column: Column[Any], texts: Sequence[str]) -> int:
    """Empty a packed column where it holds one of the texts; return the number of rows."""
    if not texts:
        return 0
    table = column.table
    query = select(table.c.id, column).execution_options(yield_per=200)
    hits = [
        id_
        for id_, body in connection.execute(query)
        if body is not None and any(text in json.dumps(body) for text in texts)
    ]
    for ids in chunks(hits, CHUNK):
        empty = {column.name: NOTHING}
        connection.execute(update(table).where(table.c.id.in_(ids)).values(empty))
    return len(hits)


def _forget_pages(store: Store) -> None:
    """Fold SQLite's log, which still holds the old pages, into the file, where they are zeroed."""
    with store.read() as connection:
        if connection.dialect.name != "sqlite":
            return
        raw = connection.connection.cursor()
        raw.execute("COMMIT")  # a checkpoint needs to be outside of transactions
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        raw.execute("BEGIN")
        raw.close()
