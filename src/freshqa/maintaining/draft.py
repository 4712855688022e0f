"""The next version before it is validated: the base snapshot with the accepted proposals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from freshqa.dataset.official_order import official_order
from freshqa.dataset.question import FIELD_COLUMNS, Question
from freshqa.errors import BadData, Conflict
from freshqa.maintaining.proposal import Action, Decision, Proposal


def build_draft(
    base: Sequence[Question], accepted: Sequence[tuple[Proposal, Decision]]
) -> tuple[Question, ...]:
    """Apply accepted proposals to a snapshot.

    Args:
        base: The snapshot, every question with its key.
        accepted: Proposals with the decision that accepts or edits them; each question once.

    Returns:
        All questions of the base, changed where accepted, in the official order.

    Raises:
        Conflict: A question has moved on or gone since it was checked, or is proposed twice;
            nothing is applied.
        BadData: A decision is a rejection, or an edit names a column that does not exist.
    """
    rows = {question.key: question for question in base}
    changed: set[str] = set()
    for proposal, decision in accepted:
        if proposal.key in changed:
            raise Conflict(
                f"two accepted proposals for {proposal.question!r}", "Reject one of them."
            )
        changed.add(proposal.key)
        rows[proposal.key] = _apply(rows.get(proposal.key), proposal, decision)
    return official_order(list(rows.values()))


def accepted_changes(proposal: Proposal, decision: Decision) -> Mapping[str, str]:
    """Column → text that an acceptance puts in place: the proposal's, overruled by edits."""
    if decision.action is Action.reject:
        raise BadData(f"the proposal for {proposal.question!r} was rejected", "Leave it out.")
    unknown = sorted(set(decision.edits) - set(FIELD_COLUMNS))
    if unknown:
        raise BadData(
            f"an edit of {proposal.question!r} names unknown columns {unknown}",
            f"Columns are {', '.join(FIELD_COLUMNS)}.",
        )
    return {**{column: c.new for column, c in proposal.changes.items()}, **decision.edits}


def _apply(row: Question | None, proposal: Proposal, decision: Decision) -> Question:
    if row is None:
        raise Conflict(f"{proposal.question!r} is no longer in the dataset", "Reject its proposal.")
    if row.revision_hash != proposal.base_revision:
        raise Conflict(
            f"{proposal.question!r} has changed since it was checked",
            "Reject this proposal and check the question again.",
        )
    return row.with_changes(accepted_changes(proposal, decision))
