"""Go back to earlier rows by going forward: a new version that holds them."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import insert, literal, select

from freshqa.errors import NothingToDo
from freshqa.store.database import Store
from freshqa.store.finding import find_row
from freshqa.store.publishing import insert_version
from freshqa.store.schema import member, question
from freshqa.store.version_info import VersionInfo, version_info


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
