"""A search whose pages are read: over loopback, recorded, and replayed without a server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest
from pydantic import ValidationError
from servers.page_server import LOOPBACK, PageServer, page
from servers.serpapi_server import SerpApiServer, body

from freshqa.dataset.question import Question, packed
from freshqa.errors import NotFound
from freshqa.evidence.parsing import parse
from freshqa.evidence.source_recipe import COLUMN
from freshqa.maintaining.plan import plan_refresh
from freshqa.store.cache import CachedSearch
from freshqa.store.database import Store
from freshqa.store.pages import CachedPages
from prefect_freshqa.blocks import PageReader, SerpApiSearch
from prefect_freshqa.blocks.http_page_reader import HttpPageReader, PageLimits
from prefect_freshqa.blocks.resolve import load_page_reader
from prefect_freshqa.tasks.page_search import PageReadingSearch, first_to_probe
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

pytest.importorskip("trafilatura", reason="extra pages")
NOW = datetime(2025, 3, 1, tzinfo=timezone.utc)
DAY = NOW.date()
QUESTION = Question({"question": "Who won the final of the otter league?"}, key="q")


@pytest.fixture
def web() -> Iterator[PageServer]:
    server = PageServer()
    with server.running():
        for name in ("one", "two", "three"):
            server.pages[f"/{name}"] = page(f"The final of the otter league: page {name}.")
        yield server


def reading(
    store: Store, engine: object, reader: HttpPageReader | None, most: int
) -> PageReadingSearch:
    window = timedelta(days=1)
    search = CachedSearch(engine, store, None, now=lambda: NOW, window=window)  # type: ignore[arg-type]
    pages = CachedPages(reader, store, None, now=lambda: NOW, window=window)
    return PageReadingSearch(search, pages, most, reading=True)


def test_pages_are_read_kept_and_replayed(
    web: PageServer, serpapi_server: SerpApiServer, sqlite_url: str
) -> None:
    links = [f"{web.url}/{name}" for name in ("one", "two", "three")]
    hits = [
        {"position": n, "title": "League", "link": link, "snippet": f"Hit {n} on the league."}
        for n, link in enumerate(links, start=1)
    ]
    serpapi_server.bodies[QUESTION.text] = body(QUESTION.text, organic_results=hits)
    engine = SerpApiSearch(api_key="key", base_url=serpapi_server.url).get_engine()
    reader = HttpPageReader(PageLimits(seconds=120, spacing=0), LOOPBACK)
    store = Store.open(sqlite_url, create=True)
    result = reading(store, engine, reader, 2).search(QUESTION.text, as_of=DAY)
    reader.worker.close()
    findings = parse(result)
    assert sorted(web.paths()) == ["/one", "/two"]
    assert [bool(f.page) for f in findings] == [True, True, False]
    assert "page one" in findings[0].snippet

    web.requests.clear()
    replayed = reading(store, None, None, 2).search(QUESTION.text, as_of=DAY)
    assert parse(replayed) == findings
    assert web.requests == []


def test_no_page_is_read_before_it_is_requested(
    web: PageServer, serpapi_server: SerpApiServer, sqlite_url: str
) -> None:
    hits = [{"position": 1, "title": "League", "link": f"{web.url}/one", "snippet": "A hit."}]
    serpapi_server.bodies[QUESTION.text] = body(QUESTION.text, organic_results=hits)
    engine = SerpApiSearch(api_key="key", base_url=serpapi_server.url).get_engine()
    reader = HttpPageReader(PageLimits(seconds=120, spacing=0), LOOPBACK)
    search = reading(Store.open(sqlite_url, create=True), engine, reader, 2)
    search.reading = False
    assert search.search(QUESTION.text, as_of=DAY).pages == () and web.requests == []
    search.reading = True
    result = search.search(QUESTION.text, as_of=DAY)
    assert search.search(QUESTION.text, as_of=DAY) is result
    reader.worker.close()
    assert len(result.pages) == 1 and web.paths() == ["/one"]


def test_nothing_is_fetched_for_a_recording_or_a_replay() -> None:
    for search in ("replay", "recorded:searches.jsonl"):
        assert load_page_reader("", search=search) is None
    reader = load_page_reader("", search="serpapi")
    assert isinstance(reader, HttpPageReader)
    assert reader.limits == PageReader().get_reader().limits == PageLimits()


def test_a_page_reader_that_is_not_saved_is_reported(
    api_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFECT_API_URL", api_url)
    with pytest.raises(NotFound, match="page reader"):
        load_page_reader("nobody/here", search="serpapi")


def test_reading_pages_is_off_by_default_and_bounded() -> None:
    assert RefreshSettings().read_pages == 0
    with pytest.raises(ValidationError):
        RefreshSettings(read_pages=11)


def test_the_providers_are_probed_with_a_question_that_has_no_recipe() -> None:
    plain = plan_refresh([QUESTION], as_of=DAY, every_question=True)
    recipe = packed({COLUMN: '{"url": "https://h.example/"}'})
    planned = [replace(plain[0], question=replace(QUESTION, attributes=recipe)), *plain]
    assert first_to_probe(planned, RefreshSettings()) == 1
    assert first_to_probe(planned, RefreshSettings(compute="calendar")) == 0
    assert first_to_probe(planned[:1], RefreshSettings()) is None
    assert first_to_probe([], RefreshSettings()) is None
