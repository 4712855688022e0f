"""New versions from a release, and from the rows of an earlier version."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import insert, literal, select

from freshqa.dataset.importing import Import, prepare_import
from freshqa.dataset.release import Release
from freshqa.errors import NothingToDo
from freshqa.store.database import Store
from freshqa.store.history import aliases
from freshqa.store.publishing import content_hash, insert_version, publish
from freshqa.store.schema import member, question
from freshqa.store.snapshots import snapshot
from freshqa.store.versions import VersionInfo, find_row, head, version_info


def prepare(
    store: Store,
    release: Release,
    *,
    confirm: Sequence[str] = (),
    repair: str = "certain",
    allow_every_time: bool = False,
) -> tuple[Import, VersionInfo | None]:
    """Return the release matched with the newest version.

    A confirmation that comes after the import was published is made against the version before it.

    Returns:
        The import, and its parent version.

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
    prepared = prepare_import(
        release,
        base,
        aliases=known,
        confirm=confirm,
        repair=repair,
        allow_every_time=allow_every_time,
    )
    return prepared, newest


def publish_import(
    store: Store,
    prepared: Import,
    newest: VersionInfo | None,
    *,
    as_of: date,
    message: str,
    now: datetime,
) -> VersionInfo:
    """Return the version that holds the import.

    Args:
        newest: The parent version.

    Raises:
        NothingToDo: The newest version holds the same rows under the same keys.
        Conflict: another process published in the meantime.
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
        now: When it is published.
        message: Why; "Roll back to version N" when not given.

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
        values: dict[str, Any] = {
            "as_of": as_of,
            "published_at": now,
            "kind": "rollback",
            "run": "",
            "message": message or f"Roll back to version {to}",
            "dialect": target.dialect,
        }
        version_id = insert_version(
            connection,
            store,
            newest,
            root=target.content_hash,
            keys=list(connection.execute(keys).scalars()),
            values=values,
        )
        columns = ("version_id", "question_id", "revision_id", "position")
        rows = select(literal(version_id), *(member.c[name] for name in columns[1:]))
        rows = rows.where(member.c.version_id == target.id)
        connection.execute(insert(member).from_select(columns, rows))
        number = newest.number + 1
        return version_info(find_row(connection, store.dataset_id, number=number), {})
