"""Check one question again: ask, compare, verify, and conclude."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from freshqa.answering.language_model import Completion
from freshqa.checking.change_rate import ChangeHistory
from freshqa.checking.criticism import Critic
from freshqa.checking.equivalence import EquivalenceJudge
from freshqa.checking.loop import Ask, LoopSettings, Tools, run_loop
from freshqa.checking.policy import Policy, fixed_policy
from freshqa.checking.probe import AskFrom, Grounding, probe
from freshqa.checking.risk import Reading, after_reading, prior_risk, risk
from freshqa.checking.round import Round
from freshqa.checking.source_weights import NO_WEIGHTS, SourceWeights
from freshqa.checking.topics import topic
from freshqa.dataset.question import Question
from freshqa.errors import FreshQAError, StoreError
from freshqa.evidence.leaks import MIRRORS, copies_in
from freshqa.evidence.parsing import parse
from freshqa.last_call import remembering_last
from freshqa.maintaining.check_record import make_checked, make_proposal
from freshqa.maintaining.flags import Flag
from freshqa.maintaining.outcome import decide_outcome
from freshqa.maintaining.proposal import CheckedQuestion, Outcome
from freshqa.maintaining.second_opinion import AskSecond, second_opinion
from freshqa.maintaining.source_history import weighed_sources
from freshqa.maintaining.suggest import suggestions
from freshqa.maintaining.verdict import LIMITS, Limits, Verdict, unchanged


@dataclass(frozen=True)
class CheckSettings:
    """Settings of a check.

    Args:
        max_rounds: Maximum number of rounds of asking and verifying.
        loop_policy: Who decides what follows a round: a name of `FIXED_POLICIES`.
        limits: Where risk decides.
        stop_early: Whether the check may end after the search where the risk is so low that an
            answer would not be worth its cost, and where the row stays exactly as it is: nothing is
            decided automatically that was not asked.
        mirrors: Parts of addresses whose pages copy the benchmark, beside the known ones.
    """

    max_rounds: int = 3
    loop_policy: str = "rule"
    limits: Limits = LIMITS
    stop_early: bool = False
    mirrors: tuple[str, ...] = ()


@dataclass(frozen=True)
class Helpers:
    """Optional helpers of a check.

    Args:
        policy: A learned policy, instead of the one that the settings name.
        critic: Words the feedback of a round, instead of templates.
        ask_from: Answers from given search results: proposed changes are then probed.
        tools: What the policy may acquire besides an answer from evidence.
        sources: What earlier decisions say of sites.
        second: Another model or engine, asked where it can change the outcome.
    """

    policy: Policy | None = None
    critic: Critic | None = None
    ask_from: AskFrom | None = None
    tools: Tools | None = None
    sources: SourceWeights = NO_WEIGHTS
    second: AskSecond | None = None


def recheck(
    question: Question,
    *,
    as_of: date,
    ask: Ask,
    settings: CheckSettings = CheckSettings(),
    history: ChangeHistory | None = None,
    judge: EquivalenceJudge | None = None,
    helpers: Helpers = Helpers(),
) -> CheckedQuestion:
    """Check one question against current evidence.

    Args:
        question: The stored row, with its key.
        ask: Answers the question; gets feedback and the response it is about from round two on.
        history: What is known of the question's past.
        judge: Decides whether a response agrees with the stored answers where words do not.
        helpers: A learned policy, a critic, a probe.

    Returns:
        The outcome, and a proposal wherever something is to be decided. A failure of a provider or
        an exhausted budget is outcome `failed` with its kind and message; it is never raised.

    Raises:
        UsageError: The settings name no loop policy.
        StoreError: The ledger does not take what was found.
    """
    policy = helpers.policy or fixed_policy(settings.loop_policy)
    stops = settings.stop_early and _stays(question, as_of)
    loop = LoopSettings(settings.max_rounds, policy, judge, helpers.critic, stops)
    weighed = remembering_last(lambda evidence: risk(question, evidence, history, as_of=as_of))
    try:
        rounds = run_loop(
            question,
            ask,
            risk=weighed,
            settings=loop,
            tools=helpers.tools,
        )
    except StoreError:  # no finding about the question, and no more calls are allowed
        raise
    except FreshQAError as failure:
        return _failed(question, failure, prior_risk(question, as_of=as_of, history=history))
    before = weighed(rounds[-1].response.evidence)
    verdict, chosen = decide_outcome(question, rounds, before, as_of=as_of, limits=settings.limits)
    verdict = flagged_copies(question, verdict, chosen, settings.mirrors)
    verdict, probed = probe_change(verdict, chosen, helpers.ask_from)
    verdict = weighed_sources(verdict, chosen, helpers.sources)
    opinion = second_opinion(
        question, verdict, chosen, before, helpers.second, as_of=as_of, judge=judge
    )
    verdict = opinion.verdict
    stale = after_reading(before, verdict.reading)
    change = verdict.changes.get("answer_0")
    new = change.new if change else ""
    counted = partial(helpers.sources.sources, topic=topic(question.text))
    asides = suggestions(question, verdict.outcome, history=history, answer=new, chosen=chosen)
    return make_checked(
        question,
        rounds,
        chosen,
        make_proposal(question, chosen, stale, verdict, asides, as_of=as_of, sources=counted),
        outcome=verdict.outcome,
        risk=stale,
        others=(*probed, *opinion.calls),
        second=opinion.record,
    )


def flagged_copies(
    question: Question, verdict: Verdict, chosen: Round, mirrors: tuple[str, ...]
) -> Verdict:
    """Return the verdict with a flag where a copy of the benchmark was found and left out."""
    known = (*MIRRORS, *mirrors)
    parsed = (parse(result) for result in chosen.response.searches)
    if not any(copies_in(findings, question.text, mirrors=known) for findings in parsed):
        return verdict
    return replace(verdict, flags=(*verdict.flags, Flag.benchmark_copy))


def _stays(question: Question, as_of: date) -> bool:
    """Return whether an unchanged fact leaves the row, its review date included, as it is."""
    kept = unchanged(question, as_of, "", Reading.nothing)
    return kept.outcome is Outcome.unchanged and not kept.changes and not kept.flags


def _failed(question: Question, failure: FreshQAError, risk: float) -> CheckedQuestion:
    return CheckedQuestion(
        key=question.key,
        question=question.text,
        outcome=Outcome.failed,
        risk=risk,
        stored=question.answers,
        tokens=failure.tokens,  # the tokens of an unusable reply; usable ones are in the ledger
        cost_usd=failure.cost_usd,
        error=f"{failure.kind.value}: {failure}",
        error_kind=failure.kind,
    )


def probe_change(
    verdict: Verdict, chosen: Round, ask_from: AskFrom | None
) -> tuple[Verdict, tuple[Completion, ...]]:
    """Return the verdict after the metamorphic probe of a change, and the completions that it cost.

    A change that the method only remembers becomes `insufficient`; a probe that shows nothing, or
    that the provider fails, leaves a flag.
    """
    if verdict.outcome is not Outcome.changed or ask_from is None:
        return verdict, ()
    try:
        shown = probe(chosen.answer, chosen.response, ask_from)
    except FreshQAError:
        return replace(verdict, flags=(*verdict.flags, Flag.unprobed)), ()
    if shown.grounding is Grounding.evidence:
        return verdict, shown.response.completions
    if shown.grounding is Grounding.unclear:
        return replace(verdict, flags=(*verdict.flags, Flag.unprobed)), shown.response.completions
    reason = f"With {shown.forged!r} put into the evidence the method still says {chosen.answer!r}."
    remembered = replace(
        verdict,
        outcome=Outcome.insufficient,
        changes={},
        flags=(*verdict.flags, Flag.from_memory),
        reasons=(*verdict.reasons, reason),
    )
    return remembered, shown.response.completions
