"""One real Prefect server and worker for all integration tests.

They end with these tests and not with the session: an idle server takes a twentieth of a core.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from prefect.events.worker import EventsWorker
from servers.prefect_server import POOL, PrefectServer

REPOSITORY = Path(__file__).parent.parent.parent


@pytest.fixture(autouse=True)
def events_go_to_the_server_of_this_test() -> None:
    """Prefect keeps one sender of events a process, bound to the server it was first used with."""
    EventsWorker.drain_all(timeout=10, at_exit=False)


@pytest.fixture(scope="package")
def prefect_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrefectServer]:
    """A server with the work pool `freshqa` and a worker that polls it."""
    server = PrefectServer(tmp_path_factory.mktemp("prefect"), REPOSITORY, {})
    try:
        server.start_server()
        server.prefect("work-pool", "create", POOL, "--type", "process")
        server.start_worker()
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="package")
def deployed(prefect_server: PrefectServer) -> PrefectServer:
    """The server, with the deployments of `prefect.yaml`."""
    prefect_server.prefect("--no-prompt", "deploy", "--all")
    return prefect_server
