"""The status of proposals, computed and never stored, and the queue of those that wait."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    ScalarSelect,
    Select,
    String,
    and_,
    case,
    cast,
    exists,
    func,
    literal,
    or_,
    select,
)

from freshqa.maintaining.proposal import Outcome
from freshqa.store.database import Store
from freshqa.store.ledger_schema import decision, proposal, publication
from freshqa.store.ledger_schema import run as runs
from freshqa.store.schema import member, question, revision, version

_MARK = select(
    select(func.count()).where(revision.c.redacted_at.is_not(None)).scalar_subquery(),
    *(
        select(func.count()).select_from(table).scalar_subquery()
        for table in (proposal, decision, publication, version)
    ),
)

UNDO = "undo"
"""Action of a ledger row that takes the decision before it back."""
OPINION = "opinion"
"""Action of a ledger row that waits for another opinion and decides nothing."""
UNDECIDED = (UNDO, OPINION)
STATUSES = (
    *("pending", "accepted", "edited", "rejected", "kept", "superseded", "outdated", "published"),
)


def select_proposals(
    dataset_id: int,
    *,
    status: str | None = None,
    run: str | None = None,
    key: str | None = None,
    id: int | None = None,
) -> Select[Any]:
    """Proposals with their decision and status, highest risk first.

    Args:
        status: Only those of this status.
        run: Only those of the run with this key.
        key: Only those for the question with this key.
    """
    query = _described(dataset_id)
    if run is not None:
        query = query.where(runs.c.key == run)
    if key is not None:
        query = query.where(question.c.key == key)
    if id is not None:
        query = query.where(proposal.c.id == id)
    if status is not None:
        query = query.where(_status(dataset_id) == status)
    return query.order_by(proposal.c.risk.desc(), proposal.c.id)


@lru_cache(maxsize=16)  # a statement never changes, and to build it takes as long as to run it
def _described(dataset_id: int) -> Select[Any]:
    return (
        select(
            proposal.c.id,
            proposal.c.created_at,
            proposal.c.body,
            runs.c.key.label("run"),
            runs.c.as_of,
            decision.c.action,
            decision.c.decided_by,
            decision.c.decided_at,
            decision.c.reason,
            decision.c.edits,
            _status(dataset_id).label("status"),
        )
        .select_from(proposal)
        .join(runs, runs.c.id == proposal.c.run_id)
        .join(question, question.c.id == proposal.c.question_id)
        .outerjoin(
            decision,
            and_(
                decision.c.proposal_id == proposal.c.id,
                decision.c.sequence == newest_decision(proposal.c.id),
            ),
        )
        .outerjoin(publication, publication.c.proposal_id == proposal.c.id)
        .where(runs.c.dataset_id == dataset_id)
    )


def newest_decision(proposal_id: ColumnElement[int]) -> ScalarSelect[int]:
    """Return the sequence of the last row about a proposal: a later row replaces a decision."""
    later = decision.alias("later")
    query = select(func.max(later.c.sequence)).where(later.c.proposal_id == proposal_id)
    return query.scalar_subquery()


def newest_decisions(dataset_id: int, *columns: ColumnElement[Any]) -> Select[Any]:
    """Select columns of the last row about each proposal of a dataset."""
    return (
        select(*columns)
        .select_from(decision)
        .join(proposal, proposal.c.id == decision.c.proposal_id)
        .join(runs, runs.c.id == proposal.c.run_id)
        .where(
            runs.c.dataset_id == dataset_id,
            decision.c.sequence == newest_decision(decision.c.proposal_id),
        )
    )


@lru_cache(maxsize=16)
def _status(dataset_id: int) -> ColumnElement[str]:
    newer = proposal.alias("newer")
    superseded = exists().where(
        newer.c.question_id == proposal.c.question_id,
        newer.c.id > proposal.c.id,
        # a reader's report never replaces a proposal of a run or another report
        newer.c.outcome != Outcome.reported.value,
        proposal.c.outcome != Outcome.reported.value,
    )
    newest = (
        select(func.max(version.c.number))
        .where(version.c.dataset_id == dataset_id)
        .scalar_subquery()
    )
    current = (
        exists()
        .where(member.c.version_id == version.c.id, member.c.question_id == proposal.c.question_id)
        .where(version.c.dataset_id == dataset_id, version.c.number == newest)
        .where(revision.c.id == member.c.revision_id)
        .where(revision.c.content_hash == proposal.c.base_revision)
    )
    kept = and_(decision.c.action == "keep", cast(decision.c.edits, String) == "{}")
    accepted = decision.c.action.in_(["accept", "edit", "keep"])
    undecided = or_(decision.c.action.is_(None), decision.c.action.in_(UNDECIDED))
    return case(
        (publication.c.proposal_id.is_not(None), literal("published")),
        (decision.c.action == "reject", literal("rejected")),
        (kept, literal("kept")),
        (and_(undecided, superseded), literal("superseded")),
        (and_(or_(accepted, undecided), ~current), literal("outdated")),
        (decision.c.action.in_(["accept", "keep"]), literal("accepted")),
        (decision.c.action == "edit", literal("edited")),
        else_=literal("pending"),
    )


@dataclass(frozen=True)
class OpenProposal:
    """A pending proposal by its number.

    Args:
        id: Its number in the ledger.
        risk: Probability that the stored answer is no longer right.
    """

    id: int
    run: str
    risk: float


def open_proposals(store: Store) -> tuple[OpenProposal, ...]:
    """Return every pending proposal, highest risk first."""
    query = select_proposals(store.dataset_id, status="pending").with_only_columns(
        proposal.c.id, runs.c.key, proposal.c.risk
    )
    with store.read() as connection:
        return tuple(OpenProposal(*row) for row in connection.execute(query))


class LedgerMark(NamedTuple):
    """How many records there are of what the queue depends on; the tables only grow.

    Counts, not the newest ids: PostgreSQL may commit a smaller id after a larger one.
    """

    redacted: int
    proposals: int
    decisions: int
    publications: int
    versions: int


def ledger_mark(store: Store) -> LedgerMark:
    """Return counts of which one differs as soon as the queue may have changed."""
    with store.read() as connection:
        return LedgerMark(*connection.execute(_MARK).one())


def decided_since(store: Store, since: datetime) -> Counter[str]:
    """Reviewer → number of proposals whose newest decision is theirs and was made since then."""
    query = (
        newest_decisions(store.dataset_id, decision.c.decided_by, func.count())
        .where(decision.c.decided_at >= since, decision.c.action.not_in(UNDECIDED))
        .group_by(decision.c.decided_by)
    )
    with store.read() as connection:
        return Counter({by: count for by, count in connection.execute(query)})


def last_decided(store: Store, by: str) -> int | None:
    """Return the proposal that a reviewer decided last and that is not published; None without one."""
    query = (
        newest_decisions(store.dataset_id, decision.c.proposal_id)
        .outerjoin(publication, publication.c.proposal_id == proposal.c.id)
        .where(
            publication.c.proposal_id.is_(None),
            decision.c.decided_by == by,
            decision.c.action != UNDO,
        )
        .order_by(decision.c.id.desc())
        .limit(1)
    )
    with store.read() as connection:
        return connection.execute(query).scalar_one_or_none()


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
