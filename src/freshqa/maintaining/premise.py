"""Premises that came true, and premises that no longer hold."""

from __future__ import annotations

from datetime import date

from freshqa.checking.loop import Round
from freshqa.checking.risk import Reading
from freshqa.dataset.question import Question
from freshqa.maintaining.extract import rebuttal
from freshqa.maintaining.proposal import FieldChange, Outcome
from freshqa.maintaining.verdict import (
    SEARCH_ONLY,
    Verdict,
    answer_flags,
    candidate,
    confidence,
)


def premise_outcome(question: Question, last: Round, *, as_of: date) -> Verdict:
    """What follows when the stored row or the response says that the premise is false.

    A model that answers a false-premise question as asked is mostly wrong, so a premise counts as
    true only when the evidence quotes the answer from two independent sources and none contradicts.
    """
    if last.response.method == SEARCH_ONLY:
        reason = "Search alone cannot tell whether a premise holds."
        return Verdict(Outcome.insufficient, reasons=(reason,))
    if not question.false_premise:
        return _now_false(question, last, as_of)
    if last.response.premise_rejected:
        reason = "The premise is still false, but for other reasons or numbers than stored."
        return Verdict(Outcome.insufficient, Reading.other, reasons=(reason,))
    return _now_true(question, last, as_of)


def _now_false(question: Question, last: Round, as_of: date) -> Verdict:
    text = last.response.answer.strip()
    if not text or not last.weighed.proposed.supports:
        reason = "The response denies the premise, but no evidence says so."
        return Verdict(Outcome.insufficient, Reading.other, reasons=(reason,))
    new = rebuttal(
        question,
        text,
        as_of=as_of,
        supports=last.weighed.proposed.supports,
        evidence=last.response.evidence,
    )
    flip = {**new, "false_premise": FieldChange(question.fields["false_premise"], "TRUE")}
    return Verdict(
        Outcome.premise_now_false,
        Reading.quoted,
        flip,
        (last.comparison.reason, "Evidence says so too."),
        answer_flags(question, last),
        confidence(last),
    )


def _now_true(question: Question, last: Round, as_of: date) -> Verdict:
    sources = last.weighed.proposed.independent_domains
    failed = [one.feedback.text for one in last.guards if one.feedback]
    if not last.answer or failed or len(sources) < 2:
        doubt = "Fewer than two independent sources give an answer."
        reasons = (last.comparison.reason, *(failed or [doubt]))
        return Verdict(Outcome.insufficient, Reading.other, reasons=reasons)
    flip = FieldChange(question.fields["false_premise"], "FALSE")
    changes = {**candidate(question, last, as_of=as_of), "false_premise": flip}
    reasons = (last.comparison.reason, f"{len(sources)} independent sources answer the question.")
    return Verdict(
        Outcome.premise_now_true,
        Reading.quoted,
        changes,
        reasons,
        answer_flags(question, last),
        confidence(last),
    )
