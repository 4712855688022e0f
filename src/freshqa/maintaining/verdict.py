"""What the check of one question came to, before it becomes a proposal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from freshqa.checking.loop import Round
from freshqa.checking.risk import Reading
from freshqa.dataset.question import FactType, Question
from freshqa.maintaining.extract import new_fact
from freshqa.maintaining.proposal import FieldChange, Outcome

SEARCH_ONLY = "search-only"
_ONE_MORE_SOURCE = 0.6


@dataclass(frozen=True)
class Verdict:
    """What a check came to; fields of the same name mean what they mean in `Proposal`.

    Args:
        reading: What was read of the method's response, for the risk.
    """

    outcome: Outcome
    reading: Reading = Reading.nothing
    changes: Mapping[str, FieldChange] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    confidence: float = 0.0


def candidate(question: Question, last: Round, *, as_of: date) -> Mapping[str, FieldChange]:
    """The new row, if the answer of this round is the new fact."""
    return new_fact(
        question,
        last.answer,
        as_of=as_of,
        supports=last.weighed.proposed.firm,
        evidence=last.response.evidence,
    )


def confidence(last: Round) -> float:
    """How sure the answer of a round is, by its independent sources; contradiction halves it.

    An order, not a probability: what a certificate says of it is measured on reviewed decisions.
    """
    sources = len(last.weighed.proposed.independent_domains)
    sure = 1.0 - _ONE_MORE_SOURCE**sources
    return sure / 2 if last.weighed.conflict else sure


def answer_flags(question: Question, last: Round) -> tuple[str, ...]:
    """Warnings about a proposed answer."""
    flags = []
    if question.fact_type == FactType.never_changing.value:
        flags.append("never-changing")
    if len(last.weighed.proposed.independent_domains) < 2:
        flags.append("single-source")
    if last.comparison.agrees is None:
        flags.append("unjudged")
    return tuple(flags)


def evidence_flags(last: Round) -> tuple[str, ...]:
    """Signs of prompt injection in what was read, each once."""
    found = {flag for finding in last.response.evidence for flag in finding.flags}
    return tuple(sorted(f"injection:{flag.removeprefix('injection:')}" for flag in found))
