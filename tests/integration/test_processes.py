"""A refresh in several processes keeps one budget and gives one result."""

from __future__ import annotations

from typing import Any

import pytest
from command_line import warm_processes
from prefect.task_runners import ProcessPoolTaskRunner
from servers.gauges import CHECKED, make_store, providers
from servers.prefect_server import PrefectServer
from servers.using import using
from servers.witness import Witness, faults

from freshqa.store import runs
from prefect_freshqa.flows.refresh import refresh_dataset
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

pytestmark = pytest.mark.integration

SIZE, LIMIT, PROCESSES, AT_ONCE, SECONDS = 24, 8, 2, 2, 0.3


def test_two_processes_share_one_budget_and_a_resumed_run_finishes(
    prefect_server: PrefectServer, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = make_store(sqlite_url, SIZE)
    monkeypatch.setenv("PREFECT_FRESHQA_STORE", sqlite_url)
    pool: Any = ProcessPoolTaskRunner(max_workers=PROCESSES)
    spread = refresh_dataset.with_options(task_runner=pool)
    asked: dict[str, Any] = {"search": "spread", "model": "spread", "concurrency": AT_ONCE}
    with (
        using(f"{prefect_server.url}/api"),
        warm_processes(),
        providers(search_seconds=SECONDS, model_seconds=SECONDS) as world,
    ):
        world.save_blocks("spread")
        witness = Witness(world)
        limited = RefreshSettings(batch_size=SIZE // PROCESSES, budget_searches=LIMIT, **asked)
        summary = spread(as_of=CHECKED, settings=limited)
        spent = len(world.search.requests)
        assert spent == LIMIT
        assert runs.get_run(store, summary["run"]).state == "incomplete"
        assert summary["left_due"] == SIZE - summary["checked"] > 0
        witness.look(store)
        unlimited = RefreshSettings(batch_size=SIZE // PROCESSES, **asked)
        assert spread(as_of=CHECKED, settings=unlimited)["left_due"] == 0
        witness.look(store)
    assert (witness.calls, witness.paid_again) == (2 * SIZE, [])
    assert faults(store, SIZE, summary["run"]) == []
