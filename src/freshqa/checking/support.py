"""Is an answer in the evidence, in how many independent places, and how recently?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from freshqa.checking.find_answer import Match, SupportKind, find
from freshqa.dates.mentions import read_date
from freshqa.evidence.evidence import Evidence, registered_domain
from freshqa.facts.same_fact import is_list, list_parts
from freshqa.facts.tokens import fold

_SPREAD = 2
"""The items of a list may be spread over this multiple of its length in a text."""
_ORDER = {kind: position for position, kind in enumerate(SupportKind)}


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
    """The support of one answer in the evidence.

    Args:
        answers: The forms that were looked for.
        supports: The strongest support in each finding that has any, in the order of the evidence.
        read: How many findings were read.
        independent_domains: Domains that support it firmly without repeating one another; pages
            with signs of prompt injection never count.
        newest: Date of the newest firm support, or None.
    """

    answers: tuple[str, ...]
    supports: tuple[Support, ...]
    read: int
    independent_domains: tuple[str, ...]
    newest: date | None

    @property
    def firm(self) -> tuple[Support, ...]:
        """Supports stronger than a weak match."""
        return tuple(s for s in self.supports if s.kind is not SupportKind.soft)

    @property
    def quotes(self) -> Mapping[str, str]:
        """Evidence id → verbatim quote, firm supports only."""
        return {support.evidence_id: support.quote for support in self.firm}


def support(
    answer: str | Sequence[str], evidence: Sequence[Evidence], *, question: str = ""
) -> SupportReport:
    """Look for an answer, in any of its forms, in every finding.

    Args:
        answer: One answer or all accepted forms of one fact.
        question: The question; its words do not count as words of a long answer.
    """
    answers = (answer,) if isinstance(answer, str) else tuple(answer)
    supports, texts, domains = [], set(), []
    for finding in evidence:
        best = _best(answers, finding.statement, question)
        if best is None:
            continue
        supports.append(_support(finding, *best))
        words = fold(finding.snippet or finding.statement)
        firm = best[1].kind is not SupportKind.soft and not supports[-1].flagged
        if firm and supports[-1].domain not in domains and words not in texts:
            domains.append(supports[-1].domain)
            texts.add(words)
    dates = [s.date for s in supports if s.date and s.kind is not SupportKind.soft]
    return SupportReport(
        answers=answers,
        supports=tuple(supports),
        read=len(evidence),
        independent_domains=tuple(domains),
        newest=max(dates, default=None),
    )


def _support(finding: Evidence, answer: str, match: Match) -> Support:
    return Support(
        evidence_id=finding.id,
        domain=registered_domain(finding.domain),
        answer=answer,
        quote=finding.statement[match.start : match.end],
        kind=match.kind,
        date=finding.date,
        flagged=bool(finding.flags),
    )


def _best(answers: Sequence[str], text: str, question: str) -> tuple[str, Match] | None:
    matches = [
        (answer, match)
        for answer in answers
        if (match := find(answer, text, question=question)) is not None
    ]
    listed = [(answer, match) for answer in answers if (match := _listed(answer, text)) is not None]
    return min((*matches, *listed), key=lambda pair: _ORDER[pair[1].kind], default=None)


def _listed(answer: str, text: str) -> Match | None:
    """Find the items of a list close together, in any order and with any separators."""
    if read_date(answer) is not None or not is_list(answer):
        return None
    matches = [find(part, text) for part in list_parts(answer)]
    firm = [match for match in matches if match is not None and match.kind is SupportKind.exact]
    if len(firm) < len(matches):
        return None
    start, end = min(match.start for match in firm), max(match.end for match in firm)
    close = end - start <= _SPREAD * len(answer)
    return Match(start, end, SupportKind.exact) if close else None
