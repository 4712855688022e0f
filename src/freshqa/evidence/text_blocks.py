"""The text of an AI overview, which comes as a tree of blocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from freshqa.evidence.reading import MAX_DEPTH, describe, join, records, text, texts

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
