"""The draft of the next version: the base snapshot with the accepted proposals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from freshqa.checking.support import support
from freshqa.dataset.layout import of_own_columns
from freshqa.dataset.official_order import official_order
from freshqa.dataset.question import ANSWER_COLUMNS, FIELD_COLUMNS, Question
from freshqa.dates.review import roll_review
from freshqa.errors import BadData, Conflict
from freshqa.maintaining.answer_forms import rebuild_answers
from freshqa.maintaining.new_row import answer_fields, effective_year, supporting_sources
from freshqa.maintaining.proposal import Action, Decision, Proposal


def build_draft(
    base: Sequence[Question], accepted: Sequence[tuple[Proposal, Decision]]
) -> tuple[Question, ...]:
    """Apply accepted proposals to a snapshot.

    Args:
        base: The snapshot, every question with its key.
        accepted: Proposals with the decision that accepts or edits them; each question once.

    Returns:
        All questions of the base, changed where accepted, in the official order; those of a file
        with columns of its own in the order of the base.

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
                f"Two proposals for {proposal.question!r} are accepted.", "Reject one of them."
            )
        changed.add(proposal.key)
        rows[proposal.key] = _apply(rows.get(proposal.key), proposal, decision)
    drafted = tuple(rows.values())
    return drafted if all(map(of_own_columns, drafted)) else official_order(drafted)


def accepted_changes(row: Question, proposal: Proposal, decision: Decision) -> Mapping[str, str]:
    """Column → text that an acceptance puts in place of the row's.

    Edits overrule the proposal. Where a person has written another primary answer, whatever belongs
    to it and was not written too is rebuilt: no alternative of an old fact is left over.

    Raises:
        BadData: The decision is a rejection, or an edit names a column that does not exist.
    """
    if decision.action is Action.reject:
        raise BadData(f"The proposal for {proposal.question!r} was rejected.", "Leave it out.")
    unknown = sorted(set(decision.edits) - set(FIELD_COLUMNS))
    if unknown:
        raise BadData(
            f"The edit of {proposal.question!r} has unknown columns {unknown}.",
            f"Use: {', '.join(FIELD_COLUMNS)}.",
        )
    if decision.action is Action.keep:
        return decision.edits
    suggested = {column: change.new for column, change in proposal.changes.items()}
    primary = decision.edits.get("answer_0", "").strip()
    if primary and primary != suggested.get("answer_0", row.primary):
        as_of = proposal.checked_on(decision)
        if primary == row.primary:
            # the person keeps the stored fact, so nothing of the new one is applied
            suggested = {"next_review": roll_review(row, as_of=as_of, changed=False)}
        else:
            suggested |= _new_fact(row, proposal, primary, as_of)
    return {**suggested, **decision.edits}


def proposed_answers(proposal: Proposal) -> tuple[str, ...]:
    """The answers that the proposal suggests instead of the stored; empty when it suggests none."""
    if not any(column in proposal.changes for column in ANSWER_COLUMNS):
        return ()
    stored = [*proposal.stored, *[""] * len(ANSWER_COLUMNS)]
    answers = [
        proposal.changes[column].new if column in proposal.changes else stored[slot]
        for slot, column in enumerate(ANSWER_COLUMNS)
    ]
    return tuple(answer for answer in answers if answer.strip())


def _new_fact(row: Question, proposal: Proposal, primary: str, as_of: date) -> Mapping[str, str]:
    """Forms, effective year, review and sources of a primary answer given by a person.

    Where the evidence does not hold that answer, proposed year and sources are left as they are.
    """
    report = support(primary, proposal.evidence, question=row.text)
    firm = [finding for finding in report.firm if not finding.flagged]
    new = answer_fields(rebuild_answers(row.answers, primary))
    new["next_review"] = roll_review(
        row.with_changes(new), as_of=as_of, changed=True, old_answers=row.answers
    )
    if firm or "effective_year" not in proposal.changes:
        new["effective_year"] = effective_year(row, as_of=as_of, supports=firm)
    if firm:
        new["source"] = "\n".join(supporting_sources(row, firm, proposal.evidence))
    return new


def _apply(row: Question | None, proposal: Proposal, decision: Decision) -> Question:
    if row is None:
        raise Conflict(
            f"{proposal.question!r} is no longer in the dataset.", "Reject its proposal."
        )
    if row.revision_hash != proposal.base_revision:
        raise Conflict(
            f"{proposal.question!r} has changed since it was checked.",
            "Reject this proposal and check the question again.",
        )
    return row.with_changes(accepted_changes(row, proposal, decision))
