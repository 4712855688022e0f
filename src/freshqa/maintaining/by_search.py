"""Conclusions from a search alone: the stored answer occurs in it, or not."""

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
    question: Question, chosen: Round, risk: float, *, as_of: date, keep_below: float
) -> Verdict:
    """Judge a check that no model has read.

    A new answer is proposed only when an answer box states it alone and a second source agrees.

    Args:
        chosen: The only round.
        risk: Probability that the stored answer is no longer right.
        keep_below: Above this risk a stored answer that is seen is not kept.
    """
    stands = chosen.comparison.agrees or (_seen(chosen) and risk < keep_below)
    if stands and not _overtaken(question, chosen):
        return unchanged(question, as_of, _STILL_THERE, Reading.nothing)
    if question.false_premise:
        return Verdict(Outcome.insufficient, reasons=(_NO_PREMISE,))
    if chosen.answer and chosen.comparison.agrees is not True:
        verdict = _another(question, chosen, as_of)
        if verdict is not None:
            return verdict
    reason = _PROBABLY_OLD if chosen.weighed.stored.firm else _GONE
    return Verdict(Outcome.insufficient, reasons=(reason, what_else(question, chosen)))


def _another(question: Question, chosen: Round, as_of: date) -> Verdict | None:
    """Return the answer box's own answer as a proposal, when there is enough for one."""
    sources = len(chosen.weighed.proposed.independent_domains)
    outcome = Outcome.conflicting if chosen.weighed.conflict else Outcome.changed
    if not chosen.weighed.proposed.firm:
        return None
    if outcome is Outcome.changed and sources < _FEWEST_SOURCES:
        return None
    return Verdict(
        outcome,
        Reading.nothing,
        candidate(question, chosen, as_of=as_of),
        (what_is_said(question, chosen), *(item.text for item in chosen.feedback)),
        answer_flags(question, chosen),
        confidence(chosen),
    )


def _seen(chosen: Round) -> bool:
    """True when the evidence holds the stored answer, and what answers directly is not another."""
    stored = chosen.weighed.stored
    if chosen.comparison.agrees is False:
        return False
    direct = {f.id for f in chosen.response.evidence if f.kind in DIRECT_KINDS}
    if direct and not direct & {support.evidence_id for support in stored.firm}:
        return False
    return bool(stored.firm)


def _overtaken(question: Question, chosen: Round) -> bool:
    never = question.fact_type == FactType.never_changing.value
    evidence = chosen.response.evidence
    return not never and overtaken(chosen.weighed.stored, evidence, question=question.text)
