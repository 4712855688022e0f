"""Proposals: what waits, what was decided, what was published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, and_, func, select

from freshqa.chunks import chunks
from freshqa.dataset.question import REVISION_COLUMNS
from freshqa.errors import NotFound, UsageError
from freshqa.maintaining.certify import BY_POLICY
from freshqa.maintaining.choice import Reviewable
from freshqa.maintaining.proposal import Action, Decision, Proposal
from freshqa.store.database import Store
from freshqa.store.ledger_schema import decision
from freshqa.store.ledger_schema import proposal as ledger
from freshqa.store.proposal_status import STATUSES, UNDECIDED, select_proposals
from freshqa.store.schema import question, revision
from freshqa.store.snapshots import CHUNK, read_question

LIST = "See: prefect-freshqa review list"


@dataclass(frozen=True)
class StoredProposal:
    """A proposal as the ledger has it.

    Args:
        id: Its number in the ledger.
        run: Key of the run that made it.
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
        raise NotFound(f"{what}.", LIST)
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


def decided_by_people(store: Store, *, most: int) -> tuple[tuple[Proposal, Decision], ...]:
    """Proposals that a person, and no policy, decided last, with the decision; oldest first.

    Args:
        most: Only so many, the newest.
    """
    query = (
        select_proposals(store.dataset_id)
        .where(decision.c.action.not_in(UNDECIDED), decision.c.decided_by.not_like(f"{BY_POLICY}%"))
        .order_by(None)
        .order_by(decision.c.decided_at.desc(), ledger.c.id.desc())
        .limit(most)
    )
    with store.read() as connection:
        found = [stored_proposal(row) for row in connection.execute(query) if row.body is not None]
    return tuple((one.proposal, one.decision) for one in reversed(found) if one.decision)


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


def reviewable(store: Store, ids: Sequence[int]) -> list[Reviewable]:
    """Return the proposals with these numbers, each with the row that it is about.

    Raises:
        NotFound: the proposal does not exist or was redacted.
    """
    query = select_proposals(store.dataset_id).order_by(None)
    rows = (
        select(ledger.c.id, question.c.key, *(revision.c[column] for column in REVISION_COLUMNS))
        .join(question, question.c.id == ledger.c.question_id)
        .join(
            revision,
            and_(
                revision.c.question_id == ledger.c.question_id,
                revision.c.content_hash == ledger.c.base_revision,
            ),
        )
    )
    found: dict[int, Reviewable] = {}
    with store.read() as connection:
        for page in chunks(list(dict.fromkeys(ids)), CHUNK):
            wanted = ledger.c.id.in_(page)
            based_on = {
                id: read_question(row) for id, *row in connection.execute(rows.where(wanted))
            }
            for row in connection.execute(query.where(wanted)):
                if row.body is not None and row.id in based_on:
                    stored = stored_proposal(row)
                    found[row.id] = Reviewable(row.id, stored.proposal, based_on[row.id])
    missing = [id for id in ids if id not in found]
    if missing:
        raise NotFound(f"Proposal {missing[0]} not found, or it was redacted.", LIST)
    return [found[id] for id in dict.fromkeys(ids)]
