"""A real Prefect server and process worker in their own home, for integration tests.

Starting takes 10 to 45 seconds on two busy cores, so a test session shares one pair.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import httpx
from command_line import WarmProcess, run_warm, warm_address
from servers.loopback import AskAgainWhenBusy, free_port
from servers.prefect_database import give_database, keep_database
from servers.process_tree import kill_tree
from servers.warm_commands import WARM_RUNS, warm_words

REPOSITORY = Path(__file__).parent.parent.parent
POOL = "freshqa"
LEASES = "prefect.server.concurrency.lease_storage.filesystem"
"""As docs and `compose.yaml` have it: kept in memory, leases are gone after a restart."""
PATIENCE = 180.0  # seconds until a server, a worker or a run counts as stuck
FINAL = {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"}
T = TypeVar("T")
Process: TypeAlias = "WarmProcess | subprocess.Popen[bytes]"


class PrefectServer:
    """`prefect server start` and `prefect worker start` as processes that can be killed.

    Args:
        home: An empty folder; Prefect's database, results and logs go there.
        repository: Where `prefect.yaml` lies.
        environment: More variables for server and worker, such as the store's address.
        ui: Whether the server serves its pages (takes longer to start).
        cold: Whether server and worker start from nothing, instead of as children of a process that
            has imported Prefect and this package.
        database: Name of the kept database; one without our block types for a server without us.
    """

    def __init__(
        self,
        home: Path,
        repository: Path,
        environment: dict[str, str],
        *,
        ui: bool = False,
        cold: bool = False,
        database: str = "prefect",
    ) -> None:
        self.home = home
        self.cold = cold
        self.database = database
        self.repository = repository
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **{name: text for name, text in os.environ.items() if not name.startswith("PREFECT_")},
            "PREFECT_HOME": str(home),
            "PREFECT_API_URL": f"{self.url}/api",
            "PREFECT_SERVER_UI_ENABLED": str(ui).lower(),
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE": LEASES,
            "PREFECT_WORKER_QUERY_SECONDS": "2",  # each look at the pool takes 30 ms of CPU
            # tests look at events and task runs; several of them in one transaction take less time
            "PREFECT_SERVER_SERVICES_EVENT_PERSISTER_FLUSH_INTERVAL": "0.5",
            "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",  # a whole number
            "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "50",
            # how soon a run that found the slot of its deployment taken asks again; 30 as shipped
            "PREFECT_SERVER_DEPLOYMENTS_CONCURRENCY_SLOT_WAIT_SECONDS": "2",
            "NO_COLOR": "1",
            **environment,
        }
        self.server: Process | None = None
        self.workers: list[Process] = []
        self.workers_started = 0
        self.client = httpx.Client(
            base_url=f"{self.url}/api", timeout=30, transport=AskAgainWhenBusy()
        )

    def start_server(self) -> None:
        """Start the server (again, on the same database) and wait until it answers."""
        give_database(self.home, self.database)
        command = ("server", "start", "--host", "127.0.0.1", "--port", str(self.port))
        self.server = self._spawn("server", *command)
        self.wait_for(self._healthy, "the server's health check")
        keep_database(self.home, self.database)

    def start_worker(self) -> Process:
        """Start one more process worker on the pool `freshqa`, and wait until it polls."""
        self.workers_started += 1
        name = f"worker-{self.workers_started}"
        command = ("worker", "start", "--pool", POOL, "--type", "process", "--name", name)
        # older workers put their settings before the variables of a run: this one is the run's
        environment = {**self.environment}
        environment.pop("PREFECT_SERVER_UI_ENABLED")
        worker = self._spawn(name, *command, environment=environment)
        self.workers.append(worker)
        self.wait_for(lambda: name in self._worker_names(), f"{name} to poll")
        return worker

    def prefect(self, *arguments: str, cwd: Path | None = None) -> str:
        """Run the `prefect` command against this server and return what it printed."""
        folder = cwd or self.repository
        done = run_warm([*arguments], self.environment, folder, module="prefect")
        assert done.code == 0, f"prefect {arguments}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def post(self, path: str, **body: Any) -> Any:
        """POST a JSON object to the API and return the JSON of its answer."""
        answer = self.client.post(path, json=body)
        answer.raise_for_status()
        return answer.json()

    def get(self, path: str) -> Any:
        """GET from the API and return the JSON of its answer."""
        answer = self.client.get(path)
        answer.raise_for_status()
        return answer.json()

    def run_deployment(
        self,
        name: str,
        *,
        environment: dict[str, str] | None = None,
        cold: bool = False,
        supervised: bool = False,
        **parameters: Any,
    ) -> str:
        """Ask for a run of `flow/deployment`; the worker picks it up. Returns its id.

        Args:
            name: Names of flow and deployment.
            environment: More variables for the process of the run, which draws no pictures otherwise.
            cold: Whether the worker starts the run as it does by itself: its supervisor, its engine
                and its hooks import Prefect. Else it is an engine that has imported the libraries.
            supervised: Whether the worker starts all of these, with the libraries imported.
            parameters: Parameters of the flow.
        """
        deployment = self.get(f"/deployments/name/{name}")
        environment = {"PREFECT_SERVER_UI_ENABLED": "false", **(environment or {})}
        variables: dict[str, Any] = {"env": environment}
        if supervised:
            environment[WARM_RUNS] = "1"
        elif not cold:
            command = warm_words(warm_address(), "prefect.engine")
            # with a command, the worker's own settings come before the variables of the run
            first = ("env", *(f"{name}={text}" for name, text in environment.items()))
            variables["command"] = shlex.join([*first, *command])
        run = self.post(
            f"/deployments/{deployment['id']}/create_flow_run",
            parameters=parameters,
            job_variables=variables,
            idempotency_key=uuid.uuid4().hex,  # asked again, it is the same run
        )
        return str(run["id"])

    def wait_for_run(
        self, run_id: str, *, states: set[str] = FINAL, patience: float = PATIENCE
    ) -> dict[str, Any]:
        """The flow run as soon as it is in one of `states`."""

        def arrived() -> dict[str, Any] | None:
            run: dict[str, Any] = self.get(f"/flow_runs/{run_id}")
            return run if run["state_type"] in states else None

        longest = 1.0 if states == FINAL else 0.2  # each look takes the server 10 ms of CPU
        what = f"run {run_id} to become {sorted(states)}"
        return self.wait_for(arrived, what, patience=patience, longest=longest)

    def logs(self, run_id: str) -> list[str]:
        """The log lines of a flow run, in order of time."""
        wanted = {"flow_run_id": {"any_": [run_id]}}
        lines = self.post("/logs/filter", logs=wanted, sort="TIMESTAMP_ASC", limit=200)
        return [line["message"] for line in lines]

    def wait_for(
        self,
        look: Callable[[], T | None],
        what: str,
        *,
        patience: float = PATIENCE,
        longest: float = 0.2,
    ) -> T:
        """What `look` sees as soon as it is something, looking again after `longest` seconds at most.

        If it sees nothing for a while, raise an error that names `what`.
        """
        until, pause = time.monotonic() + patience, 0.1
        while time.monotonic() < until:
            try:
                if seen := look():
                    return seen
            except httpx.TransportError:
                pass  # not up yet, or just killed
            time.sleep(pause)
            pause = min(1.5 * pause, longest)
        raise AssertionError(f"waited {patience:.0f} s for {what}; see {self.home}/*.log")

    def kill(self, process: Process) -> None:
        """SIGKILL to a server or worker and everything it started."""
        kill_tree(process.pid)
        process.wait()
        if process in self.workers:
            self.workers.remove(process)

    def stop(self) -> None:
        """Kill workers and server with what they started: nothing of it is kept."""
        for process in (*self.workers, self.server):
            if process is not None and process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self.client.close()

    def _spawn(
        self, name: str, *arguments: str, environment: dict[str, str] | None = None
    ) -> Process:
        environment = self.environment if environment is None else environment
        # of a session of its own: one signal reaches it and the flow runs it started
        with (self.home / f"{name}.log").open("ab") as log:
            if self.cold:
                return subprocess.Popen(
                    [sys.executable, "-m", "prefect", *arguments],
                    cwd=self.home,
                    env=environment,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            return WarmProcess(
                [*arguments], environment, self.home, log, log, module="prefect", session=True
            )

    def _healthy(self) -> bool:
        return self.client.get("/health").status_code == httpx.codes.OK

    def _worker_names(self) -> set[str]:
        answer = self.client.post(f"/work_pools/{POOL}/workers/filter", json={})
        online = answer.json() if answer.status_code == httpx.codes.OK else []
        return {worker["name"] for worker in online if worker["status"] == "ONLINE"}
