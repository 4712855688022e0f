"""Take a decision back until it is published; the ledger keeps both."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, func, insert, select

from freshqa.errors import Conflict, NothingToDo
from freshqa.store.database import Store
from freshqa.store.deciding import wait_for_others
from freshqa.store.ledger_schema import decision as decisions
from freshqa.store.ledger_schema import proposal, publication, run
from freshqa.store.proposal_status import OPINION, UNDO
from freshqa.store.stored_proposal import StoredProposal, read_proposal


def undo(store: Store, id: int, *, by: str, at: datetime, reason: str = "") -> StoredProposal:
    """Make a decided proposal pending again, or take one's own opinion back, if it is the newest.

    Args:
        id: Number of the proposal.
        by: Who takes the decision back.
        at: When (aware, UTC).

    Raises:
        NotFound: no such proposal.
        NothingToDo: it is not decided.
        Conflict: it has been published.
    """
    with store.write() as connection:
        wait_for_others(connection, [id])
        found = read_proposal(connection, store, id)
        if found.status == "published":
            raise Conflict(f"Proposal {id} has been published.", "Roll the version back.")
        if found.decision is None and _last_action(connection, id, by) != OPINION:
            raise NothingToDo(f"Proposal {id} is not decided.")
        last = select(func.max(decisions.c.sequence)).where(decisions.c.proposal_id == id)
        connection.execute(
            insert(decisions).values(
                proposal_id=id,
                sequence=(connection.execute(last).scalar() or 0) + 1,
                action=UNDO,
                decided_by=by,
                decided_at=at,
                reason=reason,
                edits={},
            )
        )
        return read_proposal(connection, store, id)


def _last_action(connection: Connection, id: int, by: str) -> str | None:
    """Action of the newest row about a proposal, where it is this person's."""
    query = (
        select(decisions.c.action, decisions.c.decided_by)
        .where(decisions.c.proposal_id == id)
        .order_by(decisions.c.sequence.desc())
        .limit(1)
    )
    row = connection.execute(query).first()
    return row.action if row is not None and row.decided_by == by else None


def last_decided(store: Store, by: str) -> int | None:
    """The proposal that a reviewer decided last and that is not published; None without one."""
    newest = decisions.alias("newest")
    last = (
        select(func.max(newest.c.sequence))
        .where(newest.c.proposal_id == decisions.c.proposal_id)
        .scalar_subquery()
    )
    query = (
        select(decisions.c.proposal_id)
        .join(proposal, proposal.c.id == decisions.c.proposal_id)
        .join(run, run.c.id == proposal.c.run_id)
        .outerjoin(publication, publication.c.proposal_id == proposal.c.id)
        .where(
            run.c.dataset_id == store.dataset_id,
            publication.c.proposal_id.is_(None),
            decisions.c.decided_by == by,
            decisions.c.sequence == last,
            decisions.c.action != UNDO,
        )
        .order_by(decisions.c.id.desc())
        .limit(1)
    )
    with store.read() as connection:
        return connection.execute(query).scalar_one_or_none()
