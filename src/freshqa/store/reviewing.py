"""From what reviewers chose to decisions in the ledger: all of a form, or nothing of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, select

from freshqa.chunks import chunks
from freshqa.dataset.question import REVISION_COLUMNS
from freshqa.errors import FreshQAError, NotFound, Refused
from freshqa.maintaining.choice import Choice, Reviewable
from freshqa.maintaining.review import decisions_of
from freshqa.store.database import Store
from freshqa.store.deciding import LIST, decide_all
from freshqa.store.ledger_schema import proposal as proposals
from freshqa.store.members import CHUNK
from freshqa.store.proposal_status import select_proposals
from freshqa.store.schema import question, revision
from freshqa.store.snapshots import read_question
from freshqa.store.stored_proposal import StoredProposal, stored_proposal


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
