"""Proposals: what waits, what was decided, what was published."""

from __future__ import annotations

from freshqa.errors import UsageError
from freshqa.store.database import Store
from freshqa.store.deciding import decide, decide_all
from freshqa.store.proposal_status import STATUSES, select_proposals
from freshqa.store.stored_proposal import StoredProposal, read_proposal, stored_proposal

__all__ = ["StoredProposal", "decide", "decide_all", "proposal", "proposals"]


def proposals(
    store: Store, *, status: str | None = "pending", run: str | None = None
) -> tuple[StoredProposal, ...]:
    """Proposals, highest risk first.

    Args:
        status: Only those of this status; None for all.
        run: Only those of the run with this key.

    Raises:
        UsageError: no such status.
    """
    if status is not None and status not in STATUSES:
        raise UsageError(f"No proposal is ever {status!r}.", f"Give one of: {', '.join(STATUSES)}.")
    query = select_proposals(store.dataset_id, status=status, run=run)
    with store.read() as connection:
        return tuple(
            stored_proposal(row) for row in connection.execute(query) if row.body is not None
        )


def proposal(store: Store, id: int) -> StoredProposal:
    """One proposal by its number.

    Raises:
        NotFound: no such proposal.
    """
    with store.read() as connection:
        return read_proposal(connection, store, id)
