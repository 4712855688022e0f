"""One normalised search finding."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import date as day  # pydantic needs the type under another name than the field
from enum import Enum
from functools import cached_property
from urllib.parse import urlsplit

from pydantic import computed_field

from freshqa.json_record import JsonRecord


class EvidenceKind(str, Enum):
    """The part of the results page that a finding is from."""

    answer_box = "answer-box"
    knowledge_graph = "knowledge-graph"
    ai_overview = "ai-overview"
    organic = "organic"
    related_question = "related-question"
    question_and_answer = "question-and-answer"
    top_story = "top-story"
    sports = "sports"
    report = "report"  # a link given by a reader; the page has not been read


@dataclass(frozen=True)
class Evidence(JsonRecord):
    """A finding, cleaned of text that could forge a prompt, but still untrusted.

    Args:
        kind: Where it was on the results page.
        source: Short name of the site, as the engine shows it ("en.wikipedia.org").
        url: Link to the page, or "".
        title: Title of the page (for a related question, the question).
        highlight: What the engine marked as the answer, parts joined by " | ".
        date_raw: The date as the engine wrote it, or "".
        date: That date to the day, or None when it is not certain.
        rank: Position among its kind, from 1.
        flags: Names of suspicious patterns found in the text (see `freshqa.evidence.injection`).
        page: Content hash of the page's text, passages of which end the snippet; "" when the page
            was not read.
        notes: What a reviewer should know of it, such as `page-date-differs`.
    """

    kind: EvidenceKind
    source: str = ""
    url: str = ""
    title: str = ""
    snippet: str = ""
    highlight: str = ""
    date_raw: str = ""
    date: day | None = None
    rank: int = 1
    flags: tuple[str, ...] = ()
    page: str = ""
    notes: tuple[str, ...] = ()

    @cached_property
    def domain(self) -> str:
        """Host of the page without `www.`."""
        host = urlsplit(self.url).hostname or self.source.split(" ")[0].split("/")[0]
        return host.lower().removeprefix("www.")

    @cached_property
    def text(self) -> str:
        """The visible text of the finding, one part per line."""
        return "\n".join(part for part in (self.title, self.snippet, self.highlight) if part)

    @cached_property
    def statement(self) -> str:
        """The statements of the finding: all its text except questions."""
        if self.kind in (EvidenceKind.related_question, EvidenceKind.question_and_answer):
            return "\n".join(part for part in (self.snippet, self.highlight) if part)
        return self.text

    @computed_field
    @cached_property
    def id(self) -> str:
        """Content hash, so that a quote can name the evidence it comes from."""
        parts = (self.kind.value, self.url, self.title, self.snippet, self.highlight, self.date_raw)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


_SECOND_LEVEL = frozenset({"ac", "co", "com", "edu", "gov", "net", "org"})


def registered_domain(host: str) -> str:
    """`en.wikipedia.org` → `wikipedia.org`, `news.bbc.co.uk` → `bbc.co.uk`.

    Only the common second levels of country domains are known; for others the answer errs to the
    shorter name, so that fewer sources count as independent.
    """
    labels = host.lower().strip(".").split(".")
    if len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL:
        return ".".join(labels[-3:])
    return ".".join(labels[-2:])
