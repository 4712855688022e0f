"""From the last round of a check to an outcome and the changes it suggests."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from freshqa.checking.facts import contains
from freshqa.checking.feedback import FeedbackCode
from freshqa.checking.loop import Round
from freshqa.checking.recency import overtaken
from freshqa.checking.risk import Reading
from freshqa.checking.risk_features import DIRECT_KINDS
from freshqa.dataset.calendar import roll_review
from freshqa.dataset.question import ANSWER_SLOTS, FactType, Question
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
_STILL_THERE = "The evidence still holds the stored answer."
_PROBABLY_OLD = "The stored answer is still found, but it is probably out of date."
_GONE = "The stored answer is not found where it should be, and no other stands alone."


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
    stands = last.comparison.agrees or (_seen(question, last) and risk < keep_below)
    if stands and not _overtaken(question, last):
        return _unchanged(question, as_of, _STILL_THERE, Reading.nothing)
    if question.false_premise:
        return premise_outcome(question, last, as_of=as_of)
    if last.answer and not last.comparison.agrees:
        verdict = _new_answer(question, last, as_of)
        conflict = verdict.outcome is Outcome.conflicting
        if conflict or (verdict.changes and "single-source" not in verdict.flags):
            return replace(verdict, reading=Reading.nothing)
    seen = bool(last.weighed.stored.firm)
    return Verdict(Outcome.insufficient, reasons=(_PROBABLY_OLD if seen else _GONE,))


def _seen(question: Question, last: Round) -> bool:
    """True when the evidence holds the stored answer, and what answers directly is not another.

    A rebuttal has to be found word for word: single words of it stand everywhere.
    """
    stored = last.weighed.stored
    if last.comparison.agrees is False:
        return False
    direct = {f.id for f in last.response.evidence if f.kind in DIRECT_KINDS}
    if direct and not direct & {found.evidence_id for found in stored.firm}:
        return False
    return bool(stored.firm)


def _overtaken(question: Question, last: Round) -> bool:
    never = question.fact_type == FactType.never_changing.value
    evidence = last.response.evidence
    return not never and overtaken(last.weighed.stored, evidence, question=question.text)


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
