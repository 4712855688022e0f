"""Decisions on proposals: append-only, and never overwritten by accident."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import IntegrityError

from freshqa.dataset.question import FIELD_COLUMNS
from freshqa.errors import Conflict, FreshQAError, NothingToDo, Refused, UsageError
from freshqa.maintaining.certify import BY_POLICY
from freshqa.maintaining.choice import Choice
from freshqa.maintaining.proposal import Action, Decision, Proposal
from freshqa.maintaining.review import decisions_of
from freshqa.store.database import Store
from freshqa.store.ledger_schema import decision as decisions
from freshqa.store.ledger_schema import proposal, publication
from freshqa.store.proposal_status import OPINION, UNDECIDED, UNDO, select_proposals
from freshqa.store.proposals import LIST, StoredProposal, read_proposal, reviewable, stored_proposal
from freshqa.store.schema import question, version


def decide(store: Store, decision: Decision, *, revise: bool = False) -> StoredProposal:
    """Record a decision on a proposal.

    Args:
        revise: Replace an earlier decision that has not been published; it stays in the ledger.

    Raises:
        Conflict: it has been decided (the message says by whom) or published, a newer one took its
            place, or the row it is based on has changed.
        NotFound: no such proposal.
        UsageError: edits of something that is not an official column.
        Refused: an acceptance of a proposal without a value.
    """
    return decide_all(store, [decision], revise=revise)[0]


def decide_all(
    store: Store, batch: Sequence[Decision], *, revise: bool = False
) -> tuple[StoredProposal, ...]:
    """Record several decisions: all of them, or none.

    Raises:
        Conflict, NotFound, UsageError, Refused: as for `decide`, of the first decision that is not
            possible.
    """
    for decision in batch:
        unknown = sorted(set(decision.edits) - set(FIELD_COLUMNS))
        if unknown:
            raise UsageError(
                f"Unknown columns: {', '.join(unknown)}.",
                f"Use: {', '.join(FIELD_COLUMNS)}.",
            )
    try:
        with store.write() as connection:
            wait_for_others(connection, [decision.proposal for decision in batch])
            return tuple(decide_in(connection, store, decision, revise) for decision in batch)
    except IntegrityError:
        raise Conflict("Another person decided at the same time.", LIST) from None


def wait_for_others(connection: Connection, ids: Sequence[int]) -> None:
    """Let decisions on one question come one after the other, so that each sees the ones before."""
    connection.execute(
        select(question.c.id)
        .join(proposal, proposal.c.question_id == question.c.id)
        .where(proposal.c.id.in_(ids))
        .order_by(question.c.id)  # the same order in every process: no deadlock
        .with_for_update(of=question, key_share=True)
    )


def decide_in(
    connection: Connection, store: Store, decision: Decision, revise: bool
) -> StoredProposal:
    """`decide` inside a transaction; the caller has called `wait_for_others`."""
    stored = read_proposal(connection, store, decision.proposal)
    refuse_closed(connection, stored, revise)
    _refuse_empty(stored, decision)
    if decision.action is not Action.reject:
        _refuse_second_acceptance(connection, store, stored)
    edits = dict(decision.edits)
    values = {"action": decision.action.value, "edits": edits, "reason": decision.reason}
    append_decision(connection, stored.id, values, by=decision.by, at=decision.at)
    decided = read_proposal(connection, store, stored.id)
    if decided.status == "outdated":
        raise _closed(stored, "the row it is based on has changed since", LIST)
    return decided


def append_decision(
    connection: Connection, id: int, values: Mapping[str, Any], *, by: str, at: datetime
) -> None:
    """Add a row about a proposal: a decision, an opinion, or that a decision was taken back.

    Args:
        values: `action`, `edits` and `reason`.
        at: When (aware, UTC).
    """
    last = select(func.max(decisions.c.sequence)).where(decisions.c.proposal_id == id)
    sequence = (connection.execute(last).scalar() or 0) + 1
    row = {"proposal_id": id, "sequence": sequence, "decided_by": by, "decided_at": at, **values}
    connection.execute(insert(decisions).values(row))


def refuse_closed(connection: Connection, stored: StoredProposal, revise: bool) -> None:
    """Raise `Conflict` when a proposal is not open for a decision."""
    decision = stored.decision
    if stored.status == "pending":
        return
    if decision is None and stored.status == "superseded":
        raise _closed(stored, "a newer proposal for the same question replaced it", LIST)
    if decision is None:
        raise _closed(stored, "the row it is based on has changed since", LIST)
    who = f"{decision.by} has decided it: {decision.action.value}, {decision.at:%Y-%m-%d %H:%M} UTC"
    if stored.status == "published":
        number = connection.execute(
            select(version.c.number)
            .join(publication, publication.c.version_id == version.c.id)
            .where(publication.c.proposal_id == stored.id)
        ).scalar_one()
        raise _closed(
            stored, f"{who} (published in version {number})", "Roll back, or check again."
        )
    if not revise:
        raise _closed(stored, who, "Replace the decision with --revise, while it is unpublished.")


def _refuse_empty(stored: StoredProposal, decision: Decision) -> None:
    """An acceptance that changes nothing would never be published."""
    if decision.action is Action.accept and not stored.proposal.changes and not decision.edits:
        raise Refused(
            f"Proposal {stored.id} ({stored.proposal.outcome.value}) has no value to accept.",
            f"Keep the stored answer (prefect-freshqa review keep {stored.id}), or edit.",
        )


def _closed(stored: StoredProposal, why: str, remedy: str) -> Conflict:
    return Conflict(f"Proposal {stored.id} is not open: {why}.", remedy)


def _refuse_second_acceptance(connection: Connection, store: Store, stored: StoredProposal) -> None:
    """Two accepted changes of one row could not both be published."""
    for status in ("accepted", "edited"):
        query = select_proposals(store.dataset_id, status=status, key=stored.proposal.key)
        for other in connection.execute(query):
            if other.id != stored.id:
                raise Conflict(
                    f"Proposal {other.id} for the same question was {status} by "
                    f"{other.decided_by} and is not published yet.",
                    "Publish it first, or reject this one.",
                )


def review(
    store: Store, choices: Sequence[Choice], *, by: str, at: datetime, revise: bool = False
) -> tuple[StoredProposal, ...]:
    """Record what a reviewer chose: all of it, or nothing.

    Args:
        choices: What was chosen; proposals that are deferred stay pending.
        at: When (aware, UTC).
        revise: Replace earlier decisions that have not been published.

    Returns:
        The decided proposals, in the order of the choices.

    Raises:
        UsageError: A choice contradicts itself, or a proposal is decided twice.
        Refused: There is no value to accept, or several choices are wrong; all are listed.
        Conflict, NotFound: As for `freshqa.store.proposal_decisions.decide`.
    """
    shown = reviewable(store, [choice.proposal for choice in choices])
    decisions, problems = decisions_of(choices, shown, by=by, at=at)
    raise_problems(problems)
    return decide_all(store, decisions, revise=revise)


def raise_problems(problems: Sequence[FreshQAError]) -> None:
    """Raise what is wrong with the choices: the problem itself, or all of them as one."""
    if len(problems) == 1:
        raise problems[0]
    if problems:
        listed = " ".join(str(problem) for problem in problems)
        raise Refused(f"{len(problems)} problems, so nothing was decided: {listed}")


def undo(store: Store, id: int, *, by: str, at: datetime, reason: str = "") -> StoredProposal:
    """Make a decided proposal pending again, or take one's own opinion back, if it is the newest.

    Args:
        by: Who takes the decision back.
        at: When (aware, UTC).

    Raises:
        NotFound: no such proposal.
        NothingToDo: it is not decided.
        Conflict: it has been published.
    """
    with store.write() as connection:
        wait_for_others(connection, [id])
        stored = read_proposal(connection, store, id)
        if stored.status == "published":
            raise Conflict(f"Proposal {id} has been published.", "Roll the version back.")
        if stored.decision is None and _last_action(connection, id, by) != OPINION:
            raise NothingToDo(f"Proposal {id} has no decision to undo.")
        values = {"action": UNDO, "edits": {}, "reason": reason}
        append_decision(connection, id, values, by=by, at=at)
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


def decided_by_people(store: Store, *, most: int) -> tuple[tuple[Proposal, Decision], ...]:
    """Proposals that a person, and no policy, decided last, with the decision; oldest first.

    Args:
        most: Maximum number, newest first.
    """
    query = (
        select_proposals(store.dataset_id)
        .where(
            decisions.c.action.not_in(UNDECIDED), decisions.c.decided_by.not_like(f"{BY_POLICY}%")
        )
        .order_by(None)
        .order_by(decisions.c.decided_at.desc(), proposal.c.id.desc())
        .limit(most)
    )
    with store.read() as connection:
        proposals = [
            stored_proposal(row) for row in connection.execute(query) if row.body is not None
        ]
    return tuple(
        (stored.proposal, stored.decision) for stored in reversed(proposals) if stored.decision
    )
