"""The same refresh with threads, several workers, Dask and Ray: the same result, bit for bit.

    python -m benchmarks.runners --size 240
    python -m benchmarks.runners --size 240 --budget-searches 100

`prefect-freshqa[dask]` and `[ray]` must be installed. A call takes half a second; 16 are in flight.
The result is every check, proposal and the version published from them, without times and ids.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from prefect.settings import PREFECT_API_URL, temporary_settings
from servers.fingerprint import fingerprint
from servers.gauges import CHECKED, make_store, providers
from servers.prefect_server import PrefectServer

from freshqa.store.checks import checks
from prefect_freshqa.blocks import OpenAIModel, SerpApiSearch

REPOSITORY = Path(__file__).parent.parent
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
        search="gauges", model="reader", budget_searches={budget}, batch_size={batch}
    )
    flow(as_of=date.fromisoformat("{day}"), settings=settings)
"""


def run(server: PrefectServer, url: str, runner: str, asked: argparse.Namespace) -> float:
    """Run the flow once in a process of its own; the seconds it took."""
    program = PROGRAM.format(
        runner=RUNNERS[runner], day=CHECKED, budget=asked.budget_searches, batch=asked.batch_size
    )
    began = time.monotonic()
    subprocess.run(
        [sys.executable, "-c", program],
        env={**server.environment, "PREFECT_FRESHQA_STORE": url},
        check=True,
        cwd=server.home,
        capture_output=not os.environ.get("SHOW"),
        timeout=900,
    )
    return time.monotonic() - began


def main() -> None:
    """Print one JSON object a runner."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=240)
    parser.add_argument("--batch-size", type=int, default=150)
    parser.add_argument("--budget-searches", type=int)
    parser.add_argument("--runners", nargs="+", default=list(RUNNERS), choices=RUNNERS)
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        providers(search_seconds=0.5, model_seconds=0.5) as known,
    ):
        server = PrefectServer(Path(folder), REPOSITORY, {})
        try:
            server.start_server()
            with temporary_settings({PREFECT_API_URL: f"{server.url}/api"}):
                SerpApiSearch(api_key="k", base_url=known.search.url).save("gauges")
                OpenAIModel(model="r", base_url=known.model.base_url).save("reader")
            for name in asked.runners:
                url = f"sqlite:///{folder}/{name}.db"
                store = make_store(url, asked.size)
                known.search.peak = known.model.peak = 0
                known.search.requests.clear()
                seconds = run(server, url, name, asked)
                figures = {
                    "runner": name,
                    "seconds": round(seconds, 1),
                    "checked": len(checks(store, RUN)),
                    "searches": len(known.search.requests),
                    "in_flight": max(known.search.peak, known.model.peak),
                    "result": fingerprint(store, RUN)[:16],
                }
                print(json.dumps(figures), flush=True)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
