"""Proposals and the decisions on them: one each, and nobody overwrites anybody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select
from sqlalchemy.exc import IntegrityError

from freshqa.dataset.question import FIELD_COLUMNS
from freshqa.errors import Conflict, NotFound, UsageError
from freshqa.maintaining.proposal import Action, Decision, Proposal
from freshqa.store.database import Store
from freshqa.store.ledger_schema import decision as decisions
from freshqa.store.ledger_schema import proposal as proposal_table
from freshqa.store.proposal_status import STATUSES, select_proposals
from freshqa.store.schema import question


@dataclass(frozen=True)
class StoredProposal:
    """A proposal as the ledger has it.

    Args:
        id: Its number in the ledger.
        run: Key of the run that made it.
        created_at: When.
        status: `pending`; `accepted`, `edited` or `rejected` (decided); `superseded` (a newer one
            for the same question came before a decision); `outdated` (the row it is based on has
            changed since); `published`.
        decision: Who decided what; None while nobody has.
    """

    id: int
    run: str
    proposal: Proposal
    created_at: datetime
    status: str
    decision: Decision | None = None

    def to_json(self) -> dict[str, Any]:
        """The shape printed by `review show`."""
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
        return tuple(_stored(row) for row in connection.execute(query) if row.body is not None)


def proposal(store: Store, id: int) -> StoredProposal:
    """One proposal by its number.

    Raises:
        NotFound: no such proposal.
    """
    with store.read() as connection:
        return read_proposal(connection, store, id)


def decide(store: Store, decision: Decision) -> StoredProposal:
    """Record a decision on a pending proposal.

    Raises:
        Conflict: it has been decided (the message says by whom), a newer one took its place, or the
            row it is based on has changed.
        NotFound: no such proposal.
        UsageError: edits of something that is no official column.
    """
    return decide_all(store, [decision])[0]


def decide_all(store: Store, made: Sequence[Decision]) -> tuple[StoredProposal, ...]:
    """Record several decisions: all of them, or none.

    Raises:
        Conflict, NotFound, UsageError: as for `decide`, of the first decision that cannot stand.
    """
    for one in made:
        unknown = sorted(set(one.edits) - set(FIELD_COLUMNS))
        if unknown:
            raise UsageError(
                f"Not columns of a question: {', '.join(unknown)}.", "See: review show."
            )
    try:
        with store.write() as connection:
            _wait_for_others(connection, [one.proposal for one in made])
            return tuple(_decide(connection, store, one) for one in made)
    except IntegrityError:  # two reviewers at the same moment: the other one committed first
        for one in made:
            _refuse_decided(proposal(store, one.proposal))
        raise


def _decide(connection: Connection, store: Store, made: Decision) -> StoredProposal:
    found = read_proposal(connection, store, made.proposal)
    _refuse_decided(found)
    _refuse_two_accepted(connection, store, found, made.action)
    connection.execute(insert(decisions).values(_values(made)))
    return read_proposal(connection, store, made.proposal)


def _wait_for_others(connection: Connection, ids: Sequence[int]) -> None:
    """Let decisions on one question come one after the other, so that each sees the ones before."""
    connection.execute(
        select(question.c.id)
        .join(proposal_table, proposal_table.c.question_id == question.c.id)
        .where(proposal_table.c.id.in_(ids))
        .order_by(question.c.id)  # the same order for everybody: no deadlock
        .with_for_update(of=question, key_share=True)
    )


def _values(made: Decision) -> dict[str, Any]:
    return {
        "proposal_id": made.proposal,
        "action": made.action.value,
        "decided_by": made.by,
        "decided_at": made.at,
        "reason": made.reason,
        "edits": dict(made.edits),
    }


def _refuse_decided(found: StoredProposal) -> None:
    if found.status == "pending":
        return
    if found.decision is not None:
        made = found.decision
        why = f"{made.by} has decided it: {made.action.value}, {made.at:%Y-%m-%d %H:%M} UTC"
        why += " (published)" if found.status == "published" else ""
    elif found.status == "superseded":
        why = "a newer proposal for the same question took its place"
    else:
        why = "the row it is based on has changed since"
    raise Conflict(f"Proposal {found.id} is not open: {why}.", "See: prefect-freshqa review list")


def _refuse_two_accepted(
    connection: Connection, store: Store, found: StoredProposal, action: Action
) -> None:
    """Two accepted changes of one row could not both be published."""
    if action is Action.reject:
        return
    for status in ("accepted", "edited"):
        query = select_proposals(store.dataset_id, status=status, key=found.proposal.key)
        other = connection.execute(query).first()
        if other is not None:
            raise Conflict(
                f"Proposal {other.id} for the same question was {status} by {other.decided_by} "
                "and waits for publication.",
                "Publish it first, or reject this one.",
            )


def read_proposal(connection: Connection, store: Store, id: int) -> StoredProposal:
    """`proposal` inside a transaction."""
    row = connection.execute(select_proposals(store.dataset_id, id=id)).first()
    if row is None or row.body is None:
        what = f"There is no proposal {id}" if row is None else f"Proposal {id} was redacted"
        raise NotFound(f"{what}.", "See: prefect-freshqa review list")
    return _stored(row)


def _stored(row: Row[Any]) -> StoredProposal:
    made = None
    if row.action is not None:
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
        proposal=Proposal.from_json(row.body),
        created_at=row.created_at,
        status=row.status,
        decision=made,
    )
