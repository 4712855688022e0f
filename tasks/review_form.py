"""The form that a reviewer fills in the Prefect UI, and the choices that it holds.

Every proposal has three fields of its own on the top level, because both versions of the UI show
title and description of such fields; what a form was made of tells which proposals it showed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from prefect.input import RunInput
from pydantic import BaseModel, Field, create_model

from freshqa.errors import FreshQAError
from freshqa.maintaining.choice import Choice, Chosen, Reviewable, read_action
from freshqa.maintaining.edits import answers_as_edits
from freshqa.maintaining.proposal import Proposal
from freshqa.maintaining.review import accepted_in_bulk, has_value, problems_of
from freshqa.store.proposals import StoredProposal
from prefect_freshqa.settings import desk_address
from prefect_freshqa.tasks.proposal_page import link, proposal_page

_DECISION = re.compile(r"decision_(\d+)")
_LONGEST = 160
ACCEPT_ALL = (
    "Accept every proposal of this form that is left at skip and has a value. Premise flips, "
    "never-changing questions and flagged evidence need a decision of their own."
)


class ProposalDecision(BaseModel):
    """A reviewer's decision on one proposal."""

    proposal: int = Field(description="Number of the proposal.")
    action: str = Field(default="skip", description="As in the sheet: accept, keep, edit, …")
    answers: str = Field(
        default="", description="The answer and other forms of it, separated by |."
    )
    reason: str = Field(default="", description="Reason, stored with the decision.")


class ReviewForm(BaseModel):
    """One batch of proposals with their decisions."""

    reviewer: str = Field(description="Your name, stored with the decisions.")
    decisions: list[ProposalDecision] = Field(description="One entry per proposal.")


class FormInput(RunInput):
    """The fields of every form; `blank_form` adds those of each proposal."""

    reviewer: str = Field(title="Reviewer", description="Your name, stored with the decisions.")
    accept_all: bool = Field(default=False, title="Accept all", description=ACCEPT_ALL)

    def filled(self) -> ReviewForm:
        """Return the fields, sorted by proposal."""
        values = self.model_dump()
        lines = [
            ProposalDecision(
                proposal=id,
                action=values[f"decision_{id}"],
                answers=values[f"answers_{id}"],
                reason=values[f"reason_{id}"],
            )
            for id in shown_in(values)
        ]
        return ReviewForm(reviewer=self.reviewer, decisions=lines)


@dataclass(frozen=True)
class Place:
    """The position of a form: form `number` of `total`."""

    number: int
    total: int

    def __str__(self) -> str:
        return f"Form {self.number} of {self.total}"


def shown_in(fields: Collection[str]) -> list[int]:
    """Numbers of the proposals that a form with these fields shows."""
    return [int(match[1]) for name in fields if (match := _DECISION.fullmatch(name))]


def blank_form(
    pending: Sequence[StoredProposal],
    problems: Sequence[str] = (),
    filled: ReviewForm | None = None,
    *,
    place: Place = Place(1, 1),
) -> type[FormInput]:
    """Return the form for a batch, with what was filled in before and what is wrong with it."""
    before = {line.proposal: line for line in filled.decisions} if filled else {}
    fields: dict[str, Any] = {}
    default = filled.reviewer if filled else ...
    # the first version of the UI shows only fields, so the first field states the position
    described = f"{place}, {len(pending)} proposals. Your name, stored with the decisions."
    fields["reviewer"] = (str, Field(default, title="Reviewer", description=described))
    for stored in pending:
        line = before.get(stored.id, ProposalDecision(proposal=stored.id))
        fields |= _fields(stored.id, stored.proposal, line)
    form = create_model("ReviewForm", __base__=FormInput, **fields)
    heading = f"## {place}: {len(pending)} proposals"
    wrong = "\n".join(f"- {problem}" for problem in problems)
    pages = [proposal_page(stored) for stored in pending]
    desk = desk_address("queue")
    parts = [
        heading,
        f"The {link(desk, 'review desk')} shows them with their history." if desk else "",
        f"**Please fix:**\n\n{wrong}" if wrong else "",
        *pages,
    ]
    form._description = "\n\n".join(part for part in parts if part)
    return form


def read_form(
    form: ReviewForm, known: Collection[int], *, at: datetime
) -> tuple[list[Choice], list[str]]:
    """Return the choices of a filled form, and what is wrong with it (then none is to be recorded).

    Args:
        form: What the reviewer sent.
        known: Numbers of the proposals that the form showed.
        at: When it was sent.
    """
    problems = [] if form.reviewer.strip() else ["Enter your name as reviewer."]
    choices = []
    for line in form.decisions:
        try:
            choices.append(_choice(line, at))
        except FreshQAError as wrong:
            problems.append(f"Proposal {line.proposal}: {wrong}")
    problems += [str(problem) for problem in problems_of(choices, known)]
    return choices, problems


def with_all_accepted(choices: Sequence[Choice], shown: Mapping[int, Reviewable]) -> list[Choice]:
    """Return the choices of a form with "accept all": skipped proposals that allow it are accepted."""
    return [
        replace(choice, action=Chosen.accept)
        if choice.action is Chosen.defer and accepted_in_bulk(shown[choice.proposal].proposal)
        else choice
        for choice in choices
    ]


def _choice(line: ProposalDecision, at: datetime) -> Choice:
    choice = read_action(line.action)
    typed = line.answers.strip()
    edits = answers_as_edits(typed) if typed or choice.action is Chosen.edit else {}
    written = choice.action is Chosen.accept and edits and choice.candidate is None
    action = Chosen.edit if written else choice.action
    return replace(
        choice, proposal=line.proposal, action=action, edits=edits, reason=line.reason, at=at
    )


def _fields(id: int, proposal: Proposal, line: ProposalDecision) -> dict[str, Any]:
    """Return the fields of one proposal: decision, another answer, reason."""
    options = tuple(_options(proposal))
    action = line.action if line.action in options else "skip"
    what = f"{id}. {proposal.question}"
    decision = Field(action, title=what, description=_in_short(proposal))
    answers = Field(
        line.answers,
        title=f"{id}. Another answer",
        description=f"For edit: the answer to “{_cut(proposal.question)}”. Its other forms are made "
        "by rule; to write them yourself, separate them by |.",
    )
    why = f"Stored with the decision. {_cut(proposal.question)}"
    reason = Field(line.reason, title=f"{id}. Reason", description=why)
    return {
        f"decision_{id}": (Literal[options], decision),
        f"answers_{id}": (str, answers),
        f"reason_{id}": (str, reason),
    }


def _options(proposal: Proposal) -> list[str]:
    """Return what may be chosen; a proposal without a value does not ask to be accepted."""
    options = ["skip"]
    if has_value(proposal):
        options.append("accept")
    if proposal.suggested_values:
        options.append("accept with suggestions")
    for number, candidate in enumerate(proposal.candidates, 1):
        options.append(f"candidate {number}: {_cut(str(candidate))}")
    return [*options, "keep", "edit", "reject"]


def _in_short(proposal: Proposal) -> str:
    """Outcome, old → new, the best quote and the suggestions, in a few lines."""
    lines = [f"{proposal.outcome.value}, risk {proposal.risk:.2f}: {_old_and_new(proposal)}"]
    for finding in reversed(proposal.evidence):
        quote = proposal.quotes.get(finding.id)
        if quote:
            when = finding.date.isoformat() if finding.date else "undated"
            lines.append(f"“{_cut(quote)}” ({finding.domain or finding.source}, {when})")
            break
    lines += [f"Suggested {column}: {_cut(said)}" for column, said in proposal.suggestions.items()]
    return " — ".join(lines)


def _old_and_new(proposal: Proposal) -> str:
    if "answer_0" in proposal.changes:
        change = proposal.changes["answer_0"]
        return f"{_cut(change.old)} → {_cut(change.new)}"
    stored = _cut(proposal.stored[0]) if proposal.stored else "no stored answer"
    moved = "; ".join(
        f"{column}: {_cut(change.old)} → {_cut(change.new)}"
        for column, change in proposal.changes.items()
    )
    return f"{stored} ({moved or 'no new value'})"


def _cut(text: str) -> str:
    """Return external text on one line, short enough for a label."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
