"""The result of checking one question, before it becomes a proposal."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from freshqa.checking.expiry import expired, may_be_past
from freshqa.checking.risk import Reading
from freshqa.checking.round import Round
from freshqa.dataset.question import FactType, Question
from freshqa.dates.review import roll_review
from freshqa.evidence.page_findings import DATE_DIFFERS
from freshqa.maintaining.flags import Flag
from freshqa.maintaining.new_row import changes, new_fact
from freshqa.maintaining.proposal import FieldChange, Outcome

SEARCH_ONLY = "search-only"
_ONE_MORE_SOURCE = 0.6


@dataclass(frozen=True)
class Limits:
    """Limits of risk that decide.

    Args:
        keep_below: `search-only` keeps a stored answer that it sees again only below this risk.
        doubt_above: From this risk on, a response that agrees with a stored answer which no
            evidence holds is not trusted, because a model may repeat what it remembers.
    """

    keep_below: float = 0.1
    doubt_above: float = 0.5


LIMITS = Limits()
"""Chosen on real transitions; docs/measurements/checking.md has the figures."""


@dataclass(frozen=True)
class Verdict:
    """The result of a check; fields mean the same as in `Proposal`.

    Args:
        reading: What was read of the method's response, for the risk.
    """

    outcome: Outcome
    reading: Reading = Reading.nothing
    changes: Mapping[str, FieldChange] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    confidence: float = 0.0


def unchanged(question: Question, as_of: date, reason: str, reading: Reading) -> Verdict:
    """Return a verdict that keeps the fact; only its review date and effective year may change."""
    expiry = expired(question, as_of=as_of)
    if expiry is not None and expiry.impossible:
        return Verdict(Outcome.insufficient, Reading.other, reasons=(reason, expiry.reason))
    new = {"next_review": roll_review(question, as_of=as_of, changed=False)}
    reasons = [reason]
    if expiry is not None:
        new["effective_year"] = str(as_of.year)
        reasons += [expiry.reason, "The same answer seems to hold again."]
    flags: tuple[str, ...] = ()
    if may_be_past(question, as_of=as_of):
        flags = (Flag.may_be_past,)
        reasons.append("The question asks what comes next, which the stored answer may not be.")
    return Verdict(Outcome.unchanged, reading, changes(question, new), tuple(reasons), flags)


def candidate(question: Question, chosen: Round, *, as_of: date) -> Mapping[str, FieldChange]:
    """Return the changes of the row if the answer of this round is the new fact."""
    return new_fact(
        question,
        chosen.answer,
        as_of=as_of,
        supports=chosen.weighed.proposed.firm,
        evidence=chosen.response.evidence,
    )


def confidence(chosen: Round) -> float:
    """Return the confidence in an answer, by its independent sources; contradiction halves it.

    An order, not a probability: what a certificate says of it is measured on reviewed decisions.
    """
    sure = certainty(len(chosen.weighed.proposed.independent_domains))
    return sure / 2 if chosen.weighed.conflict else sure


def certainty(sources: float) -> float:
    """Confidence in an answer with this number of independent sources, 0 to 1."""
    return 1.0 - math.pow(_ONE_MORE_SOURCE, sources)


def answer_flags(question: Question, chosen: Round) -> tuple[str, ...]:
    """Warnings about a proposed answer."""
    flags: list[str] = []
    if question.fact_type == FactType.never_changing.value:
        flags.append(Flag.never_changing)
    if len(chosen.weighed.proposed.independent_domains) < 2:
        flags.append(Flag.single_source)
    if chosen.comparison.agrees is None:
        flags.append(Flag.unjudged)
    return tuple(flags)


def reading_flags(chosen: Round) -> tuple[str, ...]:
    """Signs of prompt injection in what was read, each once, and doubts in what was said of it."""
    doubts = {
        Flag.premise_doubtful: chosen.response.premise_doubtful,
        Flag.evidence_disputed: chosen.response.reports_errors,
        Flag.page_date_differs: any(DATE_DIFFERS in f.notes for f in chosen.response.evidence),
    }
    injections = {flag for finding in chosen.response.evidence for flag in finding.flags}
    signs = sorted(
        f"{Flag.injection.value}:{flag.removeprefix('injection:')}" for flag in injections
    )
    return (*signs, *(flag for flag, raised in doubts.items() if raised))
