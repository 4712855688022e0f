"""A run that is killed and started again finishes, and nothing is paid twice, doubled or lost.

Two kills here; `python -m benchmarks.kills` makes a hundred, also of servers and databases.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping

import pytest
from benchmarks import kills
from benchmarks.kill_stage import FlowRun
from prefect.client.orchestration import get_client
from servers.gauges import CHECKED, Providers, make_store, providers
from servers.prefect_server import PrefectServer
from servers.process_tree import descendants
from servers.using import using
from servers.witness import Witness, faults

from freshqa.store.database import Store
from prefect_freshqa.provision.server import LIMITS

pytestmark = pytest.mark.integration

SIZE = 80
DEPLOYMENT = "refresh-dataset/weekly-refresh"
ROOM = 64
"""Provider slots: a dead run keeps its 16 for a minute, and the next one shall not wait for them."""


@pytest.fixture
def world(deployed: PrefectServer) -> Iterator[Providers]:
    """Providers that take a third of a second for each call."""
    with (
        providers(search_seconds=0.3, model_seconds=0.3) as running,
        using(f"{deployed.url}/api"),
    ):
        running.save_blocks("gauges")
        set_limits(dict.fromkeys(LIMITS, ROOM))
        yield running
        with get_client(sync_client=True) as client:
            for name in LIMITS:  # with the slots that the dead runs hold
                client.delete_global_concurrency_limit_by_name(name)
        set_limits(LIMITS)


def set_limits(limits: Mapping[str, int]) -> None:
    """Set the provider limits of the server."""
    with get_client(sync_client=True) as client:
        for name, slots in limits.items():
            client.upsert_global_concurrency_limit_by_name(name, slots)


def test_a_killed_flow_run_resumes_where_it_stopped(
    deployed: PrefectServer, world: Providers, store_url: str
) -> None:
    store = make_store(store_url, SIZE)
    witness = Witness(world)
    settings = {"store": store_url, "search": "gauges", "model": "gauges"}
    first = deployed.run_deployment(
        DEPLOYMENT,
        supervised=store.engine.dialect.name == "sqlite",  # as a worker does; else a single one
        as_of=CHECKED.isoformat(),
        settings=settings,
    )
    deployed.wait_for(lambda: len(world.model.requests) >= SIZE // 4, "a quarter of the work")
    for process in descendants(deployed.workers[0].pid):
        os.kill(process, signal.SIGKILL)
    assert deployed.wait_for_run(first)["state_type"] == "CRASHED"
    witness.look(store)
    second = deployed.run_deployment(DEPLOYMENT, as_of=CHECKED.isoformat(), settings=settings)
    assert deployed.wait_for_run(second)["state_type"] == "COMPLETED"
    witness.look(store)
    assert witness.paid_again == []
    assert witness.calls - witness.lost == 2 * SIZE
    assert faults(Store.open(store_url), SIZE, "2026-W11-freshprompt") == []


def test_a_stuck_run_is_ended_and_counted_in_a_series_of_kills(
    prefect_server: PrefectServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(kills.STUCK_AFTER, True, 1.0)
    flow = prefect_server.post("/flows/", name="refresh-dataset")
    stuck = prefect_server.post("/flow_runs/", flow_id=flow["id"], state={"type": "RUNNING"})
    figures = kills.Figures()
    assert kills.ended(FlowRun(prefect_server, stuck["id"]), figures) == kills.STUCK
    assert prefect_server.get(f"/flow_runs/{stuck['id']}")["state"]["type"] == "CANCELLED"
    assert stuck["id"] in figures.wrong[0] and "Running since" in figures.wrong[0]
