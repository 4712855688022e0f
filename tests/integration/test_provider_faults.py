"""A refresh completes with failing providers, names what failed, and checks it in the next run."""

from __future__ import annotations

import threading
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from prefect import tags
from prefect.client.orchestration import get_client
from servers.gauges import CHECKED, Providers, make_store, moved, providers
from servers.openai_server import server_error as model_error
from servers.prefect_server import PrefectServer
from servers.provider_faults import FAULTS, in_bursts, sprinkle
from servers.scripted_server import Reply, Request
from servers.serpapi_server import query_of
from servers.serpapi_server import server_error as search_error
from servers.using import using

from freshqa.errors import CredentialsError, RunFailed
from freshqa.store import proposals, runs
from freshqa.store.checks import checks
from freshqa.store.database import Store
from prefect_freshqa.flows.refresh import refresh_dataset
from prefect_freshqa.tasks import circuit_breaker
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

pytestmark = pytest.mark.integration

SIZE = 30
PATIENCE = {"impatient": 1.0, "patient": 120.0}
"""Block → seconds that a client waits for one reply."""
SEARCH_FAULTS = [search for search, _ in FAULTS.values()]
MODEL_FAULTS = [model for _, model in FAULTS.values()]


@pytest.fixture(scope="module")
def world(prefect_server: PrefectServer) -> Iterator[Providers]:
    """The providers, saved as blocks of clients that wait long and of those that do not."""
    with providers(search_seconds=0.0, model_seconds=0.0) as running:
        with using(f"{prefect_server.url}/api"):
            for name, seconds in PATIENCE.items():
                running.save_blocks(
                    name,
                    search={
                        "api_key": "a-marked-search-key",
                        "timeout_seconds": seconds,
                        "max_attempts": 2,
                        "longest_wait_seconds": 0.2,
                    },
                    model={
                        "api_key": "a-marked-model-key",
                        "timeout_seconds": seconds,
                        "max_retries": 1,
                        "prompt_usd_per_million": 0,
                        "completion_usd_per_million": 1000,
                    },
                )
        yield running


@pytest.fixture
def refresh(
    prefect_server: PrefectServer,
    world: Providers,
    sqlite_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Callable[..., dict[str, Any]]]:
    """Run the flow here, against the real server, on providers that misbehave."""
    world.search.clear()
    world.model.clear()
    monkeypatch.setenv("PREFECT_FRESHQA_STORE", sqlite_url)
    # as many probes, sooner: how long it waits is tested with the circuit breaker
    monkeypatch.setattr(circuit_breaker, "PAUSES", [0.05] * len(circuit_breaker.PAUSES))
    with using(f"{prefect_server.url}/api"):

        def run(name: str = "patient", **settings: Any) -> dict[str, Any]:
            asked = RefreshSettings(
                search=f"serpapi-search/{name}", model=f"freshqa-openai-model/{name}", **settings
            )
            summary: dict[str, Any] = refresh_dataset(as_of=CHECKED, settings=asked)
            return summary

        yield run


@pytest.mark.parametrize("pattern", ["at 30 % of calls", "in bursts"])
def test_a_refresh_completes_names_failed_questions_and_the_next_run_checks_them(
    pattern: str, refresh: Callable[..., dict[str, Any]], world: Providers, sqlite_url: str
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


def test_tasks_do_not_have_the_tag_of_the_flow_run(
    refresh: Callable[..., dict[str, Any]], prefect_server: PrefectServer, sqlite_url: str
) -> None:
    make_store(sqlite_url, 1)
    with tags("a-tag-of-this-test"):
        refresh()
    (run,) = prefect_server.post(
        "/flow_runs/filter", flow_runs={"tags": {"all_": ["a-tag-of-this-test"]}}
    )
    tasks = prefect_server.wait_for(
        lambda: prefect_server.post(
            "/task_runs/filter", flow_runs={"id": {"any_": [run["id"]]}}, limit=200
        ),
        "the server to record task runs",
    )
    assert {tuple(task["tags"]) for task in tasks} == {()}


def test_when_no_provider_answers_every_question_stays_due(
    refresh: Callable[..., dict[str, Any]], world: Providers, sqlite_url: str
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
    refresh: Callable[..., dict[str, Any]], world: Providers, sqlite_url: str
) -> None:
    store = make_store(sqlite_url, SIZE)
    world.model.always(Reply(401, {"error": {"message": "Incorrect API key provided"}}))
    with pytest.raises(CredentialsError):
        refresh()
    assert len(world.model.requests) == 1
    [run] = runs.list_runs(store)
    assert run.state == "failed" and "CredentialsError" in run.summary["reason"]
    world.model.clear()
    assert refresh()["left_due"] == 0
    assert len(world.search.requests) == SIZE  # no search is paid again


@pytest.mark.parametrize("budget", [{}, {"budget_searches": SIZE}], ids=["no budget", "budget"])
def test_a_wrong_key_of_the_search_engine_costs_one_call(
    budget: dict[str, Any],
    refresh: Callable[..., dict[str, Any]],
    world: Providers,
    sqlite_url: str,
) -> None:
    make_store(sqlite_url, SIZE)
    world.search.always(Reply(401, {"error": "Invalid API key."}))
    with pytest.raises(CredentialsError):
        refresh(**budget)
    assert (len(world.search.requests), len(world.model.requests)) == (1, 0)


def test_under_a_budget_a_wrong_key_of_the_model_costs_one_search(
    refresh: Callable[..., dict[str, Any]], world: Providers, sqlite_url: str
) -> None:
    make_store(sqlite_url, SIZE)
    world.model.always(Reply(401, {"error": {"message": "Incorrect API key provided"}}))
    with pytest.raises(CredentialsError):
        refresh(budget_usd="10")
    assert (len(world.search.requests), len(world.model.requests)) == (1, 1)


def test_the_next_questions_are_searched_while_the_model_answers(
    refresh: Callable[..., dict[str, Any]],
    world: Providers,
    sqlite_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_store(sqlite_url, SIZE)
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
    assert len(world.search.requests) == len(world.model.requests) == SIZE


def test_a_row_answered_by_the_calendar_neither_searches_nor_counts_as_the_first_call(
    refresh: Callable[..., dict[str, Any]], world: Providers, sqlite_url: str
) -> None:
    store = make_store(sqlite_url, SIZE, month="February")
    world.model.always(Reply(401, {"error": {"message": "Incorrect API key provided"}}))
    with pytest.raises(CredentialsError):
        refresh()
    assert len(world.model.requests) == 1
    world.model.clear()
    summary = refresh()
    assert (summary["due"], summary["searches"], summary["left_due"]) == (SIZE + 1, SIZE, 0)
    assert summary["steps"]["computed"]["taken"] == summary["steps"]["computed"]["changed"] == 1
    assert not any("month" in query for query in world.search.queries())
    [computed] = [p for p in proposals.proposals(store) if p.proposal.method == "calendar"]
    assert computed.proposal.changes["answer_0"].new == "March"


def test_a_key_that_is_revoked_meanwhile_stops_the_run(
    refresh: Callable[..., dict[str, Any]], world: Providers, sqlite_url: str
) -> None:
    make_store(sqlite_url, SIZE)
    world.model.burst(5, 1_000, Reply(401, {"error": {"message": "Incorrect API key provided"}}))
    with pytest.raises(RunFailed, match=f"of {SIZE} checked") as raised:
        refresh()
    summary = raised.value.summary
    assert summary["outcomes"].get("failed", 0) == 0
    assert 0 < summary["checked"] <= 5 and summary["left_due"] == SIZE - summary["checked"]


def test_the_state_of_the_flow_run_states_what_was_done(
    world: Providers, sqlite_url: str, refresh: Callable[..., dict[str, Any]]
) -> None:
    make_store(sqlite_url, SIZE)
    summary = refresh(budget_searches=7)
    with get_client(sync_client=True) as client:
        run = runs.get_run(Store.open(sqlite_url), summary["run"])
        state = client.read_flow_run(UUID(run.flow_run_id)).state
    assert (state.type.value, state.name) == ("COMPLETED", "Incomplete")
    assert state.message.startswith(
        f"Incomplete: 7 of {SIZE} checked, budget reached, {SIZE - 7} left"
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
    refresh: Callable[..., dict[str, Any]],
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


def test_the_key_is_not_stored_anywhere(
    refresh: Callable[..., dict[str, Any]],
    world: Providers,
    sqlite_url: str,
    prefect_server: PrefectServer,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Logs, artifacts, results, run states, the ledger, exceptions and the process list."""
    make_store(sqlite_url, SIZE)
    sprinkle(world.search, SEARCH_FAULTS, 0.5, seed=6)
    sprinkle(world.model, MODEL_FAULTS, 0.5, seed=6)
    refresh("impatient")
    captured = capfd.readouterr()
    seen = {
        "log": caplog.text + captured.out + captured.err,
        "ledger": b"".join(file.read_bytes() for file in tmp_path.glob("freshqa.db*")),
        "run logs": str(prefect_server.post("/logs/filter", limit=200, sort="TIMESTAMP_DESC")),
        "artifacts": str(prefect_server.post("/artifacts/filter", limit=200)),
        "flow runs": str(prefect_server.post("/flow_runs/filter", limit=200)),
        "task runs": str(prefect_server.post("/task_runs/filter", limit=200)),
    }
    seen["exceptions"] = "".join(
        "".join(traceback.format_exception(record.exc_info[1]))
        for record in caplog.records
        if record.exc_info and record.exc_info[1]
    )
    seen["process list"] = b"".join(processes_command_lines())
    results = [f for f in (prefect_server.home / "storage").rglob("*") if f.is_file()]
    seen["results"] = b"".join(file.read_bytes() for file in results)
    for where, content in seen.items():
        text = content.decode("latin-1") if isinstance(content, bytes) else content
        assert "a-marked-" not in text, where


def processes_command_lines() -> Iterator[bytes]:
    """The arguments of every process that this user may see."""
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended meanwhile
            yield file.read_bytes()
