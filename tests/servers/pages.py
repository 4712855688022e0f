"""A search engine without HTTP that counts and charges its calls."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timezone
from decimal import Decimal

from freshqa.dataset.question import Question
from freshqa.evidence.search_engine import SearchResult

DAY = date(2026, 3, 9)
QUESTION = Question(
    {"question": "Who leads Orlune?", "answer_0": "Mira Tolland", "fact_type": "fast-changing"},
    key="q",
)


class Pages:
    """A search engine that counts and charges."""

    name = "pages"

    def __init__(self, pages: Mapping[str, str]) -> None:
        self.pages, self.queries = pages, []

    def search(self, query: str, *, as_of: date) -> SearchResult:
        self.queries.append(query)
        hits = [
            {"position": n, "link": f"https://{n}.example/", "title": "Page", "snippet": text}
            for n, text in enumerate(filter(None, [self.pages.get(query)] * 2), start=1)
        ]
        body = {"organic_results": hits, "search_information": {"total_results": len(hits)}}
        at = datetime(2026, 3, 9, tzinfo=timezone.utc)
        return SearchResult("serpapi", query, body, at, cost_usd=Decimal("0.01"))
