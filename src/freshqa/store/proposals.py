"""Proposals: what waits, what was decided, what was published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from sqlalchemy import func, select

from freshqa.chunks import chunks
from freshqa.errors import UsageError
from freshqa.store.database import Store
from freshqa.store.deciding import decide, decide_all
from freshqa.store.ledger_schema import proposal as ledger
from freshqa.store.members import CHUNK
from freshqa.store.proposal_status import STATUSES, select_proposals
from freshqa.store.reviewing import review, reviewable
from freshqa.store.stored_proposal import StoredProposal, read_proposal, stored_proposal

__all__ = [
    "StoredProposal",
    "count_proposals",
    "decide",
    "decide_all",
    "each_proposal",
    "proposal",
    "proposals",
    "review",
    "reviewable",
    "waiting_since",
]


def proposals(
    store: Store,
    *,
    status: str | None = "pending",
    run: str | None = None,
    limit: int | None = None,
) -> tuple[StoredProposal, ...]:
    """Proposals, highest risk first.

    Args:
        status: Only those of this status; None for all.
        run: Only those of the run with this key.
        limit: Only so many, those of the highest risk.

    Raises:
        UsageError: no such status.
    """
    if status is not None and status not in STATUSES:
        raise UsageError(
            f"Unknown proposal status {status!r}.", f"Use one of: {', '.join(STATUSES)}."
        )
    query = select_proposals(store.dataset_id, status=status, run=run).limit(limit)
    with store.read() as connection:
        return tuple(
            stored_proposal(row) for row in connection.execute(query) if row.body is not None
        )


def each_proposal(
    store: Store, *, status: str | None = "pending", run: str | None = None
) -> Iterator[StoredProposal]:
    """`proposals`, a page at a time: their evidence need not fit into memory together.

    A proposal whose status changes before its page is read is left out.
    """
    query = select_proposals(store.dataset_id, status=status, run=run)
    with store.read() as connection:
        ids = connection.execute(query.with_only_columns(ledger.c.id)).scalars().all()
    for page in chunks(ids, CHUNK):
        with store.read() as connection:
            found = [
                stored_proposal(row)
                for row in connection.execute(query.where(ledger.c.id.in_(page)))
                if row.body is not None
            ]
        yield from found


def count_proposals(store: Store, *, run: str) -> Counter[str]:
    """Status → number of proposals of a run."""
    query = select_proposals(store.dataset_id, run=run).order_by(None).subquery()
    with store.read() as connection:
        counted = select(query.c.status, func.count()).group_by(query.c.status)
        return Counter({status: number for status, number in connection.execute(counted)})


def waiting_since(store: Store, until: datetime) -> tuple[int, datetime | None]:
    """How many proposals that were made by `until` are pending, and when the first was made."""
    query = select_proposals(store.dataset_id, status="pending").order_by(None).subquery()
    old = select(func.count(), func.min(query.c.created_at)).where(query.c.created_at <= until)
    with store.read() as connection:
        number, first = connection.execute(old).one()
        return number, first


def proposal(store: Store, id: int) -> StoredProposal:
    """Return one proposal by its number.

    Raises:
        NotFound: no such proposal.
    """
    with store.read() as connection:
        return read_proposal(connection, store, id)
