"""Dates that a page states for itself: JSON-LD, then meta elements, then `time` elements."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from typing import Any

LONGEST = 60
MAX_SCRIPTS = 20
MAX_NODES = 2_000
PUBLISHED = (
    "article:published_time",
    "og:published_time",
    "datepublished",
    "date",
    "dc.date.issued",
    "dcterms.created",
    "dc.date",
    "parsely-pub-date",
    "sailthru.date",
    "pubdate",
    "publish-date",
    "citation_publication_date",
)
MODIFIED = (
    "article:modified_time",
    "og:updated_time",
    "datemodified",
    "dcterms.modified",
    "last-modified",
    "revised",
)
_NAMED = ("name", "property", "itemprop", "http-equiv")
ARTICLES = ("article", "posting", "report", "webpage", "creativework", "newsarticle", "product")
"""Kinds of JSON-LD objects that describe the page; others (events, comments) have other dates."""


def page_dates(tree: Any) -> tuple[str, str]:
    """Return the stated dates of publication and last change, as written; "" if missing.

    Args:
        tree: The page, parsed by lxml.
    """
    linked = dict(_linked(tree))
    named = dict(_named(tree))
    published = linked.get("published") or named.get("published") or _time(tree)
    return published[:LONGEST], (linked.get("modified") or named.get("modified", ""))[:LONGEST]


def _linked(tree: Any) -> Iterator[tuple[str, str]]:
    """Yield the dates of the JSON-LD objects that describe the page; the first last."""
    scripts = tree.xpath("//script[contains(translate(@type, 'LDJSON', 'ldjson'), 'ld+json')]")
    dates: list[tuple[str, str]] = []
    for script in scripts[:MAX_SCRIPTS]:
        try:
            body = json.loads(script.text_content(), strict=False)
        except (ValueError, RecursionError):
            continue
        for node in _objects(body):
            if not _is_page(node.get("@type")):
                continue
            for key, name in (("datePublished", "published"), ("dateModified", "modified")):
                if isinstance(node.get(key), str) and node[key].strip():
                    dates.append((name, node[key].strip()))
    yield from reversed(dates)


def _objects(body: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects of a document, outer ones first, as far as `MAX_NODES`."""
    waiting, seen = deque([body]), 0
    while waiting and seen < MAX_NODES:
        node = waiting.popleft()
        seen += 1
        if isinstance(node, list):
            waiting.extend(node)
        elif isinstance(node, dict):
            yield node
            waiting.extend(value for value in node.values() if isinstance(value, (dict, list)))


def _is_page(kind: Any) -> bool:
    kinds = kind if isinstance(kind, list) else [kind]
    return any(
        isinstance(name, str) and name.casefold().endswith(ending)
        for name in kinds
        for ending in ARTICLES
    )


def _named(tree: Any) -> Iterator[tuple[str, str]]:
    """Yield the dates of meta elements; the best name last."""
    content: dict[str, str] = {}
    for element in tree.iter("meta"):
        value = (element.get("content") or "").strip()
        for attribute in _NAMED:
            name = (element.get(attribute) or "").strip().casefold()
            if name and value:
                content.setdefault(name, value)
    for key, names in (("published", PUBLISHED), ("modified", MODIFIED)):
        for name in reversed(names):
            if name in content:
                yield key, content[name]


def _time(tree: Any) -> str:
    """The `time` element that is marked as the date of publication, else the only one."""
    marked = tree.xpath(
        "//time[@pubdate or @itemprop='datePublished' or contains(@class, 'published')]"
        " | //*[@itemprop='datePublished' and not(self::meta)]"
    )
    every = marked or tree.xpath("//article//time | //main//time") or tree.xpath("//time")
    written = [_written(element) for element in every]
    said = {stamp[:10] for stamp in written if stamp}
    return next((stamp for stamp in written if stamp), "") if marked or len(said) == 1 else ""


def _written(element: Any) -> str:
    written: str = (
        element.get("datetime") or element.get("content") or element.text_content()
    ).strip()
    return written
