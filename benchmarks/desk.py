"""Speed of the review desk and of conditional requests: `python -m benchmarks.desk`.

600 open proposals; the server is a process of its own on loopback, the clients share its machine.
The CPU time of the server is given with each response time, because other work does not affect it.
With Chromium and Playwright, 50 proposals are decided with keys alone as well.
"""

from __future__ import annotations

import http.client
import multiprocessing
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from desk.browsing import CHROMIUM, MISSING, chromium, page_of, press
from desk.world import fill, many

from freshqa.store.database import Store
from prefect_freshqa.desk.application import create_application
from prefect_freshqa.desk.serving import listen, serve_on
from prefect_freshqa.desk.settings import DeskSettings

OPEN = 600
PAGES = 200
CONDITIONAL = 2400
CLIENTS = 2
KEYED = 50
TICK = os.sysconf("SC_CLK_TCK")


def serve(store_url: str, port: int) -> None:
    """Serve until killed; in a process of its own."""
    settings = DeskSettings(local_user="benchmark", port=port)
    serve_on(create_application(Store.open(store_url), settings), listen("127.0.0.1", port))


@contextmanager
def server(store_url: str) -> Iterator[tuple[int, int]]:
    """Port and process of a server while it runs. Forked: what it imports is loaded already."""
    with listen("127.0.0.1", 0) as free:
        port = int(free.getsockname()[1])
    process = multiprocessing.get_context("fork").Process(target=serve, args=(store_url, port))
    process.start()
    assert process.pid is not None
    try:
        for _ in range(3000):
            try:
                httpx.get(f"http://127.0.0.1:{port}/health")
                break
            except httpx.TransportError:
                time.sleep(0.02)
        yield port, process.pid
    finally:
        process.kill()
        process.join()


def cpu(pid: int) -> float:
    """Seconds of CPU that a process has used (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def pages(port: int, pid: int, path: str) -> tuple[list[float], float]:
    """Milliseconds of each request for a page, after two to warm up; CPU of the server for each."""
    taken = []
    with httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
        for number in range(PAGES + 2):
            if number == 2:
                used = cpu(pid)
            started = time.perf_counter()
            client.get(path).raise_for_status()
            if number > 1:
                taken.append(1000 * (time.perf_counter() - started))
            time.sleep(0.02)  # below the limit of requests
    return sorted(taken), 1000 * (cpu(pid) - used) / PAGES


def ask(port: int, number: int) -> None:
    """Make `number` conditional requests on one connection."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", "/v1/versions/1.csv")
    answer = connection.getresponse()
    answer.read()
    headers = {"If-None-Match": str(answer.headers["ETag"])}
    for _ in range(number):
        connection.request("GET", "/v1/versions/1.csv", headers=headers)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 304


def conditional(port: int, pid: int) -> tuple[float, float]:
    """Conditional requests a second that end with 304; milliseconds of CPU of the server for each."""
    context = multiprocessing.get_context("fork")
    clients = [
        context.Process(target=ask, args=(port, CONDITIONAL // CLIENTS)) for _ in range(CLIENTS)
    ]
    started, used = time.perf_counter(), cpu(pid)
    for client in clients:
        client.start()
    for client in clients:
        client.join()
        assert client.exitcode == 0
    taken = time.perf_counter() - started
    return CONDITIONAL / taken, 1000 * (cpu(pid) - used) / CONDITIONAL


def keyed(port: int) -> list[float]:
    """Milliseconds from each key that decides to the next proposal on the screen."""
    taken = []
    with chromium() as browser:
        page = page_of(browser)
        page.goto(f"http://127.0.0.1:{port}/queue")
        page.keyboard.press("j")
        press(page, "Enter")
        for place in range(KEYED):
            started = time.perf_counter()
            press(page, "ark"[place % 3])
            taken.append(1000 * (time.perf_counter() - started))
    return sorted(taken)


def shown(taken: list[float]) -> str:
    """Median and 95th percentile of sorted times."""
    p95 = taken[int(len(taken) * 0.95)]
    return f"median {statistics.median(taken):.0f} ms, p95 {p95:.0f} ms"


def main() -> None:
    """Print the figures."""
    print("load", *(f"{average:.1f}" for average in os.getloadavg()))
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(f"sqlite:///{folder}/freshqa.db", create=True)
        rows, checks = many(OPEN)
        ids = fill(store, checks, rows)
        store.close()
        with server(store.url) as (port, pid):
            for path in ("/queue", f"/proposals/{ids[0]}"):
                taken, used = pages(port, pid, path)
                print(f"{path}: {shown(taken)}, CPU of the server {used:.0f} ms", flush=True)
            rate, used = conditional(port, pid)
            print(f"304: {rate:.0f} a second, CPU of the server {used:.1f} ms each", flush=True)
            if CHROMIUM and not MISSING:
                taken = keyed(port)
                print(f"{KEYED} decided with keys: {sum(taken) / 1000:.0f} s, {shown(taken)} each")
    print("load", *(f"{average:.1f}" for average in os.getloadavg()))


if __name__ == "__main__":
    main()
