"""How often the sites behind decided proposals gave the accepted answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from freshqa.checking.round import Round
from freshqa.checking.source_weights import SourceWeights, Statement
from freshqa.checking.support import support
from freshqa.checking.topics import topic
from freshqa.facts.same_fact import Relation, contains, relation
from freshqa.maintaining.draft import proposed_answers
from freshqa.maintaining.proposal import Action, Decision, Proposal
from freshqa.maintaining.verdict import Verdict, certainty


def statements(
    proposal: Proposal, decision: Decision, accepted: Sequence[str]
) -> Iterator[Statement]:
    """Yield what each site said of a decided question, once a site.

    A site is right when a finding of it holds the accepted answer, wrong when its findings hold only
    another one that was stored, proposed or a candidate. A rejection says that the proposed answer is
    wrong and not which one is right. Findings with signs of prompt injection say nothing.

    Args:
        proposal: What was decided, with its evidence.
        decision: By a person.
        accepted: The answers that apply after the decision.
    """
    known = (*proposal.stored, *proposed_answers(proposal))
    known = (*known, *(candidate.text for candidate in proposal.candidates))
    wrong = [answer for answer in known if not _is_any(answer, accepted)]
    holding = _domains(accepted, proposal)
    about = topic(proposal.question)
    if decision.action is not Action.reject:
        yield from (Statement(domain, about, True) for domain in sorted(holding))
    others = _domains(wrong, proposal) - holding
    yield from (Statement(domain, about, False) for domain in sorted(others))


def _is_any(answer: str, accepted: Sequence[str]) -> bool:
    """Return True when an answer may be a form of an accepted one: `Biden` of `Joe Biden`."""
    return any(
        relation(answer, right) in (Relation.same, Relation.variant)
        or contains(answer, right)
        or contains(right, answer)
        for right in accepted
    )


def _domains(answers: Sequence[str], proposal: Proposal) -> set[str]:
    report = support(answers, proposal.evidence, question=proposal.question)
    return {finding.domain for finding in report.firm if finding.domain and not finding.flagged}


def weighed_sources(verdict: Verdict, chosen: Round, weights: SourceWeights) -> Verdict:
    """Return the verdict with a confidence that counts sites by their weights, and their record.

    Confidence only falls: what contradicts the answer, and what is needed for an automatic decision,
    stay as they are.
    """
    if not weights.said:
        return verdict
    report = chosen.weighed.proposed if verdict.changes else chosen.weighed.stored
    about, domains = topic(chosen.response.question), report.independent_domains
    if not domains:
        return verdict
    known = sorted(domains, key=lambda domain: -weights.weight(domain, about))
    records = [record for domain in known if (record := weights.record(domain, about))]
    said = f"How often its sources gave the accepted answer ({about}): {', '.join(records)}."
    counted = certainty(weights.sources(domains, about)) / certainty(len(domains))
    return replace(
        verdict,
        confidence=verdict.confidence * counted,
        reasons=(*verdict.reasons, said) if records else verdict.reasons,
    )
