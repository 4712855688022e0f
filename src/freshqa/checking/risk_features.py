"""What triage looks at, as numbers: the question's schedule and past, and its stored answer's
support in the evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date

from freshqa.checking.change_rate import ChangeHistory, change_rate
from freshqa.checking.expiry import expired
from freshqa.checking.find_answer import SupportKind, find
from freshqa.checking.recency import overtaken
from freshqa.checking.support import support
from freshqa.dataset.question import Question
from freshqa.dates.review import parse_review
from freshqa.evidence.evidence import Evidence, EvidenceKind

PRIOR_FEATURES = ("log_expected", "date_past", "date_ahead", "every_time", "frequently", "expired")
SUPPORT_FEATURES = (
    "prior",
    "none",
    "primary_none",
    "direct_without",
    "direct_with",
    "multi_hop",
)
DEFAULT_DAYS = 28
"""Days since the last check when nothing is known of it: the benchmark's usual monthly step."""
DIRECT_KINDS = frozenset(
    {EvidenceKind.answer_box, EvidenceKind.knowledge_graph, EvidenceKind.sports}
)
"""Findings that the engine gives as the answer."""
_VERDICTS = frozenset({"yes", "no"})


def prior_features(
    question: Question, *, as_of: date, history: ChangeHistory | None
) -> Mapping[str, float]:
    """Return what is known before any search, by the names of `PRIOR_FEATURES`."""
    review = parse_review(question.next_review)
    word = question.next_review.strip().casefold()
    since = history.last_checked if history else None
    days = max(1, (as_of - since).days) if since else DEFAULT_DAYS
    past = review.due_on is not None and review.due_on <= as_of
    return {
        "log_expected": math.log(change_rate(question, history) * days / 365.25),
        "date_past": float(past),
        "date_ahead": float(review.due_on is not None and not past),
        "every_time": float(word == "every_time"),
        "frequently": float(word == "frequently"),
        "expired": float(expired(question, as_of=as_of, since=since) is not None),
    }


def support_features(question: Question, evidence: Sequence[Evidence]) -> Mapping[str, float]:
    """Return the features of `SUPPORT_FEATURES` and `overtaken` for the stored answers.

    `overtaken` is not in the recordings that the weights were fitted on; its weight comes from
    elsewhere. The word "no" is in any text, so a bare yes or no counts as found nowhere.
    """
    answers = tuple(a for a in question.answers if a.strip(" .").casefold() not in _VERDICTS)
    report = support(answers, evidence, question=question.text)
    primary = report
    if len(answers) > 1:
        primary = support(answers[:1], evidence, question=question.text)
    direct = [finding for finding in evidence if finding.kind in DIRECT_KINDS]
    held = any(_holds(answers, finding, question.text) for finding in direct)
    return {
        "none": float(not report.firm),
        "primary_none": float(not primary.firm),
        "direct_without": float(bool(direct) and not held),
        "direct_with": float(held),
        "multi_hop": float(question.multi_hop),  # its answer is rarely on one page
        "overtaken": float(overtaken(report, evidence, question=question.text)),
    }


def _holds(answers: Sequence[str], finding: Evidence, question: str) -> bool:
    matches = (find(answer, finding.text, question=question) for answer in answers)
    return any(match is not None and match.kind is not SupportKind.soft for match in matches)
