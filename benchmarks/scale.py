"""A refresh of 600, 6,000 and 60,000 questions: is time linear and memory flat?

    python -m benchmarks.scale --sizes 600 6000 60000 --method search-only

One process runs the flow against a Prefect server of its own; search engine and model answer at
once on loopback. Times are wall and CPU of that process alone; memory is its peak.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from servers.gauges import make_store

from benchmarks.world import World, world


def measure(ready: World, size: int, method: str) -> dict[str, Any]:
    """Figures of one refresh in a process of its own."""
    file = ready.folder / f"{size}.db"
    make_store(f"sqlite:///{file}", size)
    measured = ready.refresh(f"sqlite:///{file}", method)
    prefect = sum(part.stat().st_size for part in ready.folder.glob("prefect.db*"))
    return {
        "size": size,
        "wall_s": round(measured.wall, 1),
        "cpu_s": round(measured.cpu, 1),
        "peak_mb": round(measured.peak_mb),
        "checked": measured.printed["checked"],
        "outcomes": measured.printed["outcomes"],
        "store_mb": round(file.stat().st_size / 2**20, 1),
        "prefect_mb": round(prefect / 2**20, 1),
    }


def main() -> None:
    """Print one JSON object a size."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", type=int, nargs="+", default=[600, 6000])
    parser.add_argument("--method", default="search-only")
    asked = parser.parse_args()
    with world(search_seconds=0.0, model_seconds=0.0) as ready:
        for size in asked.sizes:
            print(json.dumps(measure(ready, size, asked.method)), flush=True)
            ready.known.search.requests.clear()


if __name__ == "__main__":
    main()
