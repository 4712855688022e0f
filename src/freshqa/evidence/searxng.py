"""SearXNG's JSON: self-hosted metasearch, no key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from freshqa.errors import FreshQAError, ProviderError, ProviderRejected
from freshqa.evidence.cleaning import clean_text
from freshqa.evidence.engine_format import EngineFormat, Locale, SearchRequest
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.evidence.loose_json import describe, first_text, join, mapping, records
from freshqa.evidence.results_page import Page
from freshqa.evidence.search_engine import Recency, SearchResult

BLOCKED = (
    "Nothing was searched, so the question stays due. Wait, or enable other engines in the "
    "instance's settings.yml."
)
NAMED = 5


class Searxng(EngineFormat):
    """`GET /search?format=json` of a SearXNG instance."""

    name = "searxng"
    result_fields = ("results", "answers", "infoboxes")

    def request(self, query: str, locale: Locale) -> SearchRequest:
        """Asks for JSON in the language and country wanted."""
        language = f"{locale.language}-{locale.country.upper()}"
        return SearchRequest("/search", {"q": query, "format": "json", "language": language})

    def recent(self, recency: Recency) -> Mapping[str, str]:
        """`time_range`; engines of the instance that do not know it leave it out."""
        return {"time_range": recency.value}

    def failure(self, status: int, body: Any) -> FreshQAError | None:
        """As for any engine; a 403 means that the instance does not give out JSON.

        An empty page on which engines are named as unresponsive (blocked, suspended, timed out) is
        a search that did not happen; only an empty page without them says that nothing was found.
        """
        if status == 403:
            return ProviderRejected(
                "searxng: the instance refuses JSON (HTTP 403).",
                "Add json to search.formats in its settings.yml.",
            )
        failure = super().failure(status, body)
        if failure is None and not _found_something(mapping(body)):
            silent = _unresponsive(mapping(body).get("unresponsive_engines"))
            if silent:
                problem = f"no search engine answered ({'; '.join(silent)})"
                return ProviderError(f"searxng: {problem}.", BLOCKED)
        return failure

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


def _found_something(body: Mapping[str, Any]) -> bool:
    """Return True when an engine found something; the instance itself answers sums, without a URL."""
    hits = [*records(body.get("results")), *records(body.get("infoboxes"))]
    return any(map(any, (hit.values() for hit in hits))) or any(
        first_text(answer, "url") for answer in records(body.get("answers"))
    )


def _unresponsive(value: Any) -> list[str]:
    """`google: Suspended: CAPTCHA` for each engine that gave no answer, at most five."""
    if not isinstance(value, dict | list | str):
        return []
    entries = (
        value.items()
        if isinstance(value, dict)
        else [value]
        if value and isinstance(value, str)
        else value
    )
    named = [clean_text(join(*_parts(entry), separator=": "), limit=80) for entry in entries]
    named = [name for name in named if name]
    return named if len(named) <= NAMED else [*named[:NAMED], f"{len(named) - NAMED} more"]


def _parts(entry: Any) -> Sequence[Any]:
    """Engine and reason: a pair in most releases, an object or a bare name in others."""
    if isinstance(entry, dict):
        return (
            first_text(entry, "engine", "name"),
            first_text(entry, "error", "reason", "error_type"),
        )
    return entry[:2] if isinstance(entry, list | tuple) else (entry,)


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
