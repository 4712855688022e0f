"""A proposal as the ledger has it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from freshqa.errors import NotFound
from freshqa.maintaining.proposal import Action, Decision, Proposal
from freshqa.store.database import Store
from freshqa.store.proposal_status import UNDECIDED, select_proposals


@dataclass(frozen=True)
class StoredProposal:
    """A proposal as the ledger has it.

    Args:
        id: Its number in the ledger.
        run: Key of the run that made it.
        created_at: When.
        status: `pending`; `accepted` or `edited` (decided, and waiting to be published; also the
            review date that moves on where the stored answer was kept); `rejected`; `kept` (the
            stored answer was confirmed and nothing of the row moves on); `superseded` (a newer one
            for the same question came before a decision); `outdated` (the row it is based on has
            changed since); `published`.
        decision: Who decided what; None while pending.
    """

    id: int
    run: str
    proposal: Proposal
    created_at: datetime
    status: str
    decision: Decision | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the shape printed by `review show`."""
        made = self.decision
        return {
            "id": self.id,
            "run": self.run,
            "status": self.status,
            "created_at": self.created_at.isoformat(),
            **self.proposal.to_json(),
            "decision": None
            if made is None
            else {
                "action": made.action.value,
                "by": made.by,
                "at": made.at.isoformat(),
                "reason": made.reason,
                "edits": dict(made.edits),
            },
        }


def read_proposal(connection: Connection, store: Store, id: int) -> StoredProposal:
    """`proposal` inside a transaction."""
    row = connection.execute(select_proposals(store.dataset_id, id=id)).first()
    if row is None or row.body is None:
        what = f"Proposal {id} not found" if row is None else f"Proposal {id} was redacted"
        raise NotFound(f"{what}.", "See: prefect-freshqa review list")
    return stored_proposal(row)


def stored_proposal(row: Row[Any]) -> StoredProposal:
    """Return the record of a row of `select_proposals`."""
    made = None
    if row.action not in (None, *UNDECIDED):
        made = Decision(
            proposal=row.id,
            action=Action(row.action),
            by=row.decided_by,
            at=row.decided_at,
            reason=row.reason,
            edits=row.edits,
        )
    return StoredProposal(
        id=row.id,
        run=row.run,
        proposal=Proposal.from_json({**row.body, "as_of": row.as_of.isoformat()}),
        created_at=row.created_at,
        status=row.status,
        decision=made,
    )
