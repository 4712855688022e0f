"""What a queue of proposals needs, without reading the evidence of each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from freshqa.store.database import Store
from freshqa.store.ledger_schema import decision as decisions
from freshqa.store.ledger_schema import proposal, run
from freshqa.store.proposal_status import UNDECIDED, select_proposals


@dataclass(frozen=True)
class OpenProposal:
    """A pending proposal by its number.

    Args:
        id: Its number in the ledger.
        run: Key of its run.
        risk: Probability that the stored answer is no longer right.
    """

    id: int
    run: str
    risk: float


def open_proposals(store: Store) -> tuple[OpenProposal, ...]:
    """Return every pending proposal, highest risk first."""
    query = select_proposals(store.dataset_id, status="pending").with_only_columns(
        proposal.c.id, run.c.key, proposal.c.risk
    )
    with store.read() as connection:
        return tuple(OpenProposal(*row) for row in connection.execute(query))


def decided_since(store: Store, since: datetime) -> Counter[str]:
    """Reviewer → number of proposals whose newest decision is theirs and was made since then."""
    newest = decisions.alias("newest")
    last = (
        select(func.max(newest.c.sequence))
        .where(newest.c.proposal_id == decisions.c.proposal_id)
        .scalar_subquery()
    )
    query = (
        select(decisions.c.decided_by, func.count())
        .join(proposal, proposal.c.id == decisions.c.proposal_id)
        .join(run, run.c.id == proposal.c.run_id)
        .where(
            run.c.dataset_id == store.dataset_id,
            decisions.c.decided_at >= since,
            decisions.c.sequence == last,
            decisions.c.action.not_in(UNDECIDED),
        )
        .group_by(decisions.c.decided_by)
    )
    with store.read() as connection:
        return Counter({by: count for by, count in connection.execute(query)})
