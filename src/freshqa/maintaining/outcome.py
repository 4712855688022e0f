"""From the rounds of a check to its outcome and suggested changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from freshqa.checking.feedback import FeedbackCode
from freshqa.checking.risk import Reading
from freshqa.checking.round import Move, Round, best
from freshqa.dataset.question import ANSWER_SLOTS, FactType, Question
from freshqa.dates.review import roll_review
from freshqa.facts.same_fact import Relation, contains, relation
from freshqa.facts.verdicts import is_verdict
from freshqa.maintaining.by_search import outcome_by_search
from freshqa.maintaining.flags import Flag
from freshqa.maintaining.new_row import answer_fields, changes
from freshqa.maintaining.premise import premise_outcome
from freshqa.maintaining.proposal import Outcome
from freshqa.maintaining.verdict import (
    LIMITS,
    SEARCH_ONLY,
    Limits,
    Verdict,
    answer_flags,
    candidate,
    confidence,
    reading_flags,
    unchanged,
)
from freshqa.maintaining.wording import what_is_said

_WENT_BACK = "Only after feedback did the response go back to the stored answer."
_LATER = "Only after feedback did the response say {0!r}."
_FROM_MEMORY = "No evidence holds the stored answer, and it is probably out of date."
_STOPPED = "The search leaves so little risk that the model was not asked."
_SETTLED = "The fact never changes, and as many sources still state the stored answer."
_DISAGREEMENTS = frozenset({FeedbackCode.conflict, FeedbackCode.old_evidence})


def decide_outcome(
    question: Question,
    rounds: Sequence[Round],
    risk: float,
    *,
    as_of: date,
    limits: Limits = LIMITS,
) -> tuple[Verdict, Round]:
    """Return the conclusion of a check for the stored row.

    The most useful round counts. A response that gives up an answer which the evidence holds only
    after feedback has not settled anything: that is a conflict, and the first such answer is what
    a person decides on.

    Args:
        rounds: Every round of the loop, in order.
        risk: Probability that the stored answer is no longer right, from schedule and evidence.
        limits: Where risk decides.

    Returns:
        The verdict, and the round that it rests on.
    """
    chosen = best(_read(question, rounds, risk, limits))
    if (other := _given_up(rounds, chosen)) is not None:
        field_changes = candidate(question, other, as_of=as_of)
        later = _WENT_BACK if chosen.comparison.agrees else _LATER.format(chosen.answer)
        reasons = (what_is_said(question, other), later)
        flags = answer_flags(question, other) + reading_flags(other)
        sure = confidence(other) / 2
        verdict = Verdict(Outcome.conflicting, Reading.other, field_changes, reasons, flags, sure)
        return verdict, other
    verdict = _by_round(question, chosen, risk, as_of, limits)
    return replace(verdict, flags=(*verdict.flags, *reading_flags(chosen))), chosen


def _read(
    question: Question, rounds: Sequence[Round], risk: float, limits: Limits
) -> Sequence[Round]:
    """Return the rounds that count: answers supported by evidence precede those from memory alone."""
    if not any(current.utility.quoted for current in rounds):
        return rounds
    return [
        current
        for current in rounds
        if not (current.comparison.agrees and _from_memory(question, current, risk, limits))
    ] or rounds


def _given_up(rounds: Sequence[Round], chosen: Round) -> Round | None:
    """Return the first round with another answer that the evidence holds, before the chosen one."""
    for earlier in rounds[: chosen.number - 1]:
        quoted = earlier.answer and earlier.utility.quoted and not earlier.response.premise_rejected
        same = relation(earlier.answer, chosen.answer) is Relation.same
        if earlier.comparison.agrees is not True and quoted and not same:
            return earlier
    return None


def _by_round(
    question: Question, chosen: Round, risk: float, as_of: date, limits: Limits = LIMITS
) -> Verdict:
    if chosen.response.method == SEARCH_ONLY:
        return outcome_by_search(question, chosen, risk, as_of=as_of, keep_below=limits.keep_below)
    if chosen.move is Move.keep and chosen.response.method == "none":
        return unchanged(question, as_of, _STOPPED, Reading.nothing)
    if chosen.comparison.agrees:
        if _from_memory(question, chosen, risk, limits):
            return Verdict(Outcome.insufficient, reasons=(chosen.comparison.reason, _FROM_MEMORY))
        return _agreed(question, chosen, as_of)
    if chosen.move is Move.keep and chosen.response.answer:
        reason = "The learned policy keeps the stored answer."
        return unchanged(question, as_of, reason, Reading.nothing)
    if question.false_premise or chosen.response.premise_rejected:
        return premise_outcome(question, chosen, as_of=as_of)
    return new_answer(question, chosen, as_of)


def _from_memory(question: Question, current: Round, risk: float, limits: Limits) -> bool:
    """Return True when a response only repeats a stored answer that is probably out of date.

    If the answer cannot be quoted (a rebuttal, a bare yes or no), agreement is the only evidence.
    """
    quotable = not question.false_premise and not is_verdict(question.primary)
    return quotable and risk >= limits.doubt_above and not current.weighed.stored.firm


def _agreed(question: Question, chosen: Round, as_of: date) -> Verdict:
    comparison = chosen.comparison
    if chosen.move is Move.escalate:
        reason = "The learned policy asks a person although the response agrees."
        return Verdict(Outcome.insufficient, Reading.agrees, reasons=(comparison.reason, reason))
    if question.false_premise and comparison.new_form:
        verdict = unchanged(question, as_of, comparison.reason, Reading.agrees)
        return replace(verdict, flags=(Flag.rebuttal_differs,))
    room = len(question.answers) < ANSWER_SLOTS
    if not (comparison.new_form and room and chosen.answer and chosen.weighed.proposed.firm):
        return unchanged(question, as_of, comparison.reason, Reading.agrees)
    judged = comparison.how == "judge" and not contains(chosen.answer, question.primary)
    return _alternative(question, chosen, as_of, (Flag.judged_only,) if judged else ())


def _alternative(question: Question, chosen: Round, as_of: date, flags: tuple[str, ...]) -> Verdict:
    new = {
        **answer_fields((*question.answers, chosen.answer)),
        "next_review": roll_review(question, as_of=as_of, changed=False),
    }
    reasons = (chosen.comparison.reason, what_is_said(question, chosen))
    field_changes = changes(question, new)
    return Verdict(
        Outcome.alternative, Reading.agrees, field_changes, reasons, flags, confidence(chosen)
    )


def _still_settled(question: Question, chosen: Round) -> bool:
    """True for a fact that never changes, of which the stored answer has as many sources.

    Signs of prompt injection in the evidence are left to a person.
    """
    never = question.fact_type == FactType.never_changing.value
    if not never or any(finding.flags for finding in chosen.response.evidence):
        return False
    stored, proposed = chosen.weighed.stored, chosen.weighed.proposed
    more = len(stored.independent_domains) >= len(proposed.independent_domains)
    return bool(stored.firm) and more


def new_answer(question: Question, chosen: Round, as_of: date) -> Verdict:
    """Return what follows when the response gives another answer than the stored one."""
    feedback = chosen.feedback
    reasons = (what_is_said(question, chosen), *(item.text for item in feedback))
    if not chosen.answer or any(item.code not in _DISAGREEMENTS for item in feedback):
        reading = Reading.other if chosen.response.answer else Reading.nothing
        return Verdict(Outcome.insufficient, reading, reasons=reasons)
    if _still_settled(question, chosen):
        reasons = (what_is_said(question, chosen), _SETTLED)
        return replace(unchanged(question, as_of, _SETTLED, Reading.other), reasons=reasons)
    flags = answer_flags(question, chosen)
    kin = chosen.comparison.agrees is None and contains(chosen.answer, question.primary)
    if kin and not feedback and len(question.answers) < ANSWER_SLOTS:
        return _alternative(question, chosen, as_of, flags)
    outcome = Outcome.conflicting if feedback else Outcome.changed
    reading = Reading.other if feedback else Reading.quoted
    field_changes = candidate(question, chosen, as_of=as_of)
    return Verdict(outcome, reading, field_changes, reasons, flags, confidence(chosen))
