"""The same refresh with threads, several workers, Dask and Ray: the same result, bit for bit.

    python -m benchmarks.runners --size 240
    python -m benchmarks.runners --size 240 --budget-searches 100

`prefect-freshqa[dask]` and `[ray]` must be installed. A call takes half a second; 16 are in flight.
The result is every check, proposal and the version published from them, without times and ids.
"""

from __future__ import annotations

import argparse
import json

from servers.fingerprint import fingerprint
from servers.gauges import CHECKED, make_store

from benchmarks.measured_process import Measured, run
from benchmarks.world import World, world
from freshqa.store.checks import checks

RUN = "2026-W11-freshprompt"
RUNNERS = {
    "threads": "None",
    "dask": "__import__('prefect_dask').DaskTaskRunner("
    "cluster_kwargs={'n_workers': 2, 'threads_per_worker': 1, 'dashboard_address': None})",
    "ray": "__import__('prefect_ray').RayTaskRunner("
    "init_kwargs={'num_cpus': 2, 'include_dashboard': False})",
}
PROGRAM = """
from datetime import date
from prefect_freshqa.flows.refresh import refresh_dataset
from prefect_freshqa.tasks.refresh_settings import RefreshSettings
if __name__ == "__main__":
    runner = {runner}
    flow = refresh_dataset.with_options(task_runner=runner) if runner else refresh_dataset
    settings = RefreshSettings(
        search="gauges", model="gauges", budget_searches={budget}, batch_size={batch}
    )
    flow(as_of=date.fromisoformat("{day}"), settings=settings)
"""


def refresh(ready: World, url: str, runner: str, asked: argparse.Namespace) -> Measured:
    """Run the flow once in a process of its own."""
    program = PROGRAM.format(
        runner=RUNNERS[runner], day=CHECKED, budget=asked.budget_searches, batch=asked.batch_size
    )
    return run(["-c", program], {**ready.environment, "PREFECT_FRESHQA_STORE": url})


def main() -> None:
    """Print one JSON object a runner."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=240)
    parser.add_argument("--batch-size", type=int, default=150)
    parser.add_argument("--budget-searches", type=int)
    parser.add_argument("--runners", nargs="+", default=list(RUNNERS), choices=RUNNERS)
    asked = parser.parse_args()
    with world(search_seconds=0.5, model_seconds=0.5) as ready:
        search, model = ready.known.search, ready.known.model
        for name in asked.runners:
            url = f"sqlite:///{ready.folder}/{name}.db"
            store = make_store(url, asked.size)
            search.peak = model.peak = 0
            search.requests.clear()
            measured = refresh(ready, url, name, asked)
            figures = {
                "runner": name,
                "seconds": round(measured.wall, 1),
                "checked": len(checks(store, RUN)),
                "searches": len(search.requests),
                "in_flight": max(search.peak, model.peak),
                "result": fingerprint(store, RUN)[:16],
            }
            print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    main()
