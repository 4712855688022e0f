"""What a series of kills needs: a Prefect server, providers, a database, and what to kill."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Protocol

from prefect.client.orchestration import get_client
from servers.gauges import CHECKED, Providers, providers
from servers.postgres_server import PostgresServer
from servers.prefect_server import FINAL, PATIENCE, PrefectServer
from servers.process_tree import kill_tree
from servers.using import using

from prefect_freshqa.provision.automations import end_dead_runs
from prefect_freshqa.provision.leases import STORAGE, VARIABLE
from prefect_freshqa.provision.server import provision_server

SECONDS = {"flow": 0.25, "server": 1.0, "restart": 2.0, "database": 0.5, "worker": 0.5}
"""Of one call: a server takes ten seconds to come back, and the run shall last longer than that."""
NOTHING_TO_DO = 3
HEARTBEAT = timedelta(seconds=30)
"""The shortest that Prefect takes; `init` counts on its default of three minutes."""

DEPLOYMENTS = {"refresh": "refresh-dataset/weekly-refresh", "publish": "publish-release/publish"}


class Process(Protocol):
    """What is killed, or dies of the kill of something else: a process or a flow run."""

    @property
    def pid(self) -> int:
        """Its process."""
        ...

    def poll(self) -> int | None:
        """Its exit code; None while it runs."""
        ...

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, when it has one."""
        ...


class FlowRun:
    """A run of a deployment, seen as a process."""

    def __init__(self, server: PrefectServer, id: str) -> None:
        self.server, self.id = server, id

    @property
    def pid(self) -> int:
        """The worker's process."""
        return self.server.workers[0].pid

    def poll(self) -> int | None:
        """0 for a run that completed, 1 for one that failed or crashed."""
        state = self.server.get(f"/flow_runs/{self.id}")["state"]
        if state["type"] not in FINAL:
            return None
        if state["name"] == "NothingToDo":
            return NOTHING_TO_DO
        return int(state["type"] != "COMPLETED")

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, when it has one."""
        until = time.monotonic() + (timeout or PATIENCE)
        while (code := self.poll()) is None:
            if time.monotonic() > until:
                state = self.server.get(f"/flow_runs/{self.id}")["state"]
                known = f"{self.id}, {state['name']} since {state['timestamp']}"
                raise subprocess.TimeoutExpired(known, timeout or PATIENCE)
            time.sleep(0.2)
        return code

    def end(self) -> None:
        """Cancel a run that nothing else ends, so that the next one can start."""
        state = {"type": "CANCELLED", "name": "Cancelled"}
        self.server.post(f"/flow_runs/{self.id}/set_state", state=state, force=True)

    def ended_by_automation(self) -> bool:
        """Return whether it was the automation of `init` that found it dead."""
        state = self.server.get(f"/flow_runs/{self.id}")["state"]
        return "the process is gone" in (state["message"] or "")


class Stage:
    """Everything a cycle needs: Prefect server, providers, a database, and what to kill."""

    def __init__(
        self, server: PrefectServer, known: Providers, database: PostgresServer | None
    ) -> None:
        self.server, self.providers, self.database = server, known, database
        self.environment = {**server.environment, **known.environment}

    def new_store(self, name: str) -> str:
        """URL of an empty database."""
        if self.database is not None:
            return self.database.create_database(name)
        return f"sqlite:///{self.server.home / name}.db"

    def start(self, store: str, *command: str) -> Process:
        """`prefect-freshqa …` in a process of its own, or its deployment where there is a worker."""
        if self.server.workers:
            settings = {"store": store, "search": "gauges", "model": "gauges"}
            given = {"settings": settings} if command[0] == "refresh" else {"store": store}
            day = CHECKED.isoformat()
            id = self.server.run_deployment(DEPLOYMENTS[command[0]], as_of=day, **given)
            return FlowRun(self.server, id)
        search = ("--search", "serpapi-search/gauges") if command[0] == "refresh" else ()
        with (self.server.home / "runs.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "prefect_freshqa.cli", *command, *search],
                env={**self.environment, "PREFECT_FRESHQA_STORE": store},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def kill(self, victim: str, process: Process) -> None:
        """Kill the victim; a server, database or worker is started again at once."""
        if victim == "worker":
            self.server.kill(self.server.workers[0])
            self.server.start_worker()
        elif victim == "flow":
            kill_tree(process.pid)
        elif victim in ("server", "restart"):
            assert self.server.server is not None
            self.server.kill(self.server.server)
            self.server.start_server()
        elif self.database is not None:
            self.database.kill()
            self.database.start()


@contextmanager
def stage(kind: str, folder: Path, victim: str, *, leases: str = "filesystem") -> Iterator[Stage]:
    """Servers for a series of kills on `sqlite` or `postgres`; `leases`: where Prefect keeps them."""
    # as Ctrl-C: else Python ends without `finally`, and leaves servers and workers behind
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    repository = Path(__file__).parent.parent
    database = None
    if kind == "postgres":
        (folder / "postgres").mkdir()
        database = PostgresServer(folder / "postgres")
        database.start()
    settings = {
        "PREFECT_FLOWS_HEARTBEAT_FREQUENCY": f"{HEARTBEAT.total_seconds():.0f}",
        VARIABLE: f"{STORAGE}{leases}",
    }
    server = PrefectServer(folder, repository, settings)
    seconds = SECONDS[victim]
    with providers(search_seconds=seconds, model_seconds=seconds) as known:
        try:
            server.start_server()
            with using(f"{server.url}/api"):
                known.save_blocks("gauges")
                if victim in ("worker", "restart"):
                    with get_client(sync_client=True) as client:  # before `init` makes the long one
                        client.create_automation(end_dead_runs(silence=2 * HEARTBEAT))
                    provision_server()
                    server.prefect("--no-prompt", "deploy", "--all")
                    server.start_worker()
            yield Stage(server, known, database)
        finally:
            server.stop()
            if database is not None:
                database.stop()
