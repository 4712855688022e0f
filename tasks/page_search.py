"""A search engine that reads the pages behind its first results, once that is enabled."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import date

from prefect import get_run_logger

from freshqa.evidence.page_findings import pages_to_read
from freshqa.evidence.parsing import parse
from freshqa.evidence.search_engine import Recency, SearchEngine, SearchResult, limited_to
from freshqa.evidence.source_recipe import COLUMN
from freshqa.evidence.web_page import WebReader
from freshqa.maintaining.deterministic.known_dates import dates_by_event
from freshqa.maintaining.plan import PlannedQuestion
from freshqa.maintaining.without_search import Sources
from freshqa.store import snapshots
from freshqa.store.database import Store
from freshqa.store.runs import Run
from prefect_freshqa.blocks.resolve import pages_can_be_read
from prefect_freshqa.tasks.refresh_settings import RefreshSettings


@dataclass
class PageReadingSearch:
    """Searches and, once `reading`, reads; the pages are part of the result.

    Args:
        engine: Who searches; remembers its results.
        reader: Who reads.
        most: Maximum number of pages of one search.
        reading: Whether pages are read. A check sets it where it is uncertain.
        results: Query → its result with pages.
    """

    engine: SearchEngine
    reader: WebReader
    most: int
    reading: bool = False
    results: dict[str, SearchResult] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name of the engine."""
        return self.engine.name

    def limited_to(self, recency: Recency, *, as_of: date) -> SearchEngine | None:
        """Return the engine with a filter on recency; None when it knows none."""
        engine = limited_to(self.engine, recency, as_of=as_of)
        return None if engine is None else replace(self, engine=engine, results={})

    def search(self, query: str, *, as_of: date) -> SearchResult:
        """Search; the first pages are read at the same time, once."""
        if self.reading and query not in self.results:
            result = self.engine.search(query, as_of=as_of)
            self.results[query] = self._read(result, query, as_of)
        return self.results[query] if self.reading else self.engine.search(query, as_of=as_of)

    def _read(self, result: SearchResult, query: str, as_of: date) -> SearchResult:
        urls = pages_to_read(parse(result), query, most=self.most)
        if not urls:
            return result
        with ThreadPoolExecutor(len(urls), thread_name_prefix="page") as pool:
            pages = pool.map(lambda url: self.reader.read(url, as_of=as_of), urls)
            return replace(result, pages=tuple(pages))


def sources_beside(
    store: Store, run: Run, reader: WebReader | None, settings: RefreshSettings
) -> Sources:
    """What checks without a search know: a reader, and for ages the days that other questions ask for."""
    sources = Sources(reader=reader, mirrors=settings.known_mirrors)
    if settings.compute != "all":
        return sources
    return replace(sources, events=dates_by_event(snapshots.snapshot(store, run.base_version)))


def warn_of_unread_recipes(planned: Sequence[PlannedQuestion], settings: RefreshSettings) -> None:
    """Log how many questions have a source recipe that cannot be read here; they are searched."""
    if not settings.reads_recipes or pages_can_be_read():
        return
    if unread := sum(COLUMN in item.question.extra for item in planned):
        get_run_logger().warning(
            "%d due questions have a source recipe, and the extra `pages` is not installed: they are "
            "searched. Run: pip install 'prefect-freshqa[pages]'.",
            unread,
        )


def first_to_probe(planned: Sequence[PlannedQuestion], settings: RefreshSettings) -> int | None:
    """Return the place of the next question that may ask a provider; None where there is none.

    A row with a source recipe probably needs no provider, and its page takes seconds: a batch reads many
    at a time. A question that the calendar answers needs none either; the next one is tried then.
    """
    for place, item in enumerate(planned):
        if not (settings.reads_recipes and COLUMN in item.question.extra):
            return place
    return None
