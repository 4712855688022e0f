"""Proposals: pending and decided ones, and the draft of the accepted ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from sqlalchemy import Connection, Row, and_, select

from freshqa.chunks import chunks
from freshqa.dataset.question import REVISION_COLUMNS, Question
from freshqa.dataset.validation import Reason
from freshqa.errors import NotFound, NothingToDo, UsageError
from freshqa.json_record import FLAT, JsonRecord, Moment
from freshqa.maintaining.choice import Reviewable
from freshqa.maintaining.draft import build_draft
from freshqa.maintaining.proposal import Action, Decision, Proposal
from freshqa.store.database import Store
from freshqa.store.ledger_schema import proposal as ledger
from freshqa.store.proposal_status import STATUSES, UNDECIDED, select_proposals
from freshqa.store.runs import get_run
from freshqa.store.schema import question, revision
from freshqa.store.snapshots import CHUNK, read_question, snapshot
from freshqa.store.versions import VersionInfo, head

LIST = "See: prefect-freshqa review list"


@dataclass(frozen=True)
class StoredProposal(JsonRecord):
    """A proposal as the ledger has it, and as `review show` prints it.

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
    status: str
    created_at: Moment
    proposal: Annotated[Proposal, FLAT]
    decision: Decision | None = None


def read_proposal(connection: Connection, store: Store, id: int) -> StoredProposal:
    """`proposal` inside a transaction."""
    row = connection.execute(select_proposals(store.dataset_id, id=id)).first()
    if row is None or row.body is None:
        what = f"Proposal {id} not found" if row is None else f"Proposal {id} was redacted"
        raise NotFound(f"{what}.", LIST)
    return stored_proposal(row)


def stored_proposal(row: Row[Any]) -> StoredProposal:
    """Return the record of a row of `select_proposals`."""
    decision = None
    if row.action not in (None, *UNDECIDED):
        decision = Decision(
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
        decision=decision,
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
        limit: Maximum number, highest risk first.

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
            stored = [
                stored_proposal(row)
                for row in connection.execute(query.where(ledger.c.id.in_(page)))
                if row.body is not None
            ]
        yield from stored


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
    by_id: dict[int, Reviewable] = {}
    with store.read() as connection:
        for page in chunks(list(dict.fromkeys(ids)), CHUNK):
            wanted = ledger.c.id.in_(page)
            based_on = {
                id: read_question(row) for id, *row in connection.execute(rows.where(wanted))
            }
            for row in connection.execute(query.where(wanted)):
                if row.body is not None and row.id in based_on:
                    stored = stored_proposal(row)
                    by_id[row.id] = Reviewable(row.id, stored.proposal, based_on[row.id])
    missing = [id for id in ids if id not in by_id]
    if missing:
        raise NotFound(f"Proposal {missing[0]} not found, or it was redacted.", LIST)
    return [by_id[id] for id in dict.fromkeys(ids)]


@dataclass(frozen=True)
class Draft:
    """The content of the next version.

    Args:
        after: The same rows with every accepted proposal applied, in official order.
        proposals: Those proposals, as they were decided.
        reasons: Key of each changed question → why, and the evidence it was taken from.
        checked_on: The day that the newest of the proposals was checked for; the base's own day
            where there is none.
    """

    base: VersionInfo
    before: tuple[Question, ...]
    after: tuple[Question, ...]
    proposals: tuple[StoredProposal, ...]
    reasons: Mapping[str, Reason]
    checked_on: date

    def require_proposals(self) -> None:
        """Raise `NothingToDo` if no proposal is accepted and unpublished."""
        if not self.proposals:
            raise NothingToDo(
                "There are no accepted proposals to publish.",
                "Accept some first: prefect-freshqa review list.",
            )


def read_draft(store: Store) -> Draft:
    """Return the newest version with every accepted proposal applied.

    Raises:
        NotFound: the store holds no version.
        Conflict: a proposal's base row has moved since it was checked.
    """
    base = head(store)
    if base is None:
        raise NotFound(
            "The store has no version.", "Import a release: prefect-freshqa import FILE."
        )
    accepted = (
        *proposals(store, status="accepted"),
        *proposals(store, status="edited"),
    )
    before = snapshot(store, base.number)
    after = build_draft(
        before,
        [(stored.proposal, stored.decision) for stored in accepted if stored.decision is not None],
    )
    reasons = {stored.proposal.key: _reason(stored) for stored in accepted}
    days = [get_run(store, name).as_of for name in {stored.run for stored in accepted}]
    return Draft(base, before, after, accepted, reasons, max([base.as_of, *days]))


def _reason(stored: StoredProposal) -> Reason:
    """What was given for an accepted change: the decision's words, else the proposal's own."""
    said = stored.decision.reason if stored.decision else ""
    evidence = tuple(finding.text for finding in stored.proposal.evidence)
    return Reason(said or " ".join(stored.proposal.reasons), evidence)
