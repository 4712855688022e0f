"""Decisions on proposals: append-only, and never overwritten by accident."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import IntegrityError

from freshqa.dataset.question import FIELD_COLUMNS
from freshqa.errors import Conflict, Refused, UsageError
from freshqa.maintaining.proposal import Action, Decision
from freshqa.store.database import Store
from freshqa.store.ledger_schema import decision as decisions
from freshqa.store.ledger_schema import proposal, publication
from freshqa.store.proposal_status import select_proposals
from freshqa.store.proposals import StoredProposal, read_proposal
from freshqa.store.schema import question, version

LIST = "See: prefect-freshqa review list"


def decide(store: Store, decision: Decision, *, revise: bool = False) -> StoredProposal:
    """Record a decision on a proposal.

    Args:
        decision: Who decided what.
        revise: Replace an earlier decision that has not been published; it is kept all the same.

    Raises:
        Conflict: it has been decided (the message says by whom) or published, a newer one took its
            place, or the row it is based on has changed.
        NotFound: no such proposal.
        UsageError: edits of something that is not an official column.
        Refused: an acceptance of a proposal without a value.
    """
    return decide_all(store, [decision], revise=revise)[0]


def decide_all(
    store: Store, made: Sequence[Decision], *, revise: bool = False
) -> tuple[StoredProposal, ...]:
    """Record several decisions: all of them, or none.

    Raises:
        Conflict, NotFound, UsageError, Refused: as for `decide`, of the first decision that is not
            possible.
    """
    for one in made:
        unknown = sorted(set(one.edits) - set(FIELD_COLUMNS))
        if unknown:
            raise UsageError(
                f"Not columns of a question: {', '.join(unknown)}.",
                f"Use: {', '.join(FIELD_COLUMNS)}.",
            )
    try:
        with store.write() as connection:
            wait_for_others(connection, [one.proposal for one in made])
            return tuple(decide_in(connection, store, one, revise) for one in made)
    except IntegrityError:
        raise Conflict("Another person decided at the same time.", LIST) from None


def wait_for_others(connection: Connection, ids: Sequence[int]) -> None:
    """Let decisions on one question come one after the other, so that each sees the ones before."""
    connection.execute(
        select(question.c.id)
        .join(proposal, proposal.c.question_id == question.c.id)
        .where(proposal.c.id.in_(ids))
        .order_by(question.c.id)  # the same order for everybody: no deadlock
        .with_for_update(of=question, key_share=True)
    )


def decide_in(connection: Connection, store: Store, made: Decision, revise: bool) -> StoredProposal:
    """`decide` inside a transaction; the caller has called `wait_for_others`."""
    found = read_proposal(connection, store, made.proposal)
    refuse_closed(connection, found, revise)
    _refuse_empty(found, made)
    if made.action is not Action.reject:
        _refuse_second_acceptance(connection, store, found)
    last = select(func.max(decisions.c.sequence)).where(decisions.c.proposal_id == found.id)
    connection.execute(
        insert(decisions).values(
            proposal_id=found.id,
            sequence=(connection.execute(last).scalar() or 0) + 1,
            action=made.action.value,
            decided_by=made.by,
            decided_at=made.at,
            reason=made.reason,
            edits=dict(made.edits),
        )
    )
    decided = read_proposal(connection, store, found.id)
    if decided.status == "outdated":
        raise _closed(found, "the row it is based on has changed since", LIST)
    return decided


def refuse_closed(connection: Connection, found: StoredProposal, revise: bool) -> None:
    """Raise `Conflict` when a proposal is not open for a decision."""
    made = found.decision
    if found.status == "pending":
        return
    if made is None and found.status == "superseded":
        raise _closed(found, "a newer proposal for the same question replaced it", LIST)
    if made is None:
        raise _closed(found, "the row it is based on has changed since", LIST)
    who = f"{made.by} has decided it: {made.action.value}, {made.at:%Y-%m-%d %H:%M} UTC"
    if found.status == "published":
        number = connection.execute(
            select(version.c.number)
            .join(publication, publication.c.version_id == version.c.id)
            .where(publication.c.proposal_id == found.id)
        ).scalar_one()
        raise _closed(found, f"{who} (published in version {number})", "Roll back, or check again.")
    if not revise:
        raise _closed(found, who, "Replace the decision with --revise, while it is unpublished.")


def _refuse_empty(found: StoredProposal, made: Decision) -> None:
    """An acceptance that changes nothing would wait for publication for ever."""
    if made.action is Action.accept and not found.proposal.changes and not made.edits:
        raise Refused(
            f"Proposal {found.id} ({found.proposal.outcome.value}) has no value to accept.",
            f"Keep the stored answer (prefect-freshqa review keep {found.id}), or edit.",
        )


def _closed(found: StoredProposal, why: str, remedy: str) -> Conflict:
    return Conflict(f"Proposal {found.id} is not open: {why}.", remedy)


def _refuse_second_acceptance(connection: Connection, store: Store, found: StoredProposal) -> None:
    """Two accepted changes of one row could not both be published."""
    for status in ("accepted", "edited"):
        query = select_proposals(store.dataset_id, status=status, key=found.proposal.key)
        for other in connection.execute(query):
            if other.id != found.id:
                raise Conflict(
                    f"Proposal {other.id} for the same question was {status} by "
                    f"{other.decided_by} and is not published yet.",
                    "Publish it first, or reject this one.",
                )
