"""Rewritten queries and the date filters of search engines."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

import pytest

from freshqa.answering.queries import dated, declarative
from freshqa.errors import NotFound
from freshqa.evidence.engine_format import EngineFormat
from freshqa.evidence.search_engine import Recency, SearchResult, limited_to
from freshqa.evidence.searxng import Searxng
from freshqa.evidence.serpapi import SerpApi
from freshqa.evidence.serper import Serper
from freshqa.store.cache import CachedSearch
from freshqa.store.database import Store
from prefect_freshqa.blocks.search_engine import HttpSearchEngine

DAY = date(2026, 3, 9)
NOW = datetime(2026, 3, 9, 12, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Who is the CEO of Acme?", "the CEO of Acme is"),
        ("Who's the CEO of Acme?", "the CEO of Acme is"),
        ("What is the tallest tree in Orlune?", "the tallest tree in Orlune is"),
        ("Who won the latest Lake Cup?", "won the latest Lake Cup"),
        ("How many moons does Vell have?", "the number of moons Vell have is"),
        ("How many bridges are there in Orlune?", "the number of bridges in Orlune is"),
        ("How old is Mira Tolland?", "Mira Tolland is years old"),
        ("When is the next Lake Cup?", "the next Lake Cup is on"),
        ("When did Orlune last win?", "Orlune last win on"),
        ("Where is the Lake Cup?", "the Lake Cup is in"),
        ("Is Orlune a republic?", ""),
    ],
)
def test_a_question_is_rewritten_as_the_start_of_its_answer(question: str, statement: str) -> None:
    assert declarative(question) == statement


def test_a_period_is_added_in_words_unless_the_question_names_a_year() -> None:
    asked = "Who won the  latest Lake Cup?"
    assert dated(asked, Recency.month, as_of=DAY) == "Who won the latest Lake Cup March 2026"
    assert dated(asked, Recency.year, as_of=DAY) == "Who won the latest Lake Cup 2026"
    assert dated("Who won the Lake Cup in 2019?", Recency.month, as_of=DAY) == ""


@pytest.mark.parametrize(
    ("form", "parameters"),
    [
        (SerpApi(), {"tbs": "qdr:m"}),
        (SerpApi("duckduckgo"), {"df": "m"}),
        (SerpApi("bing"), {}),
        (Serper(), {"tbs": "qdr:m"}),
        (Searxng(), {"time_range": "month"}),
    ],
)
def test_each_engine_states_its_own_date_filter(
    form: EngineFormat, parameters: dict[str, str]
) -> None:
    assert form.recent(Recency.month) == parameters
    engine = HttpSearchEngine(form, "http://127.0.0.1:9", extra={"safe": "off"})
    limited = limited_to(engine, Recency.month, as_of=DAY)
    if not parameters:
        assert limited is None
    else:
        assert isinstance(limited, HttpSearchEngine)
        assert limited.parameters == {**engine.parameters, **parameters}
        assert limited._session is engine._session


class Filtering:
    """An engine with a filter: other results with it than without."""

    name = "filtering"

    def __init__(self, filter: str = "") -> None:
        self.parameters = {"filter": filter}

    def search(self, query: str, *, as_of: date) -> SearchResult:
        return SearchResult("serpapi", query, {"filter": self.parameters["filter"]}, NOW)

    def limited_to(self, recency: Recency, *, as_of: date) -> Filtering:
        return Filtering(recency.value)


def cached(store: Store, engine: Filtering | None, now: datetime = NOW) -> CachedSearch:
    return CachedSearch(engine, store, None, now=lambda: now, window=timedelta(days=6))


def test_a_filtered_search_is_recorded_apart_and_replayed(sqlite_url: str) -> None:
    store = Store.open(sqlite_url, create=True)
    live, replay = cached(store, Filtering()), cached(store, None)
    limited, replayed = (limited_to(engine, Recency.month, as_of=DAY) for engine in (live, replay))
    assert limited is not None and replayed is not None
    assert live.search("Who?", as_of=DAY).body["filter"] == ""
    with pytest.raises(NotFound):
        replayed.search("Who?", as_of=DAY)
    assert limited.search("Who?", as_of=DAY).body["filter"] == "month"
    assert limited.search("Who?", as_of=DAY).reused
    assert replayed.search("Who?", as_of=DAY).body["filter"] == "month"
    assert replay.search("Who?", as_of=DAY).body["filter"] == ""


def test_a_day_in_the_past_has_no_filter(sqlite_url: str) -> None:
    store = Store.open(sqlite_url, create=True)
    later = cached(store, Filtering(), NOW + timedelta(days=30))
    assert limited_to(later, Recency.month, as_of=DAY) is None
