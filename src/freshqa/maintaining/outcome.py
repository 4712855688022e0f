"""From the last round of a check to an outcome and the changes it suggests."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from freshqa.checking.facts import contains
from freshqa.checking.feedback import FeedbackCode
from freshqa.checking.loop import Round
from freshqa.checking.risk import Reading
from freshqa.dataset.calendar import roll_review
from freshqa.dataset.question import ANSWER_SLOTS, Question
from freshqa.maintaining.extract import answer_fields, changes
from freshqa.maintaining.premise import premise_outcome
from freshqa.maintaining.proposal import Outcome
from freshqa.maintaining.verdict import (
    SEARCH_ONLY,
    Verdict,
    answer_flags,
    candidate,
    confidence,
    evidence_flags,
)

_DISAGREEMENTS = frozenset({FeedbackCode.conflict, FeedbackCode.old_evidence})
_ALREADY_READ = "The evidence still holds the stored answer."


def decide_outcome(
    question: Question, last: Round, risk: float, *, as_of: date, keep_below: float
) -> Verdict:
    """Say what the last round of a check means for the stored row.

    Args:
        question: The stored row.
        last: The last round of the loop.
        risk: Probability that the stored answer is no longer right, from schedule and evidence.
        as_of: Day of the check.
        keep_below: `search-only` keeps a stored answer on the strength of the evidence alone only
            below this risk.
    """
    if last.response.method == SEARCH_ONLY:
        verdict = _by_search(question, last, risk, as_of, keep_below)
    elif last.comparison.agrees:
        verdict = _agreed(question, last, as_of)
    elif question.false_premise or last.response.premise_rejected:
        verdict = premise_outcome(question, last, as_of=as_of)
    else:
        verdict = _new_answer(question, last, as_of)
    return replace(verdict, flags=(*verdict.flags, *evidence_flags(last)))


def _by_search(
    question: Question, last: Round, risk: float, as_of: date, keep_below: float
) -> Verdict:
    """Without a model there is no understanding: the stored answer is seen again, or it is not."""
    if question.false_premise:
        return premise_outcome(question, last, as_of=as_of)
    seen = last.comparison.agrees or bool(last.weighed.stored.firm)
    if seen and last.comparison.agrees is not False and risk < keep_below:
        return _unchanged(question, as_of, _ALREADY_READ, Reading.nothing)
    if last.answer and not last.comparison.agrees:
        verdict = _new_answer(question, last, as_of)
        if verdict.outcome is Outcome.conflicting or "single-source" not in verdict.flags:
            return replace(verdict, reading=Reading.nothing)
    if seen:
        reason = "The stored answer is still found, but it is probably out of date."
    else:
        reason = "The stored answer is no longer found, and no other answer stands alone."
    return Verdict(Outcome.insufficient, reasons=(reason,))


def _agreed(question: Question, last: Round, as_of: date) -> Verdict:
    comparison = last.comparison
    room = len(question.answers) < ANSWER_SLOTS
    if not (comparison.new_form and room and last.answer and last.weighed.proposed.firm):
        return _unchanged(question, as_of, comparison.reason, Reading.agrees)
    return _alternative(question, last, as_of, ())


def _alternative(question: Question, last: Round, as_of: date, flags: tuple[str, ...]) -> Verdict:
    new = {
        **answer_fields((*question.answers, last.answer)),
        "next_review": roll_review(question, as_of=as_of, changed=False),
    }
    reasons = (last.comparison.reason, "Evidence has the answer in these words too.")
    made = changes(question, new)
    sure = confidence(last)
    return Verdict(Outcome.alternative, Reading.agrees, made, reasons, flags, sure)


def _unchanged(question: Question, as_of: date, reason: str, reading: Reading) -> Verdict:
    new = {"next_review": roll_review(question, as_of=as_of, changed=False)}
    return Verdict(Outcome.unchanged, reading, changes(question, new), (reason,))


def _new_answer(question: Question, last: Round, as_of: date) -> Verdict:
    failed = [one.feedback for one in last.guards if one.feedback]
    reasons = (last.comparison.reason, *(item.text for item in failed))
    if any(item.code not in _DISAGREEMENTS for item in failed) or not last.answer:
        reading = Reading.other if last.response.answer else Reading.nothing
        return Verdict(Outcome.insufficient, reading, reasons=reasons)
    flags = answer_flags(question, last)
    kin = "unjudged" in flags and contains(last.answer, question.primary)
    if kin and not failed and len(question.answers) < ANSWER_SLOTS:
        return _alternative(question, last, as_of, flags)
    outcome = Outcome.conflicting if failed else Outcome.changed
    reading = Reading.other if failed else Reading.quoted
    made = candidate(question, last, as_of=as_of)
    return Verdict(outcome, reading, made, reasons, flags, confidence(last))
