"""Another model or engine, asked if its answer can change the outcome of a check.

It only ever makes a decision harder: who agrees adds a reason, who disagrees a flag that no policy
accepts, or a conflict that a person decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from freshqa.answering.language_model import Completion
from freshqa.answering.response import Response
from freshqa.checking.calibration import kept_right, proposed_right
from freshqa.checking.equivalence import EquivalenceJudge
from freshqa.checking.risk import Reading, after_reading
from freshqa.checking.round import Round, verify
from freshqa.dataset.question import Question
from freshqa.errors import FreshQAError, StoreError
from freshqa.evidence.search_engine import SearchResult
from freshqa.facts.same_fact import Relation, relation
from freshqa.maintaining.flags import Flag
from freshqa.maintaining.proposal import Outcome
from freshqa.maintaining.verdict import Verdict, candidate

AskSecond = Callable[[Response], Response]
"""Answers the question by another model or engine, given the first response."""
CERTAIN = 0.95
"""Probability of being right from which no second opinion is asked for."""
_KEPT = (Outcome.unchanged, Outcome.alternative)
_SAME = (Relation.same, Relation.variant)


@dataclass(frozen=True)
class Opinion:
    """The result of a second opinion.

    Args:
        verdict: The verdict after it.
        record: For the ledger; None without a second opinion.
        calls: What it cost.
    """

    verdict: Verdict
    record: Mapping[str, Any] | None = None
    calls: tuple[SearchResult | Completion, ...] = field(default=())


def in_doubt(verdict: Verdict, risk: float) -> bool:
    """Return whether another opinion could change the outcome.

    Only a conclusion without a person can change: what is kept or proposed, while it is not certain.
    """
    if verdict.outcome in _KEPT:
        return kept_right(after_reading(risk, verdict.reading)) < CERTAIN
    sure = proposed_right(after_reading(risk, verdict.reading), verdict.confidence)
    return verdict.outcome is Outcome.changed and sure < CERTAIN


def second_opinion(
    question: Question,
    verdict: Verdict,
    chosen: Round,
    risk: float,
    ask: AskSecond | None,
    *,
    as_of: date,
    judge: EquivalenceJudge | None = None,
) -> Opinion:
    """Ask another model or engine, if there is one and it could change the outcome.

    Args:
        question: The stored row.
        verdict: What the check concludes.
        chosen: The round that it rests on.
        risk: Probability that the stored answer is no longer right, from schedule and evidence.
        ask: The other one; None for no second opinion.
        as_of: Day of the check.
        judge: Asked whether its response agrees where words do not tell.

    Raises:
        StoreError: The ledger does not take the call.
    """
    if ask is None or not in_doubt(verdict, risk):
        return Opinion(verdict)
    try:
        other = verify(1, ask(chosen.response), question, judge=judge)
    except StoreError:
        raise
    except FreshQAError as failure:
        reason = f"A second opinion was not available: {failure.message}"
        missing = replace(verdict, flags=(*verdict.flags, Flag.second_missing))
        missing = replace(missing, reasons=(*missing.reasons, reason))
        return Opinion(missing, {"asked": True, "answer": "", "agrees": None, "changed": False})
    agrees = _agrees(question, verdict, chosen, other)
    after = _weighed(question, verdict, other, agrees, as_of)
    judged = other.comparison.judgement.completions if other.comparison.judgement else ()
    record = {
        "asked": True,
        "model": other.response.model,
        "answer": other.answer,
        "agrees": agrees,
        "changed": after.outcome is not verdict.outcome,
    }
    calls: tuple[SearchResult | Completion, ...] = (
        *_new_searches(chosen, other),
        *other.response.completions,
        *judged,
    )
    return Opinion(after, record, calls)


def _agrees(question: Question, verdict: Verdict, first: Round, other: Round) -> bool | None:
    """Return whether the second opinion reaches the same conclusion; None when it gives no answer."""
    if other.comparison.agrees:
        return verdict.outcome in _KEPT
    if not other.answer:
        return None
    return verdict.outcome is Outcome.changed and relation(other.answer, first.answer) in _SAME


def _weighed(
    question: Question, verdict: Verdict, other: Round, agrees: bool | None, as_of: date
) -> Verdict:
    who = other.response.model or "the second engine"
    if agrees:
        return replace(verdict, reasons=(*verdict.reasons, f"A second opinion ({who}) agrees."))
    said = repr(other.answer) if other.answer else "nothing"
    reasons = (*verdict.reasons, f"A second opinion ({who}) says {said}.")
    flags = (*verdict.flags, Flag.second_differs)
    doubted = replace(verdict, reasons=reasons, flags=flags, confidence=verdict.confidence / 2)
    if verdict.outcome is Outcome.changed and other.comparison.agrees:
        return replace(doubted, outcome=Outcome.conflicting, reading=Reading.other)
    supported = bool(other.answer) and all(guard.passed for guard in other.guards)
    if verdict.outcome in _KEPT and supported and not question.false_premise:
        changes = candidate(question, other, as_of=as_of)
        return replace(doubted, outcome=Outcome.conflicting, reading=Reading.other, changes=changes)
    return doubted


def _new_searches(first: Round, other: Round) -> tuple[SearchResult, ...]:
    known = {id(result.body) for result in first.response.searches}
    return tuple(result for result in other.response.searches if id(result.body) not in known)
