"""What triage looks at, as numbers: the question's schedule and past, and its stored answer's
support in the evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date

from freshqa.checking.find import SupportKind, find
from freshqa.checking.history import ChangeHistory
from freshqa.checking.rate import change_rate
from freshqa.checking.support import support
from freshqa.dataset.calendar import parse_review
from freshqa.dataset.question import Question
from freshqa.evidence.evidence import Evidence, EvidenceKind

DEFAULT_DAYS = 28
"""Days since the last check when nothing is known of it."""
_DIRECT = frozenset({EvidenceKind.answer_box, EvidenceKind.knowledge_graph, EvidenceKind.sports})


def prior_features(
    question: Question, history: ChangeHistory | None, as_of: date
) -> Mapping[str, float]:
    """What is known before any search."""
    review = parse_review(question.next_review)
    word = question.next_review.strip().casefold()
    days = DEFAULT_DAYS
    if history is not None and history.last_checked is not None:
        days = max(1, (as_of - history.last_checked).days)
    past_due = review.due_on is not None and review.due_on <= as_of
    if review.due_on is not None and past_due:
        days = max(days, (as_of - review.due_on).days)
    return {
        "log_expected": math.log(change_rate(question, history) * days / 365.25),
        "date_past": float(past_due),
        "date_ahead": float(review.due_on is not None and not past_due),
        "each_run": float(word in ("frequently", "every_time")),
        "multi_hop": float(question.multi_hop),
    }


def support_features(question: Question, evidence: Sequence[Evidence]) -> Mapping[str, float]:
    """What the evidence says of the stored answer."""
    report = support(question.answers, evidence, question=question.text)
    primary = support(question.primary, evidence, question=question.text)
    direct = [finding for finding in evidence if finding.kind in _DIRECT]
    held = [f for f in direct if _holds(question, f)]
    return {
        "supports": math.log1p(len(report.firm)),
        "domains": math.log1p(len(report.independent_domains)),
        "share": len(report.firm) / len(evidence) if evidence else 0.0,
        "none": float(not report.firm),
        "primary_none": float(not primary.firm),
        "direct_without": float(bool(direct) and not held),
        "direct_with": float(bool(held)),
        "soft_only": float(not report.firm and bool(report.supports)),
        "short": float(len(question.primary) <= 3),
        "long": float(len(question.primary.split()) > 6),
    }


def _holds(question: Question, finding: Evidence) -> bool:
    found = (find(answer, finding.text, question=question.text) for answer in question.answers)
    return any(match is not None and match.kind is not SupportKind.soft for match in found)
