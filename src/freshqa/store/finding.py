"""Find versions: the newest, by number, by tag, by date."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import Connection, Row, Select

from freshqa.errors import NotFound, UsageError
from freshqa.store.database import Store
from freshqa.store.schema import version
from freshqa.store.version_info import VersionInfo, current_tags, select_versions, version_info


def log(store: Store) -> tuple[VersionInfo, ...]:
    """Return every version, newest first."""
    with store.read() as connection:
        tags = current_tags(connection, store.dataset_id)
        rows = connection.execute(select_versions(store.dataset_id)).all()
    return tuple(version_info(row, tags) for row in rows)


def head(store: Store) -> VersionInfo | None:
    """Return the version with the greatest number; None while there is none."""
    with store.read() as connection:
        row = head_row(connection, store.dataset_id)
        return _described(connection, store.dataset_id, row) if row is not None else None


def find(
    store: Store,
    *,
    number: int | None = None,
    tag: str | None = None,
    as_of: date | None = None,
) -> VersionInfo:
    """Return one version; the newest when nothing is given.

    Args:
        number: Its number.
        tag: A tag that points at it.
        as_of: The last version whose content describes that day or an earlier one.

    Raises:
        NotFound: no such version; the message lists what there is.
        UsageError: more than one way to name it.
    """
    if sum(given is not None for given in (number, tag, as_of)) > 1:
        raise UsageError("Version number, tag and date are mutually exclusive.", "Give only one.")
    with store.read() as connection:
        row = find_row(connection, store.dataset_id, number=number, tag=tag, as_of=as_of)
        return _described(connection, store.dataset_id, row)


def head_row(connection: Connection, dataset_id: int) -> Row[Any] | None:
    """Return the row of the newest version."""
    return connection.execute(select_versions(dataset_id).limit(1)).first()


def find_row(
    connection: Connection,
    dataset_id: int,
    *,
    number: int | None = None,
    tag: str | None = None,
    as_of: date | None = None,
) -> Row[Any]:
    """`find` inside a transaction."""
    query = select_versions(dataset_id)
    asked = "no version has been published"
    if number is not None:
        query, asked = query.where(version.c.number == number), f"no version {number}"
    elif tag is not None:
        target = current_tags(connection, dataset_id).get(tag)
        query, asked = query.where(version.c.id == target), f"no tag {tag!r}"
    elif as_of is not None:
        query = query.where(version.c.as_of <= as_of).order_by(None)
        query = query.order_by(version.c.as_of.desc(), version.c.number.desc())
        asked = f"no version as of {as_of}"
    row = connection.execute(query.limit(1)).first()
    if row is None:
        raise _not_found(connection, dataset_id, asked)
    return row


def _described(connection: Connection, dataset_id: int, row: Row[Any]) -> VersionInfo:
    return version_info(row, current_tags(connection, dataset_id))


def _not_found(connection: Connection, dataset_id: int, asked: str) -> NotFound:
    rows = connection.execute(_numbers(dataset_id)).all()
    if not rows:
        return NotFound(
            "The store has no version.", "Import a release: prefect-freshqa import FILE"
        )
    newest, oldest = rows[0], rows[-1]
    tags = current_tags(connection, dataset_id)
    there = f"versions {oldest.number} to {newest.number}"
    dates = f"{min(row.as_of for row in rows)} to {max(row.as_of for row in rows)}"
    named = f", tags {', '.join(tags)}" if tags else ""
    return NotFound(
        f"There is {asked}; the store has {there} (as of {dates}){named}.",
        "See: prefect-freshqa log",
    )


def _numbers(dataset_id: int) -> Select[Any]:
    return select_versions(dataset_id).with_only_columns(version.c.number, version.c.as_of)
