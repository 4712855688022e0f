"""The paper's Google baseline: what the answer box says, else the first snippet; no model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from freshqa.answering.response import Response
from freshqa.evidence.consolidate import consolidate
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.evidence.parsing import parse
from freshqa.evidence.profile import Profile
from freshqa.evidence.search_engine import SearchEngine

LONGEST_ANSWER = 200
"""Characters; what an answer box marks beyond that is a passage, not an answer."""


def answer_by_search(
    question: str, *, as_of: date, search: SearchEngine, profile: Profile
) -> Response:
    """Search once and read off the page.

    `text` is what was read. `answer` is what an answer box marks as the answer, and "" where none
    stands alone: a snippet holds an answer without saying which words of it are.
    """
    result = search.search(question, as_of=as_of)
    evidence = parse(result)
    read = most_prominent(evidence)
    return Response(
        question=question,
        method="search-only",
        text=read.text if read else "",
        answer=read.answer if read else "",
        evidence=consolidate(evidence, question=question, profile=profile),
        searches=(result,),
    )


@dataclass(frozen=True)
class Read:
    """The short text that is read from a results page."""

    text: str
    answer: str


def most_prominent(evidence: Sequence[Evidence]) -> Read | None:
    """Return the answer box; else the first organic snippet; else whatever was found first."""
    for kind in (EvidenceKind.answer_box, EvidenceKind.organic, None):
        candidates = [e for e in evidence if kind is None or e.kind is kind]
        for finding in sorted(candidates, key=lambda e: e.rank):
            read = _read(finding)
            if read.text:
                return read
    return None


def _read(finding: Evidence) -> Read:
    if finding.kind is not EvidenceKind.answer_box:
        return Read(finding.snippet, "")
    marked = finding.highlight
    text = "\n".join(part for part in (marked, finding.snippet) if part)
    return Read(text, marked if len(marked) <= LONGEST_ANSWER else "")
