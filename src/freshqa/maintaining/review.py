"""The decision that follows from a reviewer's choice: one rule for every interface.

The command line, the sheet, the form in the Prefect UI and the browser all send choices; nothing
else says what accept, reject, edit, keep, defer, a candidate or the suggestions mean.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from freshqa.dataset.question import ANSWER_COLUMNS, FIELD_COLUMNS, Question
from freshqa.dates.review import roll_review
from freshqa.errors import FreshQAError, Refused, UsageError
from freshqa.maintaining.choice import Choice, Chosen, Reviewable
from freshqa.maintaining.draft import accepted_changes
from freshqa.maintaining.flags import Blocks, blocking
from freshqa.maintaining.proposal import Action, Decision, Outcome, Proposal
from freshqa.maintaining.reclassify import CADENCE_OF, contradictions


def decisions_of(
    choices: Sequence[Choice], shown: Sequence[Reviewable], *, by: str, at: datetime
) -> tuple[list[Decision], list[FreshQAError]]:
    """Return the decisions of a form, a sheet or a command, and what is wrong with it.

    If anything is invalid, nothing must be recorded.

    Args:
        choices: What the reviewer chose; no choice for a proposal leaves it open.
        shown: The proposals that the reviewer was shown; no other may be decided.
        at: When (aware, UTC).
    """
    if not by.strip():
        return [], [UsageError("The name of the reviewer is missing.", "Enter your name.")]
    known = {item.id: item for item in shown}
    problems = problems_of(choices, known)
    decisions = []
    for choice in choices if not problems else ():
        try:
            decision = decision_of(choice, known[choice.proposal], by=by.strip(), at=at)
        except FreshQAError as problem:
            problems.append(problem)
        else:
            decisions += [decision] if decision else []
    return decisions, problems


def problems_of(choices: Sequence[Choice], shown: Container[int]) -> list[FreshQAError]:
    """Return the errors of choices that cannot be recorded.

    Args:
        shown: Numbers of the proposals that the reviewer was shown; no other may be decided.
    """
    problems: list[FreshQAError] = []
    for id, count in Counter(choice.proposal for choice in choices).items():
        if id not in shown:
            wrong = f"Proposal {id} is not among those shown."
            problems.append(UsageError(wrong, "Decide only what is shown."))
        if count > 1:
            wrong = f"Proposal {id} is decided {count} times."
            problems.append(UsageError(wrong, "Choose one decision for it."))
    for choice in choices:
        try:
            _refuse_contradiction(choice)
        except UsageError as problem:
            problems.append(problem)
    return problems


def decision_of(choice: Choice, item: Reviewable, *, by: str, at: datetime) -> Decision | None:
    """Return the decision that a choice means; None when the proposal is left open.

    Raises:
        UsageError: What was chosen contradicts itself.
        Refused: There is no value to accept; the message says what to do instead.
    """
    _refuse_contradiction(choice)
    if choice.action is Chosen.defer:
        return None
    reason = choice.reason.strip()
    decision = Decision(item.id, Action.reject, by=by, at=choice.at or at, reason=reason)
    if choice.action is Chosen.reject:
        return decision
    if choice.candidate is not None:
        decision = _picked(choice, item, decision)
    elif choice.action is Chosen.keep:
        decision = _kept(choice, item, decision)
    else:
        decision = _written(choice, item, decision)
    if choice.with_suggestions:
        decision = replace(decision, edits=_with_suggestions(item, decision))
    if not accepted_changes(item.row, item.proposal, decision):
        if choice.action is not Chosen.keep and item.proposal.outcome is not Outcome.unchanged:
            raise _no_value(item)
        decision = replace(decision, action=Action.keep)
    return decision


def accepted_in_bulk(proposal: Proposal) -> bool:
    """Return whether "accept all" includes the proposal.

    Proposals without a value and those that need an individual decision are left out: premise flips, never-changing
    questions and evidence with signs of prompt injection.
    """
    flips = (Outcome.premise_now_true, Outcome.premise_now_false)
    risky = blocking(proposal.flags, Blocks.bulk)
    return has_value(proposal) and proposal.outcome not in flips and not risky


def has_value(proposal: Proposal) -> bool:
    """Return whether the proposal can be accepted as it is."""
    return bool(proposal.changes) or proposal.outcome is Outcome.unchanged


def _refuse_contradiction(choice: Choice) -> None:
    unknown = sorted(set(choice.edits) - set(FIELD_COLUMNS))
    if unknown:
        raise UsageError(
            f"Unknown columns: {', '.join(unknown)}.",
            f"Use: {', '.join(FIELD_COLUMNS)}.",
        )
    typed = ", ".join(column for column in FIELD_COLUMNS if column in choice.edits)
    about = f"Proposal {choice.proposal}:"
    answers = set(choice.edits) & set(ANSWER_COLUMNS)
    if choice.action in (Chosen.reject, Chosen.defer) and (typed or choice.candidate is not None):
        typed = typed or f"candidate {choice.candidate}"
        raise UsageError(
            f"{about} {typed} given, but the decision is {choice.action.value}.",
            "Choose edit (or accept, for a candidate), or remove the text.",
        )
    if choice.action is Chosen.keep and (answers or choice.candidate is not None):
        raise UsageError(
            f"{about} keep confirms the stored answer, but another answer is given.",
            "Choose edit, or remove the other answer.",
        )
    if choice.candidate is not None and answers:
        raise UsageError(
            f"{about} both candidate {choice.candidate} and a written answer are given.",
            "Choose one of the two.",
        )
    if choice.action is Chosen.edit and not typed and choice.candidate is None:
        raise UsageError(
            f"{about} the decision is edit, but no text differs from what is proposed.",
            "Write the text, or choose accept.",
        )


def _picked(choice: Choice, item: Reviewable, decision: Decision) -> Decision:
    number = choice.candidate or 0
    candidates = item.proposal.candidates
    if not 1 <= number <= len(candidates):
        raise UsageError(
            f"Proposal {item.id} does not have a candidate {number}.",
            f"Candidates: {list_candidates(item.proposal)}."
            if candidates
            else "It has no candidates: keep the stored answer, or edit.",
        )
    picked = candidates[number - 1]
    return replace(
        decision,
        action=Action.edit,
        edits={"answer_0": picked.text, **choice.edits},
        reason=decision.reason or f"Candidate {number}: {picked}",
    )


def list_candidates(proposal: Proposal) -> str:
    """Return the candidates of a proposal with their numbers, in one line."""
    return "; ".join(f"{n}: {candidate}" for n, candidate in enumerate(proposal.candidates, 1))


def _kept(choice: Choice, item: Reviewable, decision: Decision) -> Decision:
    as_of = item.proposal.checked_on(decision)
    edits = {"next_review": roll_review(item.row, as_of=as_of, changed=False), **choice.edits}
    return replace(decision, action=Action.keep, edits=_different(item.row, edits))


def _written(choice: Choice, item: Reviewable, decision: Decision) -> Decision:
    """Accept or edit: text that differs from what is proposed makes an edit of both.

    Where nothing is proposed, writing the stored answer again keeps it.
    """
    proposed = {column: change.new for column, change in item.proposal.changes.items()}
    differs = any(
        text.strip() != proposed.get(column, item.row.fields[column]).strip()
        for column, text in choice.edits.items()
    )
    if differs:
        return replace(decision, action=Action.edit, edits=dict(choice.edits))
    if choice.edits and not has_value(item.proposal):
        return _kept(choice, item, decision)
    return replace(decision, action=Action.accept)


def _with_suggestions(item: Reviewable, decision: Decision) -> Mapping[str, str]:
    """The edits with the suggested values; a review text that contradicts a new type is changed too."""
    edits = {**item.proposal.suggested_values, **decision.edits}
    if decision.action is Action.keep:  # the review was rolled for the type that was stored
        edits |= {c: t for c, t in item.proposal.suggested_values.items() if c == "next_review"}
    row = item.row.with_changes(
        accepted_changes(item.row, item.proposal, replace(decision, edits=edits))
    )
    if contradictions(row):
        edits["next_review"] = CADENCE_OF[row.fact_type]
    return _different(item.row, edits) if decision.action is Action.keep else edits


def _different(row: Question, edits: Mapping[str, str]) -> dict[str, str]:
    return {column: text for column, text in edits.items() if row.fields[column] != text}


def _no_value(item: Reviewable) -> Refused:
    command = "prefect-freshqa review"
    ways = [f"confirm the stored answer ({command} keep {item.id})"]
    if item.proposal.candidates:
        listed = list_candidates(item.proposal)
        ways.append(f"pick a candidate ({command} accept {item.id} --candidate 1; {listed})")
    if item.proposal.suggested_values:
        ways.append(f"apply the suggestions ({command} accept {item.id} --with-suggestions)")
    ways.append(f'write the answer ({command} edit {item.id} --set "answer_0=…")')
    return Refused(
        f"Proposal {item.id} is {item.proposal.outcome.value} and has no value to accept.",
        f"Instead, {', or '.join(ways)}.",
    )
