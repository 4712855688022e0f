"""No call is paid twice: recorded calls are reused, also by a replay."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from store.ledger import start
from store.sheet import DAY, NOW, WEEK

from freshqa.answering.budget import Budget
from freshqa.answering.language_model import Completion, Message, Usage, prompt_hash
from freshqa.errors import BudgetExhausted, NotFound, ProviderError
from freshqa.evidence.search_engine import SearchResult
from freshqa.store.cache import EVER, FLIGHTS, CachedModel, CachedSearch
from freshqa.store.database import Store
from freshqa.store.known_calls import find_completion, find_search

PRICE = Decimal("0.0150")
PROMPT = [Message("user", "How many moons? \ud83d")]


@dataclass
class PaidEngine:
    """A search engine that counts what it is paid for."""

    name: str = "paid"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    asked: list[tuple[str, date]] = field(default_factory=list)
    failures: int = 0
    seconds: float = 0.0

    def search(self, query: str, *, as_of: date) -> SearchResult:
        self.asked.append((query, as_of))
        time.sleep(self.seconds)
        if len(self.asked) <= self.failures:
            raise ProviderError("no answer")
        body = {"organic_results": [{"snippet": "nine \0 \ud83d", "n": len(self.asked)}]}
        return SearchResult("serpapi", query, body, NOW, {"q": query}, PRICE, 0.5)


@dataclass
class PaidModel:
    """A model that counts what it is paid for."""

    name: str = "scripted"
    asked: list[dict[str, Any]] = field(default_factory=list)
    parameters: dict[str, Any] = field(default_factory=dict)

    def complete(
        self, messages: Sequence[Message], *, question: str = "", **settings: Any
    ) -> Completion:
        self.asked.append({"question": question, **settings})
        text = f"nine {len(self.asked)} \ud83d"
        usage = Usage(100, 20)
        raw = {"choices": [{"message": {"content": text}}]}
        return Completion(
            text, "scripted-0301", prompt_hash(PROMPT), NOW, usage, PRICE, 2.0, "stop", raw
        )


@pytest.fixture
def run(store: Store) -> Store:
    start(store)
    return store


def reused(
    engine: PaidEngine | None,
    store: Store,
    *,
    now: Callable[[], datetime] = lambda: NOW,
    budget: Budget | None = None,
) -> CachedSearch:
    return CachedSearch(engine, store, "week-11", now=now, window=timedelta(days=1), budget=budget)


def test_a_search_is_paid_once_and_read_back_unchanged(run: Store) -> None:
    engine = PaidEngine()
    first = reused(engine, run).search("moons", as_of=DAY)
    again = reused(engine, run).search("moons", as_of=DAY)
    assert len(engine.asked) == 1
    assert (first.cost_usd, first.reused) == (PRICE, False)
    assert (again.cost_usd, again.reused) == (Decimal(0), True)
    assert (again.engine, again.query, again.body, again.request, again.fetched_at) == (
        first.engine,
        first.query,
        first.body,
        first.request,
        first.fetched_at,
    )


def test_a_search_is_reused_while_it_is_fresh(run: Store) -> None:
    engine = PaidEngine()
    for hours, calls in ((0, 1), (24, 1), (25, 2)):
        later = NOW + timedelta(hours=hours)
        reused(engine, run, now=lambda later=later: later).search("moons", as_of=DAY)
        assert len(engine.asked) == calls


def test_another_day_engine_or_setting_needs_a_new_search(run: Store) -> None:
    engines = [PaidEngine(), PaidEngine(name="other"), PaidEngine(parameters={"gl": "us"})]
    for engine in engines:
        reused(engine, run).search("moons", as_of=DAY)
    reused(engines[0], run).search("moons", as_of=DAY + WEEK)
    reused(engines[0], run).search("moon", as_of=DAY)
    assert [len(engine.asked) for engine in engines] == [3, 1, 1]


def test_many_threads_pay_for_one_search_once(run: Store) -> None:
    engine = PaidEngine(seconds=0.1)
    barrier = threading.Barrier(8)

    def ask(_: int) -> SearchResult:
        barrier.wait()
        return reused(engine, run).search("moons", as_of=DAY)

    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(ask, range(8)))
    assert len(engine.asked) == 1
    assert sum(not result.reused for result in results) == 1
    assert FLIGHTS._flights == {}


def test_different_searches_do_not_wait_for_one_another(run: Store) -> None:
    all_under_way = threading.Barrier(4, timeout=60)

    class Waits(PaidEngine):
        def search(self, query: str, *, as_of: date) -> SearchResult:
            all_under_way.wait()
            return super().search(query, as_of=as_of)

    engine = Waits()
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda n: reused(engine, run).search(f"q{n}", as_of=DAY), range(4)))
    assert len(engine.asked) == 4


def test_a_failed_search_is_not_recorded_and_is_repeated(run: Store) -> None:
    engine = PaidEngine(failures=1)
    with pytest.raises(ProviderError):
        reused(engine, run).search("moons", as_of=DAY)
    assert not reused(engine, run).search("moons", as_of=DAY).reused
    assert len(engine.asked) == 2


def test_a_reused_search_is_not_charged_to_the_budget(run: Store) -> None:
    engine, budget = PaidEngine(), Budget(searches=1)
    search = reused(engine, run, budget=budget)
    for _ in range(3):
        search.search("moons", as_of=DAY)
    assert (budget.spent.searches, budget.spent.usd) == (1, PRICE)
    with pytest.raises(BudgetExhausted):
        search.search("comets", as_of=DAY)
    assert len(engine.asked) == 1


def test_a_replay_makes_no_call_and_uses_the_last_search_up_to_the_day(run: Store) -> None:
    engine = PaidEngine()
    for day in (DAY, DAY + WEEK):
        reused(engine, run).search("moons", as_of=day)
    years_later = NOW + timedelta(days=999)
    replay = reused(None, run, now=lambda: years_later)
    numbers = [
        replay.search("moons", as_of=DAY + timedelta(days=days)).body["organic_results"][0]["n"]
        for days in (0, 6, 7, 900)
    ]
    assert numbers == [1, 1, 2, 2]
    assert len(engine.asked) == 2
    with pytest.raises(NotFound, match="No search for 'comets' as of 2026-03-09 is recorded"):
        replay.search("comets", as_of=DAY)
    with pytest.raises(NotFound):
        replay.search("moons", as_of=DAY - timedelta(days=1))


def test_a_search_outside_a_run_is_recorded_too(store: Store) -> None:
    engine = PaidEngine()
    for _ in range(2):
        CachedSearch(engine, store, None, now=lambda: NOW, window=WEEK).search("q", as_of=DAY)
    assert len(engine.asked) == 1


def model(engine: PaidModel | None, store: Store, budget: Budget | None = None) -> CachedModel:
    return CachedModel(
        engine, store, "week-11", now=lambda: NOW, window=timedelta(days=1), budget=budget
    )


def test_a_completion_is_paid_once_and_read_back_unchanged(run: Store) -> None:
    engine, budget = PaidModel(), Budget(usd=Decimal("0.02"))
    first = model(engine, run, budget).complete(PROMPT, question="moons")
    again = model(engine, run, budget).complete(PROMPT, question="moons")
    assert len(engine.asked) == 1
    assert (again.reused, again.cost_usd, budget.spent.usd) == (True, Decimal(0), PRICE)
    assert (again.text, again.model, again.usage, again.raw, again.finish_reason) == (
        first.text,
        first.model,
        first.usage,
        first.raw,
        first.finish_reason,
    )


def test_other_settings_need_a_new_completion(run: Store) -> None:
    engine = PaidModel()
    for settings in ({}, {"max_tokens": 2048}, {"temperature": 1.0}, {"schema": {"a": 1}}, {}):
        model(engine, run).complete(PROMPT, **settings)
    assert [asked.get("schema") for asked in engine.asked] == [None, None, None, {"a": 1}]
    model(PaidModel(name="other"), run).complete(PROMPT)
    assert find_completion(run, prompt_hash(PROMPT), "other", since=EVER) is not None


def test_a_model_with_other_parameters_is_asked_again(run: Store) -> None:
    low, high = ({"reasoning_effort": effort} for effort in ("low", "high"))
    engines = [PaidModel(parameters=fixed) for fixed in (low, low, high, {})]
    for engine in engines:
        model(engine, run).complete(PROMPT)
    assert [len(engine.asked) for engine in engines] == [1, 0, 1, 1]
    assert "reasoning_effort" not in str(engines[0].asked)  # the model sends it by itself


def test_a_replayed_completion_comes_from_any_model(run: Store) -> None:
    model(PaidModel(), run).complete(PROMPT, max_tokens=5)
    assert model(None, run).complete(PROMPT).text.startswith("nine 1")
    with pytest.raises(NotFound, match="No completion for 'comets' is recorded"):
        model(None, run).complete([Message("user", "other")], question="comets")


def test_a_request_that_was_never_recorded_is_not_found(store: Store) -> None:
    assert find_search(store, "0" * 64, since=EVER) is None
    assert find_completion(store, "0" * 64, None, since=EVER) is None


def test_a_run_reuses_its_own_calls_regardless_of_their_age(store: Store) -> None:
    engine = PaidEngine()
    started, day = NOW, timedelta(days=1)
    CachedSearch(engine, store, None, now=lambda: NOW, window=day).search("moons", as_of=DAY)
    later: Any = {"now": lambda: NOW + 30 * day, "window": day}
    CachedSearch(engine, store, None, **later, since=started).search("moons", as_of=DAY)
    assert len(engine.asked) == 1
    CachedSearch(engine, store, None, **later).search("moons", as_of=DAY)
    assert len(engine.asked) == 2
