"""A refresh completes with failing providers, names what failed, and checks it in the next run."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import pytest
from prefect.client.orchestration import get_client
from servers.failing_providers import (
    MODEL_FAULTS,
    SEARCH_FAULTS,
    Refresh,
    refreshing,
    saved_providers,
)
from servers.gauges import Providers, make_store, moved
from servers.openai_server import server_error as model_error
from servers.prefect_server import PrefectServer
from servers.provider_faults import in_bursts, sprinkle
from servers.scripted_server import Reply, Request
from servers.serpapi_server import query_of
from servers.serpapi_server import server_error as search_error

from freshqa.errors import CredentialsError, RunFailed
from freshqa.store import proposals, runs
from freshqa.store.checks import checks
from freshqa.store.database import Store

pytestmark = pytest.mark.integration

SIZE = 30
FEW = 12
"""Enough to go on after the failure, and for two batches."""


@pytest.fixture(scope="module")
def world(api_server: PrefectServer) -> Iterator[Providers]:
    with saved_providers(api_server) as running:
        yield running


@pytest.fixture
def refresh(
    api_server: PrefectServer, world: Providers, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Refresh]:
    with refreshing(api_server, world, sqlite_url, monkeypatch) as run:
        yield run


@pytest.mark.parametrize("pattern", ["at 30 % of calls", "in bursts"])
def test_a_refresh_completes_names_failed_questions_and_the_next_run_checks_them(
    pattern: str, refresh: Refresh, world: Providers, sqlite_url: str
) -> None:
    store = make_store(sqlite_url, SIZE)
    for server, faults in ((world.search, SEARCH_FAULTS), (world.model, MODEL_FAULTS)):
        if pattern == "in bursts":
            in_bursts(server, faults)
        else:
            sprinkle(server, faults, 0.3, seed=5)
    first = refresh("impatient")
    assert first["due"] == SIZE == first["checked"] == sum(first["outcomes"].values())
    failed = {c.question: c.error for c in checks(store, first["run"]) if c.outcome == "failed"}
    assert len(failed) == first["left_due"] == first["outcomes"].get("failed", 0)
    assert 0 < len(failed) < SIZE
    assert all(failed.values())
    assert runs.get_run(store, first["run"]).state == "incomplete"
    world.search.clear()
    world.model.clear()
    second = refresh()
    assert second["left_due"] == 0
    assert set(world.search.queries()) <= set(failed)
    expect_every_gauge_to_be_right(store, second["run"])


def expect_every_gauge_to_be_right(store: Store, run: str) -> None:
    outcomes = Counter(c.outcome.value for c in checks(store, run) if c.outcome != "failed")
    changed = sum(map(moved, range(SIZE)))
    assert outcomes == {"changed": changed, "unchanged": SIZE - changed}
    assert len(proposals.proposals(store, status=None)) == changed


def test_when_no_provider_answers_every_question_stays_due(
    refresh: Refresh, world: Providers, sqlite_url: str
) -> None:
    store = make_store(sqlite_url, SIZE)
    world.search.always(search_error())
    with pytest.raises(RunFailed, match=f"Failed: 0 of {SIZE} checked, .* only fails") as raised:
        refresh()
    summary = raised.value.summary
    assert 10 <= summary["outcomes"]["failed"] <= SIZE
    assert (summary["left_due"], summary["proposals"]) == (SIZE, 0)
    assert runs.get_run(store, summary["run"]).state == "failed"


def test_a_wrong_key_costs_one_call_and_fails_the_run(
    refresh: Refresh, world: Providers, sqlite_url: str
) -> None:
    store = make_store(sqlite_url, FEW)
    world.model.always(Reply(401, {"error": {"message": "Incorrect API key provided"}}))
    with pytest.raises(CredentialsError):
        refresh()
    assert len(world.model.requests) == 1
    [run] = runs.list_runs(store)
    assert run.state == "failed" and "CredentialsError" in run.summary["reason"]
    world.model.clear()
    assert refresh()["left_due"] == 0
    assert len(world.search.requests) == FEW  # no search is paid again


@pytest.mark.parametrize("budget", [{}, {"budget_searches": FEW}], ids=["no budget", "budget"])
def test_a_wrong_key_of_the_search_engine_costs_one_call(
    budget: dict[str, Any],
    refresh: Refresh,
    world: Providers,
    sqlite_url: str,
) -> None:
    make_store(sqlite_url, FEW)
    world.search.always(Reply(401, {"error": "Invalid API key."}))
    with pytest.raises(CredentialsError):
        refresh(**budget)
    assert (len(world.search.requests), len(world.model.requests)) == (1, 0)


def test_under_a_budget_a_wrong_key_of_the_model_costs_one_search(
    refresh: Refresh, world: Providers, sqlite_url: str
) -> None:
    make_store(sqlite_url, FEW)
    world.model.always(Reply(401, {"error": {"message": "Incorrect API key provided"}}))
    with pytest.raises(CredentialsError):
        refresh(budget_usd="10")
    assert (len(world.search.requests), len(world.model.requests)) == (1, 1)


def test_the_next_questions_are_searched_while_the_model_answers(
    refresh: Refresh,
    world: Providers,
    sqlite_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_store(sqlite_url, FEW)
    searched, normal = threading.Event(), world.search.normal
    queries: set[str] = set()

    def search(request: Request) -> Reply:
        queries.add(query_of(request))
        if len(queries) == 4:
            searched.set()
        return normal(request)

    def complete(request: Request) -> Reply:
        assert searched.wait(60)
        return answer(request)

    answer = world.model.normal
    monkeypatch.setattr(world.search, "normal", search)
    monkeypatch.setattr(world.model, "normal", complete)
    assert refresh(concurrency=2)["left_due"] == 0
    assert searched.is_set()
    assert len(world.search.requests) == len(world.model.requests) == FEW


def test_a_row_answered_by_the_calendar_neither_searches_nor_counts_as_the_first_call(
    refresh: Refresh, world: Providers, sqlite_url: str
) -> None:
    store = make_store(sqlite_url, FEW, month="February")
    world.model.always(Reply(401, {"error": {"message": "Incorrect API key provided"}}))
    with pytest.raises(CredentialsError):
        refresh()
    assert len(world.model.requests) == 1
    world.model.clear()
    summary = refresh()
    assert (summary["due"], summary["searches"], summary["left_due"]) == (FEW + 1, FEW, 0)
    assert summary["steps"]["computed"]["taken"] == summary["steps"]["computed"]["changed"] == 1
    assert not any("month" in query for query in world.search.queries())
    [computed] = [p for p in proposals.proposals(store) if p.proposal.method == "calendar"]
    assert computed.proposal.changes["answer_0"].new == "March"


def test_a_key_that_is_revoked_meanwhile_stops_the_run(
    refresh: Refresh, world: Providers, sqlite_url: str
) -> None:
    make_store(sqlite_url, FEW)
    world.model.burst(5, 1_000, Reply(401, {"error": {"message": "Incorrect API key provided"}}))
    with pytest.raises(RunFailed, match=f"of {FEW} checked") as raised:
        refresh()
    summary = raised.value.summary
    assert summary["outcomes"].get("failed", 0) == 0
    assert 0 < summary["checked"] <= 5 and summary["left_due"] == FEW - summary["checked"]


def test_the_state_of_the_flow_run_states_what_was_done(
    world: Providers, sqlite_url: str, refresh: Refresh
) -> None:
    make_store(sqlite_url, FEW)
    summary = refresh(budget_searches=7)
    with get_client(sync_client=True) as client:
        run = runs.get_run(Store.open(sqlite_url), summary["run"])
        state = client.read_flow_run(UUID(run.flow_run_id)).state
    assert (state.type.value, state.name) == ("COMPLETED", "Incomplete")
    assert state.message.startswith(
        f"Incomplete: 7 of {FEW} checked, budget reached, {FEW - 7} left"
    )


@pytest.mark.parametrize(
    ("budget", "spent"),
    [
        ({"budget_searches": 7}, lambda summary, world: len(world.search.requests) <= 7),
        (
            {"budget_usd": "0.60"},
            lambda summary, world: float(summary["cost_usd"]) <= 0.60,
        ),
    ],
    ids=["searches", "money"],
)
def test_the_budget_holds_while_a_third_of_the_calls_fail(
    budget: dict[str, Any],
    spent: Callable[[dict[str, Any], Providers], bool],
    refresh: Refresh,
    world: Providers,
    sqlite_url: str,
) -> None:
    store = make_store(sqlite_url, SIZE)
    world.model.at_random(0.3, model_error(), seed=2)
    summary = refresh(**budget)
    assert spent(summary, world)
    assert 0 < summary["left_due"] < SIZE
    assert runs.get_run(store, summary["run"]).state == "incomplete"
    world.model.clear()
    assert refresh()["left_due"] == 0
