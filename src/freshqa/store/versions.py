"""Versions without their rows: the newest, by number, by tag, by date."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from pydantic import Field
from sqlalchemy import Connection, Row, Select, func, select

from freshqa.dataset.dialect import Dialect
from freshqa.errors import NotFound, UsageError
from freshqa.json_record import JsonRecord, Moment
from freshqa.store.database import Store
from freshqa.store.schema import dataset, tag, version

_PARENT = version.alias("parent")
_VERSIONS = select(version, _PARENT.c.number.label("parent_number")).outerjoin(
    _PARENT, _PARENT.c.id == version.c.parent_id
)


@dataclass(frozen=True)
class VersionInfo(JsonRecord):
    """One immutable version.

    Args:
        number: From 1, in order of publication.
        parent: Number of the version it was made from; None for the first.
        as_of: The day that its content describes.
        published_at: When it was written (UTC).
        kind: `publish`, `import` or `rollback`.
        run: Key of the run it came from, or "".
        content_hash: Same for the same rows in the same order, anywhere.
        chain_hash: Same only for the same history.
        rows: How many questions it holds.
        tags: Names that point at it now.
        dialect: How the imported file was written; None when there was none.
    """

    number: Annotated[int, Field(serialization_alias="version")]
    parent: int | None
    as_of: date
    published_at: Moment
    kind: str
    message: str
    run: str
    content_hash: str
    chain_hash: str
    rows: Annotated[int, Field(serialization_alias="questions")]
    tags: tuple[str, ...] = ()
    dialect: Annotated[Dialect | None, Field(exclude=True)] = None


def select_versions(dataset_id: int) -> Select[Any]:
    """Return every version of a dataset with its parent's number, newest first."""
    query = _VERSIONS.where(version.c.dataset_id == dataset_id)
    return query.order_by(version.c.number.desc())


def current_tags(connection: Connection, dataset_id: int) -> dict[str, int]:
    """Tag → id of the version it points at: the last move counts."""
    last = (
        select(tag.c.name, func.max(tag.c.move).label("move"))
        .where(tag.c.dataset_id == dataset_id)
        .group_by(tag.c.name)
        .subquery()
    )
    query = (
        select(tag.c.name, tag.c.version_id)
        .join(last, (last.c.name == tag.c.name) & (last.c.move == tag.c.move))
        .where(tag.c.dataset_id == dataset_id)
        .order_by(tag.c.name)
    )
    return dict(connection.execute(query).all())


def version_info(row: Row[Any], tags: dict[str, int]) -> VersionInfo:
    """Return the record of a row of `select_versions`."""
    return VersionInfo(
        number=row.number,
        parent=row.parent_number,
        as_of=row.as_of,
        published_at=row.published_at,
        kind=row.kind,
        message=row.message,
        run=row.run,
        content_hash=row.content_hash,
        chain_hash=row.chain_hash,
        rows=row.row_count,
        tags=tuple(name for name, version_id in tags.items() if version_id == row.id),
        dialect=Dialect.from_json(row.dialect) if row.dialect else None,
    )


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


@dataclass(frozen=True)
class DatasetInfo(JsonRecord):
    """One dataset.

    Args:
        name: As `--dataset` takes it.
        versions: How many versions it has; the newest has this number.
        as_of: The day that the newest version describes; None without a version.
        questions: In the newest version.
    """

    name: str
    versions: int
    as_of: date | None
    questions: int


def datasets(store: Store) -> tuple[DatasetInfo, ...]:
    """Return every dataset in the database of a store, by name."""
    found = []
    with store.read() as connection:
        for id_, name in connection.execute(select(dataset.c.id, dataset.c.slug)).all():
            newest = head_row(connection, id_)
            if newest is None:
                found.append(DatasetInfo(name, 0, None, 0))
            else:
                found.append(DatasetInfo(name, newest.number, newest.as_of, newest.row_count))
    return tuple(sorted(found, key=lambda one: one.name))


def chain_hashes(store: Store) -> dict[str, tuple[str, int]]:
    """Chain hash → dataset and number, of every version in the database of a store."""
    query = select(version.c.chain_hash, dataset.c.slug, version.c.number).join(
        dataset, dataset.c.id == version.c.dataset_id
    )
    with store.read() as connection:
        return {row.chain_hash: (row.slug, row.number) for row in connection.execute(query)}
