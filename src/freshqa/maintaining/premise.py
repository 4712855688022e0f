"""Premises that came true, and premises that no longer hold."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from freshqa.checking.compare import own_numbers
from freshqa.checking.risk import Reading
from freshqa.checking.round import Round
from freshqa.dataset.question import FactType, Question
from freshqa.maintaining.flags import Flag
from freshqa.maintaining.new_row import rebuttal
from freshqa.maintaining.proposal import FieldChange, Outcome
from freshqa.maintaining.verdict import (
    Verdict,
    answer_flags,
    candidate,
    confidence,
    unchanged,
)


def premise_outcome(question: Question, chosen: Round, *, as_of: date) -> Verdict:
    """Return what follows when the stored row or the response says that the premise is false.

    A model that answers a false-premise question as asked is mostly wrong, so a premise counts as
    true only when the evidence quotes the answer from two independent sources and none contradicts,
    and never where the fact does not change: "Who won the race that was cancelled in 2020?"
    """
    if not question.false_premise:
        return _now_false(question, chosen, as_of)
    if chosen.response.premise_rejected:
        return _still_false(question, chosen, as_of)
    return _now_true(question, chosen, as_of)


def _still_false(question: Question, chosen: Round, as_of: date) -> Verdict:
    """Both reject the premise in different words; a judge or other numbers may distinguish them."""
    differ = "The response rejects the premise too, in other words than the stored rebuttal."
    fast = question.fact_type == FactType.fast_changing.value
    if not chosen.response.answer:
        return Verdict(Outcome.insufficient, reasons=(chosen.comparison.reason,))
    if chosen.comparison.agrees is False or fast or _other_numbers(question, chosen):
        reason = "The premise is still false, but the rebuttal may say something else."
        return Verdict(
            Outcome.insufficient, Reading.other, reasons=(chosen.comparison.reason, reason)
        )
    verdict = unchanged(question, as_of, differ, Reading.agrees)
    return replace(verdict, flags=(Flag.rebuttal_differs,))


def _other_numbers(question: Question, chosen: Round) -> bool:
    stored = [own_numbers(answer, question.text) for answer in question.answers]
    said = own_numbers(chosen.response.text, question.text)
    return any(stored) and not any(numbers <= said for numbers in stored)


def _now_false(question: Question, chosen: Round, as_of: date) -> Verdict:
    text = chosen.response.answer.strip()
    if not text or not chosen.weighed.proposed.supports:
        reason = "The response denies the premise, but no evidence says so."
        return Verdict(Outcome.insufficient, Reading.other, reasons=(reason,))
    new = rebuttal(
        question,
        text,
        as_of=as_of,
        supports=chosen.weighed.proposed.supports,
        evidence=chosen.response.evidence,
    )
    flip = {**new, "false_premise": FieldChange(question.fields["false_premise"], "TRUE")}
    return Verdict(
        Outcome.premise_now_false,
        Reading.quoted,
        flip,
        (chosen.comparison.reason, "Evidence says so too."),
        answer_flags(question, chosen),
        confidence(chosen),
    )


def _now_true(question: Question, chosen: Round, as_of: date) -> Verdict:
    sources = chosen.weighed.proposed.independent_domains
    failed = [item.text for item in chosen.feedback]
    if chosen.response.premise_doubtful:
        failed.append("The response answers the question, and its label calls the premise false.")
    if question.fact_type == FactType.never_changing.value:
        failed.append("A premise that is false for ever does not come true.")
    if not chosen.answer or failed or len(sources) < 2:
        doubt = "Fewer than two independent sources give an answer."
        reasons = (chosen.comparison.reason, *(failed or [doubt]))
        return Verdict(Outcome.insufficient, Reading.other, reasons=reasons)
    flip = FieldChange(question.fields["false_premise"], "FALSE")
    changes = {**candidate(question, chosen, as_of=as_of), "false_premise": flip}
    reasons = (chosen.comparison.reason, f"{len(sources)} independent sources answer the question.")
    return Verdict(
        Outcome.premise_now_true,
        Reading.quoted,
        changes,
        reasons,
        answer_flags(question, chosen),
        confidence(chosen),
    )


REBUTTAL_WORDS = 3
"""The shortest rebuttal in eight official releases has four words ("Venus has no moons.")."""
_ASKS_FOR_A_THING = re.compile(r"(?:who|what|which|when|where|in (?:what|which))\b", re.IGNORECASE)
_DENIES = re.compile(
    r"\b(?:has|have|had|is|was|were|will|did|does)(?: not|n['’]t| never)\b"
    r"|\bno longer\b|\bnot yet\b|\b(?:still )?(?:ongoing|airing)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s")


def flag_fits(question: str, answer: str, *, false_premise: bool) -> bool:
    """Return False for a rebuttal that is only a name or a number, and for an unflagged denial.

    Args:
        question: The wording: only who, what, which, when and where can be denied.
    """
    if false_premise:
        return len(answer.split()) >= REBUTTAL_WORDS
    first = _SENTENCE.split(answer.strip())[0]
    return not (_ASKS_FOR_A_THING.match(question.strip()) and _DENIES.search(first))
