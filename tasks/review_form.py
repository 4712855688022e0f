"""The form that a reviewer fills in the Prefect UI, and what it comes to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from prefect.input import RunInput
from pydantic import BaseModel, Field

from freshqa.errors import FreshQAError
from freshqa.maintaining.edits import answers_as_edits
from freshqa.maintaining.proposal import Action, Decision
from freshqa.store.proposals import StoredProposal
from prefect_freshqa.tasks.reporting import proposal_page


class ProposalDecision(BaseModel):
    """What a reviewer decides on one proposal."""

    proposal: int = Field(description="Number of the proposal; leave it as it is.")
    action: Literal["skip", "accept", "reject", "edit"] = Field(
        default="skip", description="Accept, reject, edit, or leave it open."
    )
    answers: str = Field(
        default="", description="For edit: the answer, then other forms of it, separated by |."
    )
    reason: str = Field(default="", description="Why, for the record.")


class ReviewForm(RunInput):
    """One batch of proposals with their decisions."""

    reviewer: str = Field(description="Your name, for the record.")
    decisions: list[ProposalDecision] = Field(description="One line per proposal.")


def blank_form(
    pending: Sequence[StoredProposal], problems: Sequence[str], filled: ReviewForm | None
) -> type[ReviewForm]:
    """The form for a batch, with what was filled in before and what is wrong with it."""
    pages = "\n\n".join(proposal_page(stored) for stored in pending)
    wrong = "".join(f"- {problem}\n" for problem in problems)
    before = {line.proposal: line for line in filled.decisions} if filled else {}
    lines = [before.get(stored.id, ProposalDecision(proposal=stored.id)) for stored in pending]
    description = f"**Please mend:**\n{wrong}\n{pages}" if wrong else pages
    if filled is None:
        return ReviewForm.with_initial_data(description=description, decisions=lines)
    return ReviewForm.with_initial_data(
        description=description, decisions=lines, reviewer=filled.reviewer
    )


def read_form(
    form: ReviewForm, known: Sequence[int], *, at: datetime
) -> tuple[list[Decision], list[str]]:
    """The decisions of a filled form, and what is wrong with it (then none is to be applied).

    Args:
        form: What the reviewer sent.
        known: Numbers of the proposals that may be decided here.
        at: When it was decided.
    """
    decisions, problems = [], []
    if not form.reviewer.strip():
        problems.append("Write your name into reviewer.")
    for line in form.decisions:
        if line.proposal not in known:
            problems.append(f"Proposal {line.proposal} is not open for review.")
        elif line.action != "skip":
            try:
                decisions.append(_decision(form, line, at))
            except FreshQAError as wrong:
                problems.append(f"Proposal {line.proposal}: {wrong}")
    return decisions, problems


def _decision(form: ReviewForm, line: ProposalDecision, at: datetime) -> Decision:
    return Decision(
        proposal=line.proposal,
        action=Action(line.action),
        by=form.reviewer.strip(),
        at=at,
        reason=line.reason,
        edits=answers_as_edits(line.answers) if line.action == "edit" else {},
    )
