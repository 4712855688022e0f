"""Serper's JSON (serper.dev): Google results by POST."""

from __future__ import annotations

from collections.abc import Mapping

from freshqa.evidence.engine_format import EngineFormat, Locale, SearchRequest
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.evidence.loose_json import describe, first_text, join, mapping, records
from freshqa.evidence.results_page import Page
from freshqa.evidence.search_engine import Recency, SearchResult


class Serper(EngineFormat):
    """`POST /search` of Serper."""

    name = "serper"
    base_url = "https://google.serper.dev"
    key_header = "X-API-KEY"
    result_fields = (
        "organic",
        "answerBox",
        "knowledgeGraph",
        "news",
        "topStories",
        "peopleAlsoAsk",
    )

    def request(self, query: str, locale: Locale) -> SearchRequest:
        """Asks in JSON, with Google's own names of language and country."""
        asked = {"q": query, "hl": locale.language, "gl": locale.country}
        return SearchRequest("/search", asked, post=True)

    def recent(self, recency: Recency) -> Mapping[str, str]:
        """Google's `tbs`."""
        return {"tbs": f"qdr:{recency.value[0]}"}

    def parse(self, result: SearchResult) -> tuple[Evidence, ...]:
        """Answer box, knowledge graph, stories, related questions, then the hits."""
        body = result.body
        asked = {**result.request, **mapping(body.get("searchParameters"))}
        page = Page(result.fetched_at, first_text(asked, "hl") or "en")
        for box in records(body.get("answerBox")):
            marked = join(box.get("snippetHighlighted"), separator=" | ")
            _add(page, EvidenceKind.answer_box, box, highlight=first_text(box, "answer") or marked)
        for graph in records(body.get("knowledgeGraph")):
            page.add(
                EvidenceKind.knowledge_graph,
                title=join(graph.get("title"), graph.get("type"), separator=", "),
                snippet=join(graph.get("description"), describe(mapping(graph.get("attributes")))),
                url=first_text(graph, "descriptionLink", "website"),
            )
        for name in ("topStories", "news"):
            for story in records(body.get(name)):
                _add(page, EvidenceKind.top_story, story, source=first_text(story, "source"))
        for question in records(body.get("peopleAlsoAsk")):
            _add(page, EvidenceKind.related_question, question)
        for hit in records(body.get("organic")):
            _add(page, EvidenceKind.organic, hit)
        return tuple(page.findings)


def _add(
    page: Page, kind: EvidenceKind, record: object, *, highlight: str = "", source: str = ""
) -> None:
    hit = mapping(record)
    page.add(
        kind,
        title=first_text(hit, "question", "title"),
        snippet=join(hit.get("snippet"), describe(mapping(hit.get("attributes")))),
        highlight=highlight,
        url=first_text(hit, "link"),
        source=source,
        dates=(hit.get("date"),),
    )
