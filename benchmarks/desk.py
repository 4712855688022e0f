"""Speed of the review desk and of conditional requests: `python -m benchmarks.desk`.

600 open proposals; a real server on loopback; the client shares the machine.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from desk.server import serving
from desk.world import fill, many

from freshqa.store.database import Store

PAGES = 200
CONDITIONAL = 3000
CLIENTS = 4


def pages(url: str, path: str) -> list[float]:
    """Milliseconds of each request for a page, after two to warm up."""
    taken = []
    with httpx.Client(base_url=url) as client:
        for number in range(PAGES + 2):
            started = time.perf_counter()
            client.get(path).raise_for_status()
            if number > 1:
                taken.append(1000 * (time.perf_counter() - started))
            time.sleep(0.02)  # below the limit of requests
    return taken


def conditional(url: str) -> float:
    """Conditional requests a second that end with 304."""

    def ask() -> None:
        with httpx.Client(base_url=url) as client:
            tag = client.get("/v1/versions/1.csv").headers["etag"]
            for _ in range(CONDITIONAL // CLIENTS):
                answer = client.get("/v1/versions/1.csv", headers={"If-None-Match": tag})
                assert answer.status_code == 304

    threads = [threading.Thread(target=ask) for _ in range(CLIENTS)]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return CONDITIONAL / (time.perf_counter() - started)


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(f"sqlite:///{folder}/freshqa.db", create=True)
        rows, checks = many(600)
        ids = fill(store, checks, rows)
        with serving(store, local_user="benchmark") as url:
            for path in ("/queue", f"/proposals/{ids[0]}"):
                taken = sorted(pages(url, path))
                p95 = taken[int(len(taken) * 0.95)]
                print(f"{path}: median {statistics.median(taken):.0f} ms, p95 {p95:.0f} ms")
            print(f"304: {conditional(url):.0f} requests a second")
        store.close()


if __name__ == "__main__":
    main()
