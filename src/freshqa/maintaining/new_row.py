"""From a verified answer to a complete new row: every field that follows from the new fact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from freshqa.checking.support import Support
from freshqa.dataset.question import ANSWER_COLUMNS, Question
from freshqa.dates.review import roll_review
from freshqa.evidence.evidence import Evidence
from freshqa.maintaining.answer_forms import rebuild_answers
from freshqa.maintaining.proposal import FieldChange

_MAX_SOURCES = 3


def new_fact(
    question: Question,
    answer: str,
    *,
    as_of: date,
    supports: Sequence[Support],
    evidence: Sequence[Evidence],
) -> Mapping[str, FieldChange]:
    """Return the changes of a row whose fact has changed to `answer`.

    Args:
        answer: The new primary answer, standing alone.
        supports: The findings that hold the new answer.
        evidence: What was read; the sources' addresses are taken from here.
    """
    answers = rebuild_answers(question.answers, answer)
    return _row(question, answers, as_of=as_of, supports=supports, evidence=evidence)


def rebuttal(
    question: Question,
    text: str,
    *,
    as_of: date,
    supports: Sequence[Support],
    evidence: Sequence[Evidence],
) -> Mapping[str, FieldChange]:
    """The changes of a row whose premise is no longer true; `text` is the rebuttal and the answer."""
    return _row(question, [text], as_of=as_of, supports=supports, evidence=evidence)


def _row(
    question: Question,
    answers: Sequence[str],
    *,
    as_of: date,
    supports: Sequence[Support],
    evidence: Sequence[Evidence],
) -> Mapping[str, FieldChange]:
    new = answer_fields(answers)
    new |= {
        "effective_year": effective_year(question, as_of=as_of, supports=supports),
        "next_review": roll_review(
            question.with_changes(new), as_of=as_of, changed=True, old_answers=question.answers
        ),
        "source": "\n".join(supporting_sources(question, supports, evidence)),
    }
    return changes(question, new)


def answer_fields(answers: Sequence[str]) -> dict[str, str]:
    """Return all ten answer columns: the answers in order, the rest empty."""
    padded = [*answers, *[""] * len(ANSWER_COLUMNS)]
    return dict(zip(ANSWER_COLUMNS, padded, strict=False))


def effective_year(question: Question, *, as_of: date, supports: Sequence[Support]) -> str:
    """The year in which the new fact became true: never before the old one, never after `as_of`.

    The newest dated support gives it when it is between them; otherwise the year of the check.
    """
    old = question.effective_year.strip()
    earliest = int(old) if old.isdigit() else 0
    years = [s.date.year for s in supports if s.date is not None]
    newest = max((year for year in years if year <= as_of.year), default=as_of.year)
    return str(min(max(newest, earliest), as_of.year))


def supporting_sources(
    question: Question, supports: Sequence[Support], evidence: Sequence[Evidence]
) -> list[str]:
    """Addresses of pages that hold the new answer, one per domain; the old ones if none has any."""
    urls = {finding.id: finding.url for finding in evidence}
    chosen: dict[str, str] = {}
    for support in supports:
        url = urls.get(support.evidence_id, "")
        if url.startswith(("https://", "http://")) and not support.flagged:
            chosen.setdefault(support.domain, url)
    return list(chosen.values())[:_MAX_SOURCES] or list(question.sources)


def changes(question: Question, new: Mapping[str, str]) -> Mapping[str, FieldChange]:
    """Return what differs between the stored row and the new fields."""
    return {
        column: FieldChange(question.fields[column], text)
        for column, text in new.items()
        if question.fields[column] != text
    }
