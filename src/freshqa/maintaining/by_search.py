"""What a search alone can say: the stored answer is seen again, or it is not."""

from __future__ import annotations

from datetime import date

from freshqa.checking.recency import overtaken
from freshqa.checking.risk import Reading
from freshqa.checking.risk_features import DIRECT_KINDS
from freshqa.checking.round import Round
from freshqa.dataset.question import FactType, Question
from freshqa.maintaining.proposal import Outcome
from freshqa.maintaining.verdict import (
    Verdict,
    answer_flags,
    candidate,
    confidence,
    unchanged,
)
from freshqa.maintaining.wording import what_else, what_is_said

_STILL_THERE = "The evidence still holds the stored answer."
_PROBABLY_OLD = "The stored answer is still found, but it is probably out of date."
_GONE = "The stored answer is not found where it should be."
_NO_PREMISE = "Search alone cannot tell whether a premise holds."
_FEWEST_SOURCES = 2


def outcome_by_search(
    question: Question, one: Round, risk: float, *, as_of: date, keep_below: float
) -> Verdict:
    """Judge a check that no model has read.

    A new answer is proposed only when an answer box states it alone and a second source agrees.

    Args:
        one: The only round.
        risk: Probability that the stored answer is no longer right.
        keep_below: Above this risk a stored answer that is seen is not kept.
    """
    stands = one.comparison.agrees or (_seen(one) and risk < keep_below)
    if stands and not _overtaken(question, one):
        return unchanged(question, as_of, _STILL_THERE, Reading.nothing)
    if question.false_premise:
        return Verdict(Outcome.insufficient, reasons=(_NO_PREMISE,))
    if one.answer and one.comparison.agrees is not True:
        verdict = _another(question, one, as_of)
        if verdict is not None:
            return verdict
    reason = _PROBABLY_OLD if one.weighed.stored.firm else _GONE
    return Verdict(Outcome.insufficient, reasons=(reason, what_else(question, one)))


def _another(question: Question, one: Round, as_of: date) -> Verdict | None:
    """Return the answer box's own answer as a proposal, when there is enough for one."""
    sources = len(one.weighed.proposed.independent_domains)
    outcome = Outcome.conflicting if one.weighed.conflict else Outcome.changed
    if not one.weighed.proposed.firm:
        return None
    if outcome is Outcome.changed and sources < _FEWEST_SOURCES:
        return None
    return Verdict(
        outcome,
        Reading.nothing,
        candidate(question, one, as_of=as_of),
        (what_is_said(question, one), *(item.text for item in one.feedback)),
        answer_flags(question, one),
        confidence(one),
    )


def _seen(one: Round) -> bool:
    """True when the evidence holds the stored answer, and what answers directly is not another."""
    stored = one.weighed.stored
    if one.comparison.agrees is False:
        return False
    direct = {f.id for f in one.response.evidence if f.kind in DIRECT_KINDS}
    if direct and not direct & {found.evidence_id for found in stored.firm}:
        return False
    return bool(stored.firm)


def _overtaken(question: Question, one: Round) -> bool:
    never = question.fact_type == FactType.never_changing.value
    evidence = one.response.evidence
    return not never and overtaken(one.weighed.stored, evidence, question=question.text)
