"""From the last round of a check to an outcome and the changes it suggests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from freshqa.checking.feedback import FeedbackCode
from freshqa.checking.loop import Round
from freshqa.checking.support import support
from freshqa.dataset.calendar import roll_review
from freshqa.dataset.question import ANSWER_SLOTS, FactType, Question
from freshqa.maintaining.extract import answer_fields, changes, new_fact
from freshqa.maintaining.proposal import FieldChange, Outcome

SEARCH_ONLY = "search-only"
_MOST_WORDS = 12
"""More words than this are a passage, not a short answer."""


@dataclass(frozen=True)
class Verdict:
    """What a check came to; the fields mean what they mean in `Proposal`."""

    outcome: Outcome
    changes: Mapping[str, FieldChange] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    confidence: float = 0.0


def decide_outcome(
    question: Question, last: Round, risk: float, *, as_of: date, keep_below: float
) -> Verdict:
    """Say what the last round of a check means for the stored row.

    Args:
        question: The stored row.
        last: The last round of the loop.
        risk: Probability that the stored answer is no longer right.
        as_of: Day of the check.
        keep_below: The stored answer is kept on the strength of the evidence alone
            (`search-only`) only below this risk.
    """
    if last.comparison.agrees:
        verdict = _agreed(question, last, risk, as_of)
    elif _kept_by_evidence(question, last, risk, keep_below):
        reason = "The evidence still holds the stored answer."
        verdict = _unchanged(question, risk, as_of, reason)
    elif question.false_premise or last.response.premise_rejected:
        verdict = _premise(question, last, as_of)
    else:
        verdict = _new_answer(question, last, risk, as_of)
    return replace(verdict, flags=(*verdict.flags, *_evidence_flags(last)))


def _agreed(question: Question, last: Round, risk: float, as_of: date) -> Verdict:
    answer = last.response.answer.strip()
    comparison = last.comparison
    fits = 0 < len(answer.split()) <= _MOST_WORDS and len(question.answers) < ANSWER_SLOTS
    if not (comparison.new_form and fits and last.weighed.proposed.firm):
        return _unchanged(question, risk, as_of, comparison.reason)
    new = {
        **answer_fields((*question.answers, answer)),
        "next_review": roll_review(question, as_of=as_of, changed=False),
    }
    reasons = (comparison.reason, "The evidence has the stored fact in these words too.")
    return Verdict(Outcome.alternative, changes(question, new), reasons, confidence=1.0 - risk)


def _unchanged(question: Question, risk: float, as_of: date, reason: str) -> Verdict:
    new = {"next_review": roll_review(question, as_of=as_of, changed=False)}
    return Verdict(Outcome.unchanged, changes(question, new), (reason,), confidence=1.0 - risk)


def _kept_by_evidence(question: Question, last: Round, risk: float, keep_below: float) -> bool:
    if last.response.method != SEARCH_ONLY or question.false_premise:
        return False
    if last.comparison.agrees is False or risk >= keep_below:
        return False
    primary = support(question.primary, last.response.evidence, question=question.text)
    return bool(primary.firm) or bool(last.weighed.stored.firm)


def _premise(question: Question, last: Round, as_of: date) -> Verdict:
    answer = last.response.answer.strip()
    if last.response.method == SEARCH_ONLY:
        reason = "Search alone cannot tell whether a premise holds."
        return Verdict(Outcome.insufficient, reasons=(reason,))
    if not answer or not last.weighed.proposed.supports:
        reason = "The response sees the premise otherwise, but no evidence is quoted for it."
        return Verdict(Outcome.insufficient, reasons=(last.comparison.reason, reason))
    if question.false_premise and last.response.premise_rejected:
        reason = "Premise still false; the rebuttal reads otherwise than the stored one."
        return Verdict(Outcome.insufficient, reasons=(last.comparison.reason, reason))
    fact = _fact(question, last, as_of)
    now_true = question.false_premise
    flip = FieldChange(*(("TRUE", "FALSE") if now_true else ("FALSE", "TRUE")))
    outcome = Outcome.premise_now_true if now_true else Outcome.premise_now_false
    held = {**fact, "false_premise": flip}
    return Verdict(outcome, held, (last.comparison.reason,), confidence=_confidence(last))


def _new_answer(question: Question, last: Round, risk: float, as_of: date) -> Verdict:
    answer = last.response.answer.strip()
    failed = [one.feedback for one in last.guards if one.feedback]
    reasons = (last.comparison.reason, *(item.text for item in failed))
    short = 0 < len(answer.split()) <= _MOST_WORDS
    if not short or any(item.code is FeedbackCode.no_quote for item in failed):
        return Verdict(Outcome.insufficient, reasons=reasons)
    flags = ["never-changing"] if question.fact_type == FactType.never_changing.value else []
    if len(last.weighed.proposed.independent_domains) < 2:
        flags.append("single-source")
    if last.comparison.agrees is None:
        flags.append("unjudged")
    outcome = Outcome.changed
    if failed:
        conflict = (FeedbackCode.conflict, FeedbackCode.old_evidence)
        disagrees = any(item.code in conflict for item in failed)
        outcome = Outcome.conflicting if disagrees else Outcome.insufficient
    return Verdict(outcome, _fact(question, last, as_of), reasons, tuple(flags), _confidence(last))


def _fact(question: Question, last: Round, as_of: date) -> Mapping[str, FieldChange]:
    return new_fact(
        question,
        last.response.answer.strip(),
        as_of=as_of,
        supports=last.weighed.proposed.firm,
        evidence=last.response.evidence,
    )


def _confidence(last: Round) -> float:
    """More independent support, more confidence; support for the stored answer halves it."""
    sources = len(last.weighed.proposed.independent_domains)
    confidence = 1.0 - 0.6**sources
    return confidence / 2 if last.weighed.conflict else confidence


def _evidence_flags(last: Round) -> tuple[str, ...]:
    found = {flag for finding in last.response.evidence for flag in finding.flags}
    return tuple(sorted(f"injection:{flag.removeprefix('injection:')}" for flag in found))
