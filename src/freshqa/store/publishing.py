"""New versions: from a draft, a release or an earlier version.

Each is one transaction, optimistic on the version that it was made from.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, literal, select
from sqlalchemy.exc import IntegrityError

from freshqa.dataset.dialect import Dialect
from freshqa.dataset.importing import Import, prepare_import
from freshqa.dataset.question import Question
from freshqa.dataset.release import Release
from freshqa.dataset.validation import require_storable
from freshqa.errors import Conflict, NothingToDo
from freshqa.store.columns import keep_columns
from freshqa.store.database import Store
from freshqa.store.history import aliases
from freshqa.store.ledger_schema import publication
from freshqa.store.proposal_decisions import wait_for_others
from freshqa.store.proposals import StoredProposal, read_proposal
from freshqa.store.schema import HASH_ALGORITHM, member, question, version
from freshqa.store.snapshots import add_artifact, add_members, snapshot
from freshqa.store.verifying import NO_PARENT, chain_hash, content_hash, root_hash
from freshqa.store.versions import VersionInfo, find_row, head, head_row, version_info


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
        dialect, original: How the imported file was written, and its bytes.
        proposals: The accepted proposals that it contains, as they were read.

    Raises:
        Conflict: another process published after `parent` was read, or revised a decision.
        NothingToDo: the newest version holds the same rows (only for kind `publish`).
        BadData: a row without a key, a key twice, or text that a database cannot hold.
    """
    require_storable(questions)
    digests = [question.revision_hash for question in questions]
    root = root_hash(digests)
    with store.write() as connection:
        newest = head_row(connection, store.dataset_id)
        _refuse_stale_parent(newest, parent)
        if kind == "publish" and newest is not None and newest.content_hash == root:
            raise NothingToDo(f"Version {newest.number} already contains exactly these rows.")
        if proposals:
            _refuse_decided_anew(connection, store, proposals)
        values: dict[str, Any] = {"as_of": as_of, "published_at": now, "kind": kind, "run": run}
        values |= {"message": message, "dialect": dialect.to_json() if dialect else None}
        keys = [question.key for question in questions]
        version_id = _insert_version(connection, store, newest, root=root, keys=keys, values=values)
        add_members(connection, store.dataset_id, version_id, newest, questions, digests)
        keep_columns(connection, store.dataset_id, version_id, len(keys), questions)
        if original is not None:
            add_artifact(connection, version_id, "original", original)
        if proposals:
            links = [{"proposal_id": stored.id, "version_id": version_id} for stored in proposals]
            connection.execute(insert(publication), links)
        return version_info(find_row(connection, store.dataset_id), {})


def prepare(
    store: Store,
    release: Release,
    *,
    confirm: Sequence[str] = (),
    repair: str = "certain",
    allow_every_time: bool = False,
) -> tuple[Import, VersionInfo | None]:
    """Return the release matched with the newest version, and that version.

    A confirmation given after the import was published applies to the version before it.

    Raises:
        UsageError, Refused: As `prepare_import`.
    """
    newest = head(store)
    base = snapshot(store, newest.number) if newest else ()
    known = dict(aliases(store))
    if newest and confirm and content_hash(release.questions) == newest.content_hash:
        before = snapshot(store, newest.parent) if newest.parent else ()
        made_by_newest = {q.key for q in base} - {q.key for q in before}
        known = {text: key for text, key in known.items() if key not in made_by_newest}
        base = before
    options: dict[str, Any] = {"repair": repair, "allow_every_time": allow_every_time}
    return prepare_import(release, base, aliases=known, confirm=confirm, **options), newest


def publish_import(
    store: Store,
    prepared: Import,
    newest: VersionInfo | None,
    *,
    as_of: date,
    message: str,
    now: datetime,
) -> VersionInfo:
    """Publish an import.

    Raises:
        NothingToDo: The newest version holds the same rows under the same keys.
        Conflict: another process published at the same time.
    """
    release = prepared.release
    if newest and content_hash(prepared.questions) == newest.content_hash:
        stored = [question.key for question in snapshot(store, newest.number)]
        if stored == [question.key for question in prepared.questions]:
            raise NothingToDo(f"Version {newest.number} already contains exactly these rows.")
    return publish(
        store,
        prepared.questions,
        as_of=as_of,
        now=now,
        parent=newest.number if newest else None,
        message=message or f"import {release.name}",
        kind="import",
        dialect=release.dialect,
        original=release.original,
    )


def rollback(
    store: Store, to: int, *, as_of: date, now: datetime, message: str = ""
) -> VersionInfo:
    """Publish the rows of an earlier version as the newest one; nothing is moved or deleted.

    Args:
        to: Number of the version whose rows to take.
        as_of: The day that the new version describes.

    Raises:
        NothingToDo: the newest version holds the same rows.
        Conflict: another process published at the same time.
        NotFound: no such version.
    """
    with store.write() as connection:
        newest = find_row(connection, store.dataset_id)
        target = find_row(connection, store.dataset_id, number=to)
        if newest.content_hash == target.content_hash:
            raise NothingToDo(f"Version {newest.number} already holds the rows of version {to}.")
        keys = (
            select(question.c.key)
            .join(member, member.c.question_id == question.c.id)
            .where(member.c.version_id == target.id)
            .order_by(member.c.position)
        )
        values: dict[str, Any] = {"as_of": as_of, "published_at": now, "kind": "rollback"}
        values |= {"run": "", "message": message or f"Roll back to version {to}"}
        values["dialect"] = target.dialect
        root, held = target.content_hash, list(connection.execute(keys).scalars())
        version_id = _insert_version(connection, store, newest, root=root, keys=held, values=values)
        columns = ("version_id", "question_id", "revision_id", "position")
        rows = select(literal(version_id), *(member.c[name] for name in columns[1:]))
        rows = rows.where(member.c.version_id == target.id)
        connection.execute(insert(member).from_select(columns, rows))
        keep_columns(connection, store.dataset_id, version_id, target.row_count)
        return version_info(find_row(connection, store.dataset_id), {})


def _insert_version(
    connection: Connection,
    store: Store,
    newest: Row[Any] | None,
    *,
    root: str,
    keys: Sequence[str],
    values: dict[str, Any],
) -> int:
    """Insert the version's row and return its id; raises `Conflict`.

    It comes first: the loser of a race waits here and fails before it writes any other row.
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


def _refuse_stale_parent(newest: Row[Any] | None, parent: int | None) -> None:
    number = newest.number if newest is not None else None
    if number != parent:
        there = "the store is empty" if number is None else f"version {number} is the newest"
        raise _conflict(parent, there)


def _conflict(parent: int | None, why: str) -> Conflict:
    base = "on an empty store" if parent is None else f"on version {parent}"
    return Conflict(
        f"The new version is based {base}, but {why}; nothing was written.",
        "Run the command again; it uses the latest version.",
    )


def _refuse_decided_anew(
    connection: Connection, store: Store, proposals: Sequence[StoredProposal]
) -> None:
    """A decision that was replaced while the draft was validated must not be published."""
    wait_for_others(connection, [proposal.id for proposal in proposals])
    for proposal in proposals:
        current = read_proposal(connection, store, proposal.id)
        if current.status not in ("accepted", "edited") or current.decision != proposal.decision:
            then = f"was {proposal.status} when the draft was made; nothing was written."
            remedy = "Run the command again to use the current decisions."
            raise Conflict(f"Proposal {proposal.id} is {current.status} now and {then}", remedy)
