"""Compare two versions; only rows that differ are read."""

from __future__ import annotations

from sqlalchemy import Connection, exists, select

from freshqa.dataset.diff import DatasetDiff, diff_snapshots
from freshqa.dataset.question import Question
from freshqa.store.database import Store
from freshqa.store.finding import find_row
from freshqa.store.schema import member
from freshqa.store.snapshots import questions_of, select_rows


def diff(store: Store, old: int, new: int) -> DatasetDiff:
    """Return what was added, removed and changed, field by field, from one version to another.

    Args:
        old: Number of the version to start from.
        new: Number of the version to compare with it; it may be the older one.

    Raises:
        NotFound: no such version.
    """
    with store.read() as connection:
        before = find_row(connection, store.dataset_id, number=old).id
        after = find_row(connection, store.dataset_id, number=new).id
        gone = _only_in(connection, before, after)
        come = _only_in(connection, after, before)
    return diff_snapshots(gone, come)


def _only_in(connection: Connection, version_id: int, other_id: int) -> list[Question]:
    """Rows of a version that the other one does not hold in this revision, in their order."""
    other = member.alias("other")
    same = exists(
        select(other.c.question_id).where(
            other.c.version_id == other_id,
            other.c.question_id == member.c.question_id,
            other.c.revision_id == member.c.revision_id,
        )
    )
    return list(questions_of(connection, select_rows(version_id).where(~same)))
