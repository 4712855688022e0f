"""One question, checked again: ask, compare, verify, and say what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from freshqa.answering.language_model import Completion
from freshqa.checking.history import ChangeHistory
from freshqa.checking.judgement import Judge
from freshqa.checking.loop import Ask, LoopSettings, run_loop
from freshqa.checking.policy import Policy, fixed_policy
from freshqa.checking.risk import after_reading, prior_risk, risk
from freshqa.checking.round import Round
from freshqa.dataset.question import Question
from freshqa.errors import FreshQAError
from freshqa.evidence.search_engine import SearchResult
from freshqa.maintaining.draft import proposed_answers
from freshqa.maintaining.outcome import decide_outcome
from freshqa.maintaining.proposal import CheckedQuestion, Outcome, Proposal
from freshqa.maintaining.suggest import suggestions
from freshqa.maintaining.verdict import LIMITS, Limits, Verdict


@dataclass(frozen=True)
class CheckSettings:
    """How a question is checked.

    Args:
        max_rounds: Most rounds of asking and verifying.
        loop_policy: Who decides what follows a round: a name of `FIXED_POLICIES`.
        limits: Where risk decides.
    """

    max_rounds: int = 3
    loop_policy: str = "rule"
    limits: Limits = LIMITS


def recheck(
    question: Question,
    *,
    as_of: date,
    ask: Ask,
    settings: CheckSettings = CheckSettings(),
    history: ChangeHistory | None = None,
    judge: Judge | None = None,
    policy: Policy | None = None,
) -> CheckedQuestion:
    """Check one question against the world.

    Args:
        question: The stored row, with its key.
        as_of: Day of the check.
        ask: Answers the question; gets feedback and the response it is about from round two on.
        settings: How to check.
        history: What is known of the question's past.
        judge: Decides whether a response agrees with the stored answers where words do not.
        policy: A learned policy, instead of the one that `settings` names.

    Returns:
        The outcome, and a proposal wherever something is to be decided. A failure of a provider or
        an exhausted budget is outcome `failed` with its kind and message; it is never raised.

    Raises:
        UsageError: The settings name no loop policy.
    """
    loop = LoopSettings(settings.max_rounds, policy or fixed_policy(settings.loop_policy), judge)
    try:
        rounds = run_loop(
            question,
            ask,
            risk=lambda evidence: risk(question, evidence, history, as_of=as_of),
            settings=loop,
        )
    except FreshQAError as failure:
        return CheckedQuestion(
            key=question.key,
            question=question.text,
            outcome=Outcome.failed,
            risk=prior_risk(question, as_of=as_of, history=history),
            stored=question.answers,
            error=f"{failure.kind.value}: {failure}",
        )
    before = risk(question, rounds[-1].response.evidence, history, as_of=as_of)
    verdict, chosen = decide_outcome(question, rounds, before, as_of=as_of, limits=settings.limits)
    stale = after_reading(before, verdict.reading)
    asides = suggestions(question, verdict.outcome, history=history)
    proposal = _proposal(question, chosen, stale, verdict, asides)
    return _checked(question, rounds, chosen, stale, proposal, verdict.outcome)


def _checked(
    question: Question,
    rounds: list[Round],
    chosen: Round,
    stale: float,
    proposal: Proposal | None,
    outcome: Outcome,
) -> CheckedQuestion:
    response = chosen.response
    searches, completions = _calls(rounds)
    calls: tuple[SearchResult | Completion, ...] = (*searches, *completions)
    cost = sum((call.cost_usd for call in calls), Decimal(0))
    return CheckedQuestion(
        key=question.key,
        question=question.text,
        outcome=outcome,
        risk=stale,
        stored=question.answers,
        proposed=proposed_answers(proposal) if proposal else (),
        response=response.text,
        evidence=response.evidence,
        rounds=tuple(one.to_json() for one in rounds),
        proposal=replace(proposal, cost_usd=cost) if proposal else None,
        searches=len(searches),
        completions=len(completions),
        tokens=sum(completion.usage.total for completion in completions),
        cost_usd=cost,
        seconds=sum(call.seconds for call in calls),
    )


def _calls(rounds: list[Round]) -> tuple[list[SearchResult], list[Completion]]:
    """Every call made, once; a later round carries the searches of the round before."""
    searches: dict[int, SearchResult] = {}
    completions: dict[int, Completion] = {}
    for one in rounds:
        searches.update({id(call): call for call in one.response.searches})
        completions.update({id(call): call for call in one.response.completions})
        judged = one.comparison.judgement.completions if one.comparison.judgement else ()
        completions.update({id(call): call for call in judged})
    return list(searches.values()), list(completions.values())


def _proposal(
    question: Question,
    chosen: Round,
    stale: float,
    verdict: Verdict,
    asides: Mapping[str, str],
) -> Proposal | None:
    """What is to be decided; nothing when the row stays exactly as it is."""
    if verdict.outcome is Outcome.unchanged and not verdict.changes and not asides:
        return None
    response = chosen.response
    sure = 1.0 - stale if verdict.outcome is Outcome.unchanged else verdict.confidence
    return Proposal(
        key=question.key,
        question=question.text,
        base_revision=question.revision_hash,
        outcome=verdict.outcome,
        changes=verdict.changes,
        evidence=response.evidence,
        quotes=chosen.weighed.proposed.quotes or chosen.weighed.stored.quotes,
        risk=stale,
        confidence=sure,
        flags=verdict.flags,
        reasons=tuple(reason for reason in verdict.reasons if reason),
        suggestions=asides,
        method=response.method,
        model=response.model,
        prompt_hash=response.prompt_hash,
        raw_response=response.text,
        stored=question.answers,
    )
