"""What is known of a version without its rows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select

from freshqa.dataset.dialect import Dialect
from freshqa.store.schema import tag, version

_PARENT = version.alias("parent")
_VERSIONS = select(version, _PARENT.c.number.label("parent_number")).outerjoin(
    _PARENT, _PARENT.c.id == version.c.parent_id
)


@dataclass(frozen=True)
class VersionInfo:
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

    number: int
    parent: int | None
    as_of: date
    published_at: datetime
    kind: str
    message: str
    run: str
    content_hash: str
    chain_hash: str
    rows: int
    tags: tuple[str, ...] = ()
    dialect: Dialect | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the shape printed by `log` and `show`."""
        return {
            "version": self.number,
            "parent": self.parent,
            "as_of": self.as_of.isoformat(),
            "published_at": self.published_at.isoformat(),
            "kind": self.kind,
            "message": self.message,
            "run": self.run,
            "content_hash": self.content_hash,
            "chain_hash": self.chain_hash,
            "questions": self.rows,
            "tags": list(self.tags),
        }


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
