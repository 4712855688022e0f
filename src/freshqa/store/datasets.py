"""The datasets of a store: each has its own questions, versions, tags and runs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import select

from freshqa.store.database import Store
from freshqa.store.schema import dataset, version
from freshqa.store.versions import head_row


@dataclass(frozen=True)
class DatasetInfo:
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

    def to_json(self) -> dict[str, Any]:
        """Return the shape printed by `datasets`."""
        return {**vars(self), "as_of": self.as_of.isoformat() if self.as_of else None}


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
