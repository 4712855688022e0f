"""Search engines of one check: one with given results only, one that caches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from freshqa.evidence.search_engine import Recency, SearchEngine, SearchResult, limited_to


@dataclass(frozen=True)
class GivenResults:
    """A search engine that has only these results: what a probe lets the method read."""

    results: Sequence[SearchResult]
    name: str = "given"

    def search(self, query: str, *, as_of: date) -> SearchResult:
        """Return the result for that query, else the first."""
        return next((result for result in self.results if result.query == query), self.results[0])


@dataclass
class RememberedSearch:
    """A search engine that gives one check the same result for the same query, and pays once."""

    engine: SearchEngine
    name: str = "remembered"
    results: dict[str, SearchResult] = field(default_factory=dict)

    def search(self, query: str, *, as_of: date) -> SearchResult:
        """Return the result of the first search for that query."""
        if query not in self.results:
            self.results[query] = self.engine.search(query, as_of=as_of)
        return self.results[query]

    def limited_to(self, recency: Recency, *, as_of: date) -> SearchEngine | None:
        """Return the engine with a filter on recency; None when it knows none."""
        return limited_to(self.engine, recency, as_of=as_of)
