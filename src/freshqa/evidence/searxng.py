"""SearXNG's JSON: self-hosted metasearch, no key."""

from __future__ import annotations

from typing import Any

from freshqa.errors import FreshQAError, ProviderRejected
from freshqa.evidence.engine_format import EngineFormat, Locale, SearchRequest
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.evidence.page import Page
from freshqa.evidence.reading import describe, first_text, join, records
from freshqa.evidence.search_engine import SearchResult


class Searxng(EngineFormat):
    """`GET /search?format=json` of a SearXNG instance."""

    name = "searxng"

    def request(self, query: str, locale: Locale) -> SearchRequest:
        """Asks for JSON in the language and country wanted."""
        language = f"{locale.language}-{locale.country.upper()}"
        return SearchRequest("/search", {"q": query, "format": "json", "language": language})

    def failure(self, status: int, body: Any) -> FreshQAError | None:
        """As for any engine; a 403 means that the instance does not give out JSON."""
        if status == 403:
            return ProviderRejected(
                "searxng: the instance refuses JSON (HTTP 403).",
                "Add json to search.formats in its settings.yml.",
            )
        return super().failure(status, body)

    def parse(self, result: SearchResult) -> tuple[Evidence, ...]:
        """Answers, infoboxes, then results."""
        page = Page(result.fetched_at, first_text(result.request, "language") or "en")
        answers = result.body.get("answers")
        for answer in answers if isinstance(answers, list) else [answers]:
            _add_answer(page, answer)
        for infobox in records(result.body.get("infoboxes")):
            page.add(
                EvidenceKind.knowledge_graph,
                title=first_text(infobox, "infobox", "title"),
                snippet=join(infobox.get("content"), _attributes(infobox.get("attributes"))),
                url=first_text(infobox, "id", "url")
                or first_text(next(records(infobox.get("urls")), {}), "url"),
            )
        for hit in records(result.body.get("results")):
            page.add(
                EvidenceKind.organic,
                title=first_text(hit, "title"),
                snippet=first_text(hit, "content"),
                url=first_text(hit, "url"),
                dates=(hit.get("publishedDate"), hit.get("pubdate")),
            )
        return tuple(page.findings)


def _add_answer(page: Page, answer: Any) -> None:
    """An answer: text in old versions, an object with `answer` or its own fields in new ones."""
    record = next(records(answer), {})
    words = answer if isinstance(answer, str) else first_text(record, "answer", "title")
    page.add(
        EvidenceKind.answer_box,
        highlight=words,
        snippet=join(describe(record, skip=("answer", "engine", "template", "parsed_url"))),
        url=first_text(record, "url"),
    )


def _attributes(value: Any) -> list[str]:
    return [
        f"{first_text(attribute, 'label')}: {first_text(attribute, 'value')}"
        for attribute in records(value)
        if first_text(attribute, "value")
    ]
