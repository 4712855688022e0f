"""Versions without their rows: the newest, by number, by date, by tag; and the tags themselves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any

from pydantic import Field
from sqlalchemy import Connection, Row, Select, func, insert, select
from sqlalchemy.exc import IntegrityError

from freshqa.dataset.dialect import Dialect
from freshqa.errors import Conflict, NotFound, UsageError
from freshqa.json_record import JsonRecord, Moment
from freshqa.store.database import Store
from freshqa.store.schema import tag as tags
from freshqa.store.schema import version

_PARENT = version.alias("parent")
_VERSIONS = select(version, _PARENT.c.number.label("parent_number")).outerjoin(
    _PARENT, _PARENT.c.id == version.c.parent_id
)
_SAME_NAME = "number as_of published_at kind message run content_hash chain_hash".split()
"""Columns named as the attributes of a `VersionInfo`."""
RESERVED = ("latest", "head", "newest")
"""Words for the newest version, which is computed and never tagged."""


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
        select(tags.c.name, func.max(tags.c.move).label("move"))
        .where(tags.c.dataset_id == dataset_id)
        .group_by(tags.c.name)
        .subquery()
    )
    query = (
        select(tags.c.name, tags.c.version_id)
        .join(last, (last.c.name == tags.c.name) & (last.c.move == tags.c.move))
        .where(tags.c.dataset_id == dataset_id)
        .order_by(tags.c.name)
    )
    return dict(connection.execute(query).all())


def version_info(row: Row[Any], tagged: dict[str, int]) -> VersionInfo:
    """Return the record of a row of `select_versions`."""
    return VersionInfo(
        **{name: getattr(row, name) for name in _SAME_NAME},
        parent=row.parent_number,
        rows=row.row_count,
        tags=tuple(name for name, version_id in tagged.items() if version_id == row.id),
        dialect=Dialect.from_json(row.dialect) if row.dialect else None,
    )


def log(store: Store) -> tuple[VersionInfo, ...]:
    """Return every version, newest first."""
    with store.read() as connection:
        tagged = current_tags(connection, store.dataset_id)
        rows = connection.execute(select_versions(store.dataset_id)).all()
    return tuple(version_info(row, tagged) for row in rows)


def head(store: Store) -> VersionInfo | None:
    """Return the version with the greatest number; None while there is none."""
    with store.read() as connection:
        row = head_row(connection, store.dataset_id)
        return version_info(row, current_tags(connection, store.dataset_id)) if row else None


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
        return version_info(row, current_tags(connection, store.dataset_id))


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
    asked = ""
    if number is not None:
        query, asked = query.where(version.c.number == number), f"Version {number} not found"
    elif tag is not None:
        target = current_tags(connection, dataset_id).get(tag)
        query, asked = query.where(version.c.id == target), f"Tag {tag!r} not found"
    elif as_of is not None:
        query = query.where(version.c.as_of <= as_of).order_by(None)
        query = query.order_by(version.c.as_of.desc(), version.c.number.desc())
        asked = f"Version as of {as_of} not found"
    row = connection.execute(query.limit(1)).first()
    if row is None:
        raise _not_found(connection, dataset_id, asked)
    return row


def _not_found(connection: Connection, dataset_id: int, asked: str) -> NotFound:
    columns = (version.c.number, version.c.as_of)
    rows = connection.execute(select_versions(dataset_id).with_only_columns(*columns)).all()
    if not rows:
        remedy = "Import a release: prefect-freshqa import FILE"
        return NotFound("The store has no version.", remedy)
    named = ", ".join(current_tags(connection, dataset_id))
    days = [row.as_of for row in rows]
    return NotFound(
        f"{asked}; the store has versions {rows[-1].number} to {rows[0].number} "
        f"(as of {min(days)} to {max(days)}){f', tags {named}' if named else ''}.",
        "See: prefect-freshqa log",
    )


def reference(name: str | int | date | None) -> dict[str, Any]:
    """Return the arguments of `find` for a number (`7`), a date (`2024-03-11`), a tag or nothing.

    A tag is neither a number nor a date, so that a name never means two things.
    """
    if name is None or name == "latest":
        return {}
    if isinstance(name, int):
        return {"number": name}
    if isinstance(name, date):
        return {"as_of": name}
    if name.isdecimal():
        return {"number": int(name)}
    try:
        return {"as_of": date.fromisoformat(name)}
    except ValueError:
        return {"tag": name}


def named_version(store: Store, name: str | int | date | None) -> VersionInfo:
    """Return the version that a name refers to; raises `NotFound`."""
    return find(store, **reference(name))


def tag(store: Store, name: str, number: int, *, now: datetime, move: bool = False) -> VersionInfo:
    """Give a version a name.

    Args:
        name: Letters, digits, `.`, `_`, `-`, `/`; neither a number nor a date.
        now: When (aware); every move is kept.
        move: Let an existing tag point at another version.

    Raises:
        Conflict: the tag points at another version and `move` is not given.
        NotFound: no such version.
        UsageError: not a valid name.
    """
    _refuse_bad_name(name)
    try:
        with store.write() as connection:
            target = find_row(connection, store.dataset_id, number=number)
            held = current_tags(connection, store.dataset_id).get(name)
            if held is not None and held != target.id and not move:
                raise Conflict(
                    f"The tag {name!r} already points to another version.", "Move it with --move."
                )
            if held != target.id:
                named = (tags.c.dataset_id == store.dataset_id, tags.c.name == name)
                moves = connection.execute(select(func.max(tags.c.move)).where(*named)).scalar()
                values = {"dataset_id": store.dataset_id, "name": name, "move": (moves or 0) + 1}
                values |= {"version_id": target.id, "tagged_at": now}
                connection.execute(insert(tags).values(values))
    except IntegrityError:
        raise Conflict(f"Another process set the tag {name!r} at the same time.") from None
    return find(store, number=number)


def _refuse_bad_name(name: str) -> None:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,99}", name) or name in RESERVED:
        raise UsageError(
            f"{name!r} cannot be a tag.",
            f"Use letters, digits, . _ - and /; the words {', '.join(RESERVED)} are reserved.",
        )
    if "tag" not in reference(name):
        raise UsageError(
            f"{name!r} cannot be a tag: numbers and dates already identify versions.",
            f"Add a prefix: release-{name}",
        )
