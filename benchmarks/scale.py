"""A refresh of 600, 6,000 and 60,000 questions: is time linear and memory flat?

    python -m benchmarks.scale --sizes 600 6000 60000 --method search-only

One process runs the flow against a Prefect server of its own; search engine and model answer at
once on loopback. Times are wall and CPU of that process alone; memory is its peak.
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
from servers.gauges import CHECKED, make_store, providers
from servers.prefect_server import PrefectServer

from prefect_freshqa.blocks import SerpApiSearch

REPOSITORY = Path(__file__).parent.parent


def measure(server: PrefectServer, url: str, method: str, environment: dict[str, str]) -> dict:
    """Figures of one refresh in a process of its own."""
    command = ["refresh", "--as-of", CHECKED.isoformat(), "--method", method, "--json"]
    command += ["--search", "serpapi-search/gauges", "--model", "openai:reader"]
    began = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "prefect_freshqa.cli", *command],
        env={**server.environment, **environment, "PREFECT_FRESHQA_STORE": url},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    summary = json.loads(printed.splitlines()[-1])
    assert status == 0, summary
    return {
        "wall_s": round(time.monotonic() - began, 1),
        "cpu_s": round(usage.ru_utime + usage.ru_stime, 1),
        "peak_mb": usage.ru_maxrss // 1024,
        "checked": summary["checked"],
        "outcomes": summary["outcomes"],
    }


def main() -> None:
    """Print one JSON object a size."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", type=int, nargs="+", default=[600, 6000])
    parser.add_argument("--method", default="search-only")
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        providers(search_seconds=0.0, model_seconds=0.0) as known,
    ):
        server = PrefectServer(Path(folder), REPOSITORY, {})
        try:
            server.start_server()
            with temporary_settings({PREFECT_API_URL: f"{server.url}/api"}):
                SerpApiSearch(api_key="k", base_url=known.search.url).save("gauges")
            for size in asked.sizes:
                url = f"sqlite:///{folder}/{size}.db"
                make_store(url, size)
                figures = measure(server, url, asked.method, dict(known.environment))
                database = Path(folder, f"{size}.db").stat().st_size
                prefect = sum(file.stat().st_size for file in Path(folder).glob("prefect.db*"))
                figures["store_mb"] = round(database / 2**20, 1)
                figures["prefect_mb"] = round(prefect / 2**20, 1)
                print(json.dumps({"size": size, **figures}), flush=True)
                known.search.requests.clear()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
