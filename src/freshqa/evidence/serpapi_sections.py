"""The sections of a SerpApi body, each read into a page's findings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from freshqa.dates.forms import DAY_IN_PROSE
from freshqa.evidence.answer_box import PAGE_LIKE, read_box
from freshqa.evidence.evidence import EvidenceKind
from freshqa.evidence.loose_json import (
    MAX_DEPTH,
    describe,
    first_text,
    join,
    mapping,
    records,
    text,
    texts,
)
from freshqa.evidence.results_page import Page

GLUED_DATE = re.compile(rf"(?<=[.!?…\w)])(?<!\d)({DAY_IN_PROSE})$")
"""Bodies before 2023 append the date of a related question directly to its last full stop."""
KNOWLEDGE_NOISE = (
    "title", "type", "description", "entity_type", "main_tab_text", "header_images", "source",
    "sources", "web_results", "people_also_search_for", "related_searches", "explore_more",
    "see_results_about", "local_map", "tabs", "raw_hours", "buttons", "knowledge_graph",
    "profiles", "kgmid", "user_reviews", "other_facts",
)  # fmt: skip


def add_answer_boxes(page: Page, value: Any) -> None:
    """The answer box, or several of them."""
    for box in records(value):
        if text(box.get("type")) in PAGE_LIKE:
            _add_hit(page, EvidenceKind.answer_box, box, answer=first_text(box, "answer", "result"))
        else:
            page.add(EvidenceKind.answer_box, **read_box(box))


def add_ai_overview(page: Page, body: Mapping[str, Any], engine: str) -> None:
    """The generated overview; with only a token for a second call it says nothing."""
    # The engine google_ai_overview puts the same blocks at the top of its body.
    blocks = (mapping(body.get("ai_overview")) or body).get("text_blocks")
    words = blocks_text(blocks)
    if words:
        page.add(
            EvidenceKind.ai_overview,
            title="AI overview",
            snippet=words,
            highlight=blocks_highlight(blocks),
            source=f"{engine} AI overview",
        )


def add_knowledge_graph(page: Page, value: Any, engine: str) -> None:
    """The panel about the thing searched: its open-ended facts as `field: value`."""
    graph = mapping(value)
    origin = next(records(graph.get("source")), {}) or next(records(graph.get("sources")), {})
    # Bing lists its facts by name instead of having a field for each.
    named = [
        join(fact.get("name"), fact.get("original_value"), separator=": ")
        for fact in records(graph.get("other_facts"))
    ]
    page.add(
        EvidenceKind.knowledge_graph,
        title=join(graph.get("title"), graph.get("type"), separator=", "),
        snippet=join(graph.get("description"), named, describe(graph, skip=KNOWLEDGE_NOISE)),
        url=first_text(origin, "link") or first_text(graph, "website"),
        source="" if first_text(origin, "link") else f"{engine} knowledge graph",
    )


def add_sports(page: Page, value: Any, engine: str) -> None:
    """Games, tables and rankings."""
    for results in records(value):
        page.add(
            EvidenceKind.sports,
            title=first_text(results, "title"),
            snippet=join(describe(results, skip=("title", "date"))),
            source=f"{engine} sports",
            dates=(results.get("date"),),
        )


def add_stories(page: Page, value: Any, depth: int = 0) -> None:
    """News hits; a story may hold more stories about the same event."""
    if depth > MAX_DEPTH:
        return
    for story in records(value):
        told = mapping(story.get("highlight")) or story
        publisher = told.get("source")
        name = publisher if isinstance(publisher, str) else mapping(publisher).get("name")
        if first_text(told, "link", "snippet"):
            page.add(
                EvidenceKind.top_story,
                title=first_text(told, "title"),
                snippet=first_text(told, "snippet"),
                url=first_text(told, "link"),
                source=text(name),
                dates=(told.get("iso_date"), told.get("date"), told.get("published_at")),
            )
        for inner in ("stories", "carousel"):
            add_stories(page, story.get(inner), depth + 1)


def add_questions_and_answers(page: Page, value: Any) -> None:
    """Questions that people answered on a forum."""
    for record in records(value):
        answer = record.get("answer")
        page.add(
            EvidenceKind.question_and_answer,
            title=first_text(record, "question", "title"),
            snippet=join(answer if isinstance(answer, (str, list)) else describe(mapping(answer))),
            url=first_text(record, "link"),
            source=first_text(record, "displayed_link"),
            dates=(record.get("date"),),
        )


def add_related_questions(page: Page, value: Any, engine: str) -> None:
    """Questions that people also ask, each with its featured snippet or generated answer."""
    for record in records(value):
        if blocks := record.get("text_blocks"):
            page.add(
                EvidenceKind.related_question,
                title=first_text(record, "question"),
                snippet=blocks_text(blocks),
                highlight=blocks_highlight(blocks),
                source=f"{engine} AI overview",
            )
        else:
            _add_hit(page, EvidenceKind.related_question, record, title="question")


def add_organic(page: Page, value: Any) -> None:
    """The hits themselves, in the engine's order."""
    for record in records(value):
        _add_hit(page, EvidenceKind.organic, record)


def _add_hit(
    page: Page,
    kind: EvidenceKind,
    record: Mapping[str, Any],
    *,
    title: str = "title",
    answer: str = "",
) -> None:
    """A finding that is a page: what it says, with its list, table and rich snippet."""
    snippet = first_text(record, "snippet", "description")
    glued = GLUED_DATE.search(snippet) if not text(record.get("date")) else None
    if glued:
        snippet = snippet[: glued.start()]
    marked = join(record.get("snippet_highlighted_words"), separator=" | ")
    page.add(
        kind,
        title=first_text(record, title, "title"),
        snippet=join(snippet, _extras(record)),
        highlight=answer or marked,
        url=first_text(record, "link"),
        source=first_text(record, "displayed_link"),
        dates=(record.get("date_raw"), record.get("date"), glued.group(1) if glued else None),
    )


def _extras(record: Mapping[str, Any]) -> list[str]:
    """Return the text below the snippet: rich-snippet extensions, list, table."""
    rich = mapping(record.get("rich_snippet"))
    extras = [
        part
        for place in ("top", "bottom")
        for part in texts(mapping(rich.get(place)).get("extensions"))
    ]
    extras += texts(record.get("rich_snippet_list"))
    extras += texts(record.get("list"))
    for item in records(record.get("expanded_list")):
        steps = join(item.get("content"), separator=" ")
        extras.append(join(first_text(item, "title"), steps, separator=": "))
    contents = mapping(record.get("contents"))
    extras += texts(contents.get("table")) or texts(mapping(contents.get("table")).get("rows"))
    return extras


INNER = ("list", "text_blocks", "items")


def blocks_text(blocks: Any, depth: int = 0) -> str:
    """Return every paragraph, heading, list and table as running text; "" when there is none."""
    if depth > MAX_DEPTH:
        return ""
    return " ".join(part for block in records(blocks) if (part := _block(block, depth)))


def blocks_highlight(blocks: Any) -> str:
    """Return what the overview marks, joined by " | "."""
    marked = (block.get("snippet_highlighted_words") for block in records(blocks))
    return join(*(words for words in marked if words), separator=" | ")


def _block(block: Mapping[str, Any], depth: int) -> str:
    parts = [text(block.get("title")).strip()]
    for name in ("snippet", "snippets"):
        value = block.get(name)
        # A list item may hold {"Battery life": "Lasts two days."} instead of one text.
        parts.append(join(describe(value)) if isinstance(value, Mapping) else join(value))
    for row in ("table", "detailed"):
        parts.extend(texts(block.get(row)))
    for comparison in records(block.get("comparison")):
        parts.append(join(describe(comparison)))
    parts.extend(blocks_text(block.get(name), depth + 1) for name in INNER)
    parts.extend(item for item in _plain_items(block.get("list")))
    return " ".join(part for part in parts if part)


def _plain_items(value: Any) -> list[str]:
    if not isinstance(value, list):
        return []
    return [item.strip() for item in value if isinstance(item, str) and item.strip()]
