"""Dates stated by a page: JSON-LD first, then meta elements, then `time` elements."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from freshqa.dates.page_date import parse_date
from freshqa.evidence.page_dates import page_dates

html = pytest.importorskip("lxml.html", reason="extra pages")


def dates(head: str = "", body: str = "") -> tuple[str, str]:
    return page_dates(
        html.fromstring(f"<html><head>{head}</head><body><p>x</p>{body}</body></html>")
    )


def linked(*objects: object) -> str:
    return "".join(
        f'<script type="application/ld+json">{json.dumps(object)}</script>' for object in objects
    )


ARTICLE = {
    "@type": "NewsArticle",
    "datePublished": "2025-03-01T08:00:00Z",
    "dateModified": "2025-03-04T09:30:00Z",
}
META = (
    '<meta property="article:published_time" content="2024-12-24">'
    '<meta name="last-modified" content="2024-12-31"><meta name="date" content="2019-01-01">'
)


def test_json_ld_comes_before_meta_and_time() -> None:
    days = dates(linked(ARTICLE) + META, "<time datetime='2018-05-05'>May 5</time>")
    assert days == ("2025-03-01T08:00:00Z", "2025-03-04T09:30:00Z")


@pytest.mark.parametrize(
    "script",
    [
        {"@graph": [{"@type": "Organization"}, ARTICLE]},
        [{"@type": "BreadcrumbList"}, ARTICLE],
        {**ARTICLE, "@type": ["WebPage", "NewsArticle"]},
        {"@type": "WebSite", "mainEntity": {**ARTICLE, "@type": "BlogPosting"}},
    ],
)
def test_the_object_that_describes_the_page_is_found(script: object) -> None:
    assert dates(linked(script)) == (ARTICLE["datePublished"], ARTICLE["dateModified"])


@pytest.mark.parametrize(
    "script",
    [
        {"@type": "Event", "startDate": "2031-01-01", "datePublished": "2031-01-01"},
        {"@type": "Comment", "datePublished": "2031-01-01"},
        {**ARTICLE, "datePublished": 20250301, "dateModified": None},
    ],
)
def test_dates_of_other_objects_are_ignored(script: object) -> None:
    assert dates(linked(script) + META) == ("2024-12-24", "2024-12-31")


def test_broken_json_ld_gives_neither_a_date_nor_a_failure() -> None:
    deep = '<script type="application/ld+json">' + "[" * 50_000 + "</script>"
    cut = '<script type="application/ld+json">{"@type": "Article", "datePublished": "20</script>'
    assert dates(deep + cut + META) == ("2024-12-24", "2024-12-31")


@pytest.mark.parametrize(
    ("body", "published"),
    [
        ("<time pubdate datetime='2025-02-02'>Sunday</time><time>2 hours ago</time>", "2025-02-02"),
        ("<article><time>March 3, 2025</time></article><time>today</time>", "March 3, 2025"),
        ("<time datetime='2025-01-01T01:00'></time><time datetime='2025-01-01'></time>", "2025-01-01T01:00"),
        ("<time datetime='2025-01-01'></time><time datetime='2025-02-01'></time>", ""),
        ("<span itemprop='datePublished' content='2025-04-04'>Friday</span>", "2025-04-04"),
        ("", ""),
    ],
)  # fmt: skip
def test_time_elements_count_where_they_are_marked_or_agree(body: str, published: str) -> None:
    assert dates(body=body) == (published, "")


CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "page_date_cases.json").read_text("utf-8")
)
MISSED = {("wikipedia footer", "modified")}
"""Dates that a person sees and that are not read."""


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_real_pages_do_not_get_a_date_of_something_else(case: dict[str, Any]) -> None:
    raw_dates = page_dates(html.fromstring(case["html"]))
    at = datetime(2026, 1, 1, tzinfo=timezone.utc)
    days = [
        parse_date(raw[:10] if raw[4:5] == "-" else raw, relative_to=at) if raw else None
        for raw in raw_dates
    ]
    wanted = [
        "" if (case["name"], kind) in MISSED else case[kind] or ""
        for kind in ("published", "modified")
    ]
    assert [day.isoformat() if day else "" for day in days] == wanted
