"""A Prefect server is killed and restarted while a refresh holds provider slots."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from prefect.client.orchestration import get_client
from servers.prefect_server import REPOSITORY, PrefectServer
from servers.prefect_services import without_services
from servers.using import using

from prefect_freshqa.provision.leases import STORAGE, VARIABLE, leases_lost_at_restart
from prefect_freshqa.tasks.provider_slots import SURE_AFTER, Patience, provider_slots

pytestmark = pytest.mark.integration

LIMIT = "freshqa-model"


@pytest.fixture
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PrefectServer]:
    """A server of its own that keeps leases where the test says, with a limit of eight calls."""
    environment = {VARIABLE: f"{STORAGE}{request.param}", **without_services("REPOSSESSOR")}
    server = PrefectServer(tmp_path, REPOSITORY, environment)
    try:
        server.start_server()
        with using(f"{server.url}/api"):
            with get_client(sync_client=True) as client:
                client.upsert_global_concurrency_limit_by_name(LIMIT, 8)
            yield server
    finally:
        server.stop()


def taken() -> int:
    with get_client(sync_client=True) as client:
        return client.read_global_concurrency_limit_by_name(LIMIT).active_slots


def restart(server: PrefectServer) -> None:
    assert server.server is not None
    server.kill(server.server)
    server.start_server()


@pytest.mark.parametrize("server", ["filesystem"], indirect=True)
def test_slots_kept_in_files_outlive_the_server(server: PrefectServer) -> None:
    with provider_slots(8, [LIMIT]):
        restart(server)
        assert taken() == 8
    assert taken() == 0
    with get_client(sync_client=True) as client:
        assert leases_lost_at_restart(client) == ""


@pytest.mark.parametrize("server", ["memory"], indirect=True)
def test_slots_kept_in_memory_are_lost_and_freed_by_the_next_run(server: PrefectServer) -> None:
    with provider_slots(8, [LIMIT]):
        restart(server)
    assert taken() == 8  # Prefect's own doing: the lease that would give them back is gone
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    patience = Patience(between=30.0, clock=lambda: now[0], sleep=sleep)
    with provider_slots(8, [LIMIT], patience=patience) as at_once:
        assert (at_once, taken()) == (8, 8)
    assert SURE_AFTER <= now[0] <= SURE_AFTER + 60
    assert taken() == 0
    with get_client(sync_client=True) as client:
        assert "keeps concurrency leases in memory" in leases_lost_at_restart(client)
