"""What reviewers do: decide a form whole or not at all, and take decisions back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, and_, func, insert, select

from freshqa.chunks import chunks
from freshqa.dataset.question import REVISION_COLUMNS
from freshqa.errors import Conflict, FreshQAError, NotFound, NothingToDo, Refused
from freshqa.maintaining.choice import Choice, Reviewable
from freshqa.maintaining.review import decisions_of
from freshqa.store.database import Store
from freshqa.store.deciding import LIST, decide_all, wait_for_others
from freshqa.store.ledger_schema import decision as decisions
from freshqa.store.ledger_schema import proposal, publication, run
from freshqa.store.ledger_schema import proposal as proposals
from freshqa.store.proposal_status import OPINION, UNDO, select_proposals
from freshqa.store.proposals import StoredProposal, read_proposal, stored_proposal
from freshqa.store.schema import question, revision
from freshqa.store.snapshots import CHUNK, read_question


def review(
    store: Store, choices: Sequence[Choice], *, by: str, at: datetime, revise: bool = False
) -> tuple[StoredProposal, ...]:
    """Record what a reviewer chose: all of it, or nothing.

    Args:
        choices: What was chosen; proposals that are deferred stay pending.
        by: The reviewer.
        at: When (aware, UTC).
        revise: Replace earlier decisions that have not been published.

    Returns:
        The decided proposals, in the order of the choices.

    Raises:
        UsageError: A choice contradicts itself, or a proposal is decided twice.
        Refused: There is no value to accept, or several choices are wrong; all are listed.
        Conflict, NotFound: As for `freshqa.store.deciding.decide`.
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


def reviewable(store: Store, ids: Sequence[int]) -> list[Reviewable]:
    """Return the proposals with these numbers, each with the row that it is about.

    Raises:
        NotFound: the proposal does not exist or was redacted.
    """
    query = select_proposals(store.dataset_id).order_by(None)
    rows = (
        select(proposals.c.id, question.c.key, *(revision.c[column] for column in REVISION_COLUMNS))
        .join(question, question.c.id == proposals.c.question_id)
        .join(
            revision,
            and_(
                revision.c.question_id == proposals.c.question_id,
                revision.c.content_hash == proposals.c.base_revision,
            ),
        )
    )
    found: dict[int, Reviewable] = {}
    with store.read() as connection:
        for page in chunks(list(dict.fromkeys(ids)), CHUNK):
            wanted = proposals.c.id.in_(page)
            based_on = {
                id: read_question(row) for id, *row in connection.execute(rows.where(wanted))
            }
            for row in connection.execute(query.where(wanted)):
                if row.body is not None and row.id in based_on:
                    stored = stored_proposal(row)
                    found[row.id] = Reviewable(row.id, stored.proposal, based_on[row.id])
    missing = [id for id in ids if id not in found]
    if missing:
        raise NotFound(f"There is no proposal {missing[0]}, or it was redacted.", LIST)
    return [found[id] for id in dict.fromkeys(ids)]


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
