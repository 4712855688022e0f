"""Publish a version: one transaction, optimistic on its parent, with the hashes of its data."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import Connection, Row, insert
from sqlalchemy.exc import IntegrityError

from freshqa.dataset.dialect import Dialect
from freshqa.dataset.question import Question
from freshqa.errors import BadData, Conflict, NothingToDo
from freshqa.store.database import Store
from freshqa.store.ledger_schema import publication
from freshqa.store.proposal_decisions import wait_for_others
from freshqa.store.proposals import StoredProposal, read_proposal
from freshqa.store.schema import HASH_ALGORITHM, artifact, version
from freshqa.store.snapshots import add_members
from freshqa.store.verifying import NO_PARENT, chain_hash, root_hash
from freshqa.store.versions import VersionInfo, find_row, head_row, version_info


def publish(  # long: what a version records beside its rows, each by name
    store: Store,
    questions: Sequence[Question],
    *,
    as_of: date,
    now: datetime,
    parent: int | None,
    message: str = "",
    kind: str = "publish",
    run: str = "",
    dialect: Dialect | None = None,
    original: bytes | None = None,
    proposals: Sequence[StoredProposal] = (),
) -> VersionInfo:
    """Write a new version: all of it, or nothing.

    Args:
        questions: Every row of the version in its order, each with a key.
        as_of: The day that the content describes.
        now: When it is published (aware).
        parent: Number of the version that this one was made from; None for the first.
        kind: `publish`, or `import` for a release from outside.
        run: Key of the run that it comes from.
        dialect: How the imported file was written.
        original: The bytes of the imported file.
        proposals: The accepted proposals that the version contains, as they were read; with it
            they become published.

    Raises:
        Conflict: another process published after `parent` was read, or revised a decision;
            nothing was written.
        NothingToDo: the newest version holds the same rows (only for kind `publish`).
        BadData: a row without a key, a key twice, or text that a database cannot hold.
    """
    _refuse_bad_rows(questions)
    digests = [question.revision_hash for question in questions]
    root = root_hash(digests)
    with store.write() as connection:
        newest = head_row(connection, store.dataset_id)
        _refuse_stale_parent(newest, parent)
        if kind == "publish" and newest is not None and newest.content_hash == root:
            raise NothingToDo(f"Version {newest.number} already contains exactly these rows.")
        if proposals:
            _refuse_decided_anew(connection, store, proposals)
        values = {
            "as_of": as_of,
            "published_at": now,
            "kind": kind,
            "message": message,
            "run": run,
            "dialect": dialect.to_json() if dialect else None,
        }
        keys = [question.key for question in questions]
        version_id = insert_version(connection, store, newest, root=root, keys=keys, values=values)
        add_members(connection, store.dataset_id, version_id, newest, questions, digests)
        if original is not None:
            add_artifact(connection, version_id, "original", original)
        if proposals:
            links = [{"proposal_id": one.id, "version_id": version_id} for one in proposals]
            connection.execute(insert(publication), links)
        number = newest.number + 1 if newest is not None else 1
        return version_info(find_row(connection, store.dataset_id, number=number), {})


def insert_version(
    connection: Connection,
    store: Store,
    newest: Row[Any] | None,
    *,
    root: str,
    keys: Sequence[str],
    values: dict[str, Any],
) -> int:
    """Insert the version's row and return its id.

    It comes first: whoever loses a race waits here and fails before writing any other row.

    Raises:
        Conflict: another version has the same parent.
    """
    chain = chain_hash(newest.chain_hash if newest else NO_PARENT, root, values["as_of"], keys)
    try:
        result = connection.execute(
            insert(version).values(
                dataset_id=store.dataset_id,
                number=newest.number + 1 if newest else 1,
                parent_id=newest.id if newest else None,
                row_count=len(keys),
                hash_algorithm=HASH_ALGORITHM,
                content_hash=root,
                chain_hash=chain,
                **values,
            )
        )
    except IntegrityError:
        number = newest.number if newest else None
        raise _conflict(number, "another process published at the same time") from None
    assert result.inserted_primary_key is not None
    return int(result.inserted_primary_key[0])


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


def _refuse_stale_parent(newest: Row[Any] | None, parent: int | None) -> None:
    found = newest.number if newest is not None else None
    if found != parent:
        there = "the store is empty" if found is None else f"version {found} is the newest"
        raise _conflict(parent, there)


def _conflict(parent: int | None, why: str) -> Conflict:
    base = "for an empty store" if parent is None else f"on version {parent}"
    return Conflict(
        f"The version was made {base}, but {why}; nothing was written.",
        "Run the command again: it starts from the newest version.",
    )


def _refuse_decided_anew(
    connection: Connection, store: Store, proposals: Sequence[StoredProposal]
) -> None:
    """A decision that was replaced while the draft was validated must not be published."""
    wait_for_others(connection, [one.id for one in proposals])
    for one in proposals:
        current = read_proposal(connection, store, one.id)
        if current.status not in ("accepted", "edited") or current.decision != one.decision:
            raise Conflict(
                f"Proposal {one.id} is {current.status} now and was {one.status} when the version "
                "was made; nothing was written.",
                "Run the command again to use the current decisions.",
            )


def _refuse_bad_rows(questions: Sequence[Question]) -> None:
    seen: dict[str, int] = {}
    for position, question in enumerate(questions):
        where = f"Row {position} ({question.text[:60]!r})"
        if not question.key:
            raise BadData(f"{where} has no key.", "Match it with the newest version first.")
        if question.key in seen:
            raise BadData(
                f"{where} has the key {question.key!r} of row {seen[question.key]}.",
                "A version holds each question once. Remove one of the two rows.",
            )
        seen[question.key] = position
        for column, text in question.fields.items():
            if "\0" in text:
                raise BadData(f"{where}, column {column}: a NUL character.", "Remove it.")
            if not text.isascii() and not _is_encodable(text):
                raise BadData(
                    f"{where}, column {column}: an unpaired surrogate character.", "Remove it."
                )


def _is_encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
