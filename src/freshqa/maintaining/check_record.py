"""The result of a check, as the records of the ledger."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from freshqa.answering.language_model import Completion
from freshqa.checking.candidate import Candidate
from freshqa.checking.candidates import candidates
from freshqa.checking.round import Round
from freshqa.dataset.question import Question
from freshqa.evidence.search_engine import SearchResult
from freshqa.facts.tokens import fold
from freshqa.maintaining.draft import proposed_answers
from freshqa.maintaining.proposal import CheckedQuestion, Outcome, Proposal
from freshqa.maintaining.suggest import Suggestion
from freshqa.maintaining.verdict import Verdict

_STORED_STANDS = (Outcome.unchanged, Outcome.alternative)
"""Outcomes after which the stored answer is still right, so that no other is to be picked."""


def make_proposal(
    question: Question,
    chosen: Round,
    risk: float,
    verdict: Verdict,
    asides: Mapping[str, Suggestion],
    *,
    as_of: date,
    sources: Callable[[Collection[str]], float] = len,
) -> Proposal | None:
    """Return the proposal of a check with searches; None when the row stays exactly as it is.

    Args:
        question: The stored row.
        chosen: The round that the verdict rests on.
        risk: Probability that the stored answer is no longer right.
        verdict: The conclusion of the check.
        asides: Column → suggestion for a column besides the answers.
        as_of: Day of the check.
        sources: Counts the independent sources among some domains, to order the candidates.
    """
    if verdict.outcome is Outcome.unchanged and not verdict.changes and not asides:
        return None
    response = chosen.response
    stands = verdict.outcome in _STORED_STANDS
    return replace(
        proposal_for(question, verdict, risk, as_of=as_of),
        evidence=response.evidence,
        quotes=chosen.weighed.proposed.quotes or chosen.weighed.stored.quotes,
        suggestions={column: suggestion.words for column, suggestion in asides.items()},
        suggested_values={
            column: suggestion.value for column, suggestion in asides.items() if suggestion.value
        },
        candidates=() if stands else other_answers(question, chosen, verdict, sources=sources),
        method=response.method,
        model=response.model,
        prompt_hash=response.prompt_hash,
        raw_response=response.text,
    )


def proposal_for(question: Question, verdict: Verdict, risk: float, *, as_of: date) -> Proposal:
    """Return the proposal that a verdict on a row makes, without evidence and provenance.

    Args:
        question: The stored row.
        verdict: Outcome, changes, flags and reasons.
        risk: Probability that the stored answer is no longer right.
        as_of: Day of the check.
    """
    agreed = verdict.outcome is Outcome.unchanged
    return Proposal(
        key=question.key,
        question=question.text,
        base_revision=question.revision_hash,
        outcome=verdict.outcome,
        changes=verdict.changes,
        risk=risk,
        confidence=1.0 - risk if agreed else verdict.confidence,
        flags=verdict.flags,
        reasons=tuple(reason for reason in verdict.reasons if reason),
        stored=question.answers,
        as_of=as_of,
    )


def other_answers(
    question: Question,
    chosen: Round,
    verdict: Verdict,
    *,
    sources: Callable[[Collection[str]], float] = len,
) -> tuple[Candidate, ...]:
    """Return answers to pick instead of the proposed one: the response's own, then the evidence's."""
    proposed = verdict.changes["answer_0"].new if "answer_0" in verdict.changes else ""
    said = "" if chosen.response.premise_rejected else chosen.answer
    own = Candidate(said, len(chosen.weighed.proposed.independent_domains))
    others = candidates(question, chosen.response.evidence, sources=sources)
    known = [fold(proposed), *(fold(answer) for answer in question.answers)]
    picked: dict[str, Candidate] = {}
    for candidate in (own, *others):
        form = fold(candidate.text)
        if form and form not in known:
            picked.setdefault(form, candidate)
    return tuple(picked.values())


def make_checked(
    question: Question,
    rounds: Sequence[Round],
    chosen: Round,
    proposal: Proposal | None,
    *,
    outcome: Outcome,
    risk: float,
    others: Sequence[Completion | SearchResult] = (),
    second: Mapping[str, Any] | None = None,
) -> CheckedQuestion:
    """Return the record of a check with searches.

    Args:
        chosen: The round that the outcome rests on.
        proposal: What is to be decided, if anything.
        outcome: The outcome of the check.
        risk: Probability that the stored answer is no longer right.
        others: Calls outside the rounds, as of a probe or a second opinion.
        second: What became of a second opinion; kept with the last round.
    """
    searches, completions = _calls(rounds, others)
    calls: tuple[SearchResult | Completion, ...] = (*searches, *completions)
    records = [current.to_json() for current in rounds]
    if second is not None and records:
        records[-1]["second"] = dict(second)
    cost = sum((call.cost_usd for call in calls), Decimal(0))
    paid_proposal = replace(proposal, cost_usd=cost) if proposal else None
    return replace(
        checked_question(question, outcome, risk, paid_proposal),
        response=chosen.response.text,
        evidence=chosen.response.evidence,
        rounds=tuple(records),
        searches=len(searches),
        completions=len(completions),
        tokens=sum(completion.usage.total for completion in completions),
        cost_usd=cost,
        seconds=sum(call.seconds for call in calls),
    )


def checked_question(
    question: Question, outcome: Outcome, risk: float, proposal: Proposal | None
) -> CheckedQuestion:
    """Return the record of a check of a row, without response, evidence and calls."""
    return CheckedQuestion(
        key=question.key,
        question=question.text,
        outcome=outcome,
        risk=risk,
        stored=question.answers,
        proposed=proposed_answers(proposal) if proposal else (),
        proposal=proposal,
    )


def _calls(
    rounds: Sequence[Round], others: Sequence[Completion | SearchResult]
) -> tuple[list[SearchResult], list[Completion]]:
    """Return every call made, once; a later round carries the calls of the round before."""
    # by their body: a search whose pages were read afterwards is the same call
    searches = {id(call.body): call for call in others if isinstance(call, SearchResult)}
    completions = {id(call): call for call in others if isinstance(call, Completion)}
    for current in rounds:
        searches.update({id(call.body): call for call in current.response.searches})
        judged = current.comparison.judgement.completions if current.comparison.judgement else ()
        criticised = (current.critique,) if current.critique else ()
        for call in (*current.response.completions, *judged, *criticised):
            completions[id(call)] = call
    return list(searches.values()), list(completions.values())
