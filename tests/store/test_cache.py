"""No call is paid twice: recorded calls are reused, also by a replay."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from store.ledger import start
from store.paid import PRICE, PROMPT, RUN, PaidEngine, PaidModel, cached_model, cached_search
from store.sheet import DAY, NOW, WEEK

from freshqa.answering.budget import Budget
from freshqa.answering.language_model import Message, prompt_hash
from freshqa.errors import BudgetExhausted, NotFound, ProviderError
from freshqa.evidence.search_engine import SearchResult
from freshqa.store.cache import EVER, FLIGHTS, CachedSearch
from freshqa.store.database import Store
from freshqa.store.known_calls import find_completion, find_search


@pytest.fixture
def ledger(store: Store) -> Store:
    """A store in which the run that asks has started."""
    start(store, RUN)
    return store


def test_a_search_is_paid_once_and_read_back_unchanged(ledger: Store) -> None:
    engine = PaidEngine()
    first = cached_search(engine, ledger).search("moons", as_of=DAY)
    again = cached_search(engine, ledger).search("moons", as_of=DAY)
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


def test_a_search_is_reused_while_it_is_fresh(ledger: Store) -> None:
    engine = PaidEngine()
    for hours, calls in ((0, 1), (24, 1), (25, 2)):
        later = NOW + timedelta(hours=hours)
        cached_search(engine, ledger, now=lambda later=later: later).search("moons", as_of=DAY)
        assert len(engine.asked) == calls


def test_another_day_engine_or_setting_needs_a_new_search(ledger: Store) -> None:
    engines = [PaidEngine(), PaidEngine(name="other"), PaidEngine(parameters={"gl": "us"})]
    for engine in engines:
        cached_search(engine, ledger).search("moons", as_of=DAY)
    cached_search(engines[0], ledger).search("moons", as_of=DAY + WEEK)
    cached_search(engines[0], ledger).search("moon", as_of=DAY)
    assert [len(engine.asked) for engine in engines] == [3, 1, 1]


def test_many_threads_pay_for_one_search_once(ledger: Store) -> None:
    engine = PaidEngine(seconds=0.1)
    barrier = threading.Barrier(8)

    def ask(_: int) -> SearchResult:
        barrier.wait()
        return cached_search(engine, ledger).search("moons", as_of=DAY)

    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(ask, range(8)))
    assert len(engine.asked) == 1
    assert sum(not result.reused for result in results) == 1
    assert FLIGHTS._flights == {}


def test_different_searches_do_not_wait_for_one_another(ledger: Store) -> None:
    all_under_way = threading.Barrier(4, timeout=60)

    class Waits(PaidEngine):
        def search(self, query: str, *, as_of: date) -> SearchResult:
            all_under_way.wait()
            return super().search(query, as_of=as_of)

    engine = Waits()

    def ask(number: int) -> SearchResult:
        return cached_search(engine, ledger).search(f"q{number}", as_of=DAY)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(ask, range(4)))
    assert len(engine.asked) == 4


def test_a_failed_search_is_not_recorded_and_is_repeated(ledger: Store) -> None:
    engine = PaidEngine(failures=1)
    with pytest.raises(ProviderError):
        cached_search(engine, ledger).search("moons", as_of=DAY)
    assert not cached_search(engine, ledger).search("moons", as_of=DAY).reused
    assert len(engine.asked) == 2


def test_a_reused_search_is_not_charged_to_the_budget(ledger: Store) -> None:
    engine, budget = PaidEngine(), Budget(searches=1)
    search = cached_search(engine, ledger, budget=budget)
    for _ in range(3):
        search.search("moons", as_of=DAY)
    assert (budget.spent.searches, budget.spent.usd) == (1, PRICE)
    with pytest.raises(BudgetExhausted):
        search.search("comets", as_of=DAY)
    assert len(engine.asked) == 1


def test_a_replay_makes_no_call_and_uses_the_last_search_up_to_the_day(ledger: Store) -> None:
    engine = PaidEngine()
    for day in (DAY, DAY + WEEK):
        cached_search(engine, ledger).search("moons", as_of=day)
    years_later = NOW + timedelta(days=999)
    replay = cached_search(None, ledger, now=lambda: years_later)
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


def test_a_completion_is_paid_once_and_read_back_unchanged(ledger: Store) -> None:
    engine, budget = PaidModel(), Budget(usd=Decimal("0.02"))
    first = cached_model(engine, ledger, budget).complete(PROMPT, question="moons")
    again = cached_model(engine, ledger, budget).complete(PROMPT, question="moons")
    assert len(engine.asked) == 1
    assert (again.reused, again.cost_usd, budget.spent.usd) == (True, Decimal(0), PRICE)
    assert (again.text, again.model, again.usage, again.raw, again.finish_reason) == (
        first.text,
        first.model,
        first.usage,
        first.raw,
        first.finish_reason,
    )


def test_other_settings_need_a_new_completion(ledger: Store) -> None:
    engine = PaidModel()
    for settings in ({}, {"max_tokens": 2048}, {"temperature": 1.0}, {"schema": {"a": 1}}, {}):
        cached_model(engine, ledger).complete(PROMPT, **settings)
    assert [asked.get("schema") for asked in engine.asked] == [None, None, None, {"a": 1}]
    cached_model(PaidModel(name="other"), ledger).complete(PROMPT)
    assert find_completion(ledger, prompt_hash(PROMPT), "other", since=EVER) is not None


def test_a_model_with_other_parameters_is_asked_again(ledger: Store) -> None:
    low, high = ({"reasoning_effort": effort} for effort in ("low", "high"))
    engines = [PaidModel(parameters=fixed) for fixed in (low, low, high, {})]
    for engine in engines:
        cached_model(engine, ledger).complete(PROMPT)
    assert [len(engine.asked) for engine in engines] == [1, 0, 1, 1]
    assert "reasoning_effort" not in str(engines[0].asked)  # the model sends it by itself


def test_a_replayed_completion_comes_from_any_model(ledger: Store) -> None:
    cached_model(PaidModel(), ledger).complete(PROMPT, max_tokens=5)
    assert cached_model(None, ledger).complete(PROMPT).text.startswith("nine 1")
    with pytest.raises(NotFound, match="No completion for 'comets' is recorded"):
        cached_model(None, ledger).complete([Message("user", "other")], question="comets")


def test_a_request_that_was_never_recorded_is_not_found(store: Store) -> None:
    assert find_search(store, "0" * 64, since=EVER) is None
    assert find_completion(store, "0" * 64, None, since=EVER) is None


def test_calls_recorded_after_since_are_reused_regardless_of_their_age(store: Store) -> None:
    engine = PaidEngine()
    day = timedelta(days=1)
    CachedSearch(engine, store, None, now=lambda: NOW, window=day).search("moons", as_of=DAY)
    later: Any = {"now": lambda: NOW + 30 * day, "window": day}
    CachedSearch(engine, store, None, **later, since=NOW).search("moons", as_of=DAY)
    assert len(engine.asked) == 1
    CachedSearch(engine, store, None, **later).search("moons", as_of=DAY)
    assert len(engine.asked) == 2
