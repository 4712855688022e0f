"""Is an answer in the evidence, in how many independent places, and how recently?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from freshqa.checking.domains import registered_domain
from freshqa.checking.find import Found, SupportKind, find
from freshqa.checking.tokens import fold
from freshqa.evidence.evidence import Evidence, EvidenceKind

_ORDER = {kind: position for position, kind in enumerate(SupportKind)}
_CONTEXT = 60


@dataclass(frozen=True)
class Support:
    """One finding that holds an answer.

    Args:
        evidence_id: Which finding.
        domain: Registered domain of its page.
        answer: The form of the answer that was found.
        quote: The verbatim text in the finding.
        kind: In what sense it holds the answer.
        date: Date of the finding, or None.
        flagged: True when the finding carries signs of prompt injection.
    """

    evidence_id: str
    domain: str
    answer: str
    quote: str
    kind: SupportKind
    date: date | None = None
    flagged: bool = False


@dataclass(frozen=True)
class SupportReport:
    """What evidence says of one answer.

    Args:
        answers: The forms that were looked for.
        supports: The strongest support in each finding that has any, in the order of the evidence.
        read: How many findings were read.
        independent_domains: Domains that support it without merely repeating one another.
        newest: Date of the newest support, or None.
    """

    answers: tuple[str, ...]
    supports: tuple[Support, ...]
    read: int
    independent_domains: tuple[str, ...]
    newest: date | None

    @property
    def firm(self) -> tuple[Support, ...]:
        """Supports that are more than a hint."""
        return tuple(s for s in self.supports if s.kind is not SupportKind.soft)

    @property
    def quotes(self) -> Mapping[str, str]:
        """Evidence id → verbatim quote, firm supports only."""
        return {support.evidence_id: support.quote for support in self.firm}


@dataclass(frozen=True)
class Weighed:
    """Stored answer against proposed answer, in the same evidence.

    Args:
        stored, proposed: What the evidence says of each.
        newest_support: Date of the newest finding for the proposed answer.
        newest_contrary: Date of the newest finding for the stored answer only.
        conflict: True when findings that hold only the stored answer are as new as the newest one
            for the proposed answer; where they have no dates, when they are of as many domains.
    """

    stored: SupportReport
    proposed: SupportReport
    newest_support: date | None
    newest_contrary: date | None
    conflict: bool


def support(
    answer: str | Sequence[str], evidence: Sequence[Evidence], *, question: str = ""
) -> SupportReport:
    """Look for an answer, in any of its forms, in every finding.

    Args:
        answer: One answer or all accepted forms of one fact.
        evidence: What was read.
        question: The question; its words do not count as words of a long answer.
    """
    answers = (answer,) if isinstance(answer, str) else tuple(answer)
    supports = []
    texts: list[str] = []
    domains: list[str] = []
    for finding in evidence:
        text = statement(finding)
        best = _best(answers, text, question)
        if best is None:
            continue
        form, found = best
        domain = registered_domain(finding.domain)
        flagged = bool(finding.flags)
        supports.append(
            Support(
                evidence_id=finding.id,
                domain=domain,
                answer=form,
                quote=text[found.start : found.end],
                kind=found.kind,
                date=finding.date,
                flagged=flagged,
            )
        )
        words = fold(finding.snippet or text)
        if found.kind is not SupportKind.soft and domain not in domains and words not in texts:
            domains.append(domain)
            texts.append(words)
    dates = [s.date for s in supports if s.date and s.kind is not SupportKind.soft]
    return SupportReport(
        answers=answers,
        supports=tuple(supports),
        read=len(evidence),
        independent_domains=tuple(domains),
        newest=max(dates, default=None),
    )


def statement(finding: Evidence) -> str:
    """What a finding states: all its text, but not a question that somebody asked."""
    if finding.kind in (EvidenceKind.related_question, EvidenceKind.question_and_answer):
        return "\n".join(part for part in (finding.snippet, finding.highlight) if part)
    return finding.text


def weigh(
    stored: Sequence[str], proposed: Sequence[str], evidence: Sequence[Evidence], *, question: str
) -> Weighed:
    """Set the stored answer against a proposed one.

    A finding that holds both (as "A succeeded B" does) is no contradiction.
    """
    mine = support(stored, evidence, question=question)
    theirs = support(proposed, evidence, question=question)
    holding = {s.evidence_id for s in theirs.firm}
    contrary = [s for s in mine.firm if s.evidence_id not in holding]
    return Weighed(
        stored=mine,
        proposed=theirs,
        newest_support=theirs.newest,
        newest_contrary=max((s.date for s in contrary if s.date), default=None),
        conflict=_conflict(theirs, contrary),
    )


def _conflict(theirs: SupportReport, contrary: Sequence[Support]) -> bool:
    """Newer or equally new contradiction, or, where dates are missing, more of it."""
    if not contrary:
        return False
    if theirs.newest is not None:
        if any(s.date is not None and s.date >= theirs.newest for s in contrary):
            return True
        contrary = [s for s in contrary if s.date is None]
    domains = {s.domain for s in contrary}
    return len(domains) >= max(1, len(theirs.independent_domains))


def _best(answers: Sequence[str], text: str, question: str) -> tuple[str, Found] | None:
    found = [
        (answer, match)
        for answer in answers
        if (match := find(answer, text, question=question)) is not None
    ]
    return min(found, key=lambda pair: _ORDER[pair[1].kind], default=None)
