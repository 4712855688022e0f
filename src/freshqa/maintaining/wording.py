"""Sentences for a reviewer about what a check found."""

from __future__ import annotations

from freshqa.checking.candidates import candidates
from freshqa.checking.round import Round
from freshqa.checking.support import SupportReport
from freshqa.dataset.question import Question


def what_is_said(question: Question, chosen: Round) -> str:
    """Return one sentence: the proposed answer, who says so, and who still says what is stored."""
    if not chosen.answer:
        return "The response gives no answer of its own."
    proposed, stored = chosen.weighed.proposed, chosen.weighed.stored
    against = f"{_count(stored)} still {_verb(stored)} {question.primary!r}"
    if not stored.firm:
        against = f"none says {question.primary!r}"
    return (
        f"The response says {chosen.answer!r}; {_count(proposed)} of {proposed.read} findings "
        f"{_verb(proposed)} so{_newest(proposed)}; {against}{_newest(stored)}."
    )


def what_else(question: Question, chosen: Round) -> str:
    """Return one sentence with answers that the evidence names instead; "" when it names none."""
    others = candidates(question, chosen.response.evidence)
    if not others:
        return ""
    named = ", ".join(f"{c.text!r} ({c.sources} source{'s'[: c.sources > 1]})" for c in others)
    return f"The evidence names {named}; it was not checked whether any of it answers."


def _count(report: SupportReport) -> str:
    return str(len(report.firm)) if report.firm else "none"


def _verb(report: SupportReport) -> str:
    return "say" if len(report.firm) > 1 else "says"


def _newest(report: SupportReport) -> str:
    return f" (newest {report.newest.isoformat()})" if report.newest else ""
