"""One budget over three processes that ask as fast as they can, on SQLite and PostgreSQL.

    python -m benchmarks.budgets --rounds 5

Each process has eight threads, and each of them searches, a hundredth of a second a search on
loopback, until it is refused. What counts is how many searches reached the provider. `--burn 4`
keeps the machine busy with four more processes.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from sqlalchemy import create_engine, make_url, text

from freshqa.errors import BudgetExhausted
from freshqa.evidence.search_engine import SearchResult
from freshqa.store.budgets import spent
from freshqa.store.cache import CachedSearch
from freshqa.store.database import Store
from freshqa.store.runs import get_run, start_run
from prefect_freshqa.tasks.cached_providers import clock, run_budget

PROCESSES, THREADS, LIMIT = 3, 8, 20
DAY = date(2026, 3, 9)
KEY = "week-11"


class Provider(ThreadingHTTPServer):
    """Counts searches."""

    request_queue_size = 64

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.calls, self.lock = 0, threading.Lock()


class Handler(BaseHTTPRequestHandler):
    """Answers after a hundredth of a second."""

    def do_GET(self) -> None:
        """Count and answer."""
        assert isinstance(self.server, Provider)
        with self.server.lock:
            self.server.calls += 1
        time.sleep(0.01)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Print nothing."""


class Engine:
    """A search engine that costs money."""

    name = "paid"

    def __init__(self, url: str) -> None:
        self.url = url

    def search(self, query: str, *, as_of: date) -> SearchResult:
        """Ask the provider."""
        urllib.request.urlopen(self.url, timeout=300).read()
        return SearchResult("paid", query, {}, clock(), cost_usd=Decimal("0.01"))


def spend(url: str, provider: str) -> None:
    """Search from every thread until the budget refuses."""
    store = Store.open(url)
    budget = run_budget(store, get_run(store, KEY), searches=LIMIT)
    engine = CachedSearch(
        Engine(provider), store, KEY, now=clock, window=timedelta(days=1), budget=budget
    )

    def search_on() -> None:
        for _ in range(LIMIT):
            try:
                engine.search(uuid.uuid4().hex, as_of=DAY)
            except BudgetExhausted:
                return

    threads = [threading.Thread(target=search_on) for _ in range(THREADS)]
    print("ready", flush=True)
    sys.stdin.readline()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@contextmanager
def store_url(kind: str) -> Iterator[str]:
    """A new, empty store."""
    if kind == "SQLite":
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{Path(folder) / 'store.db'}"
        return
    server = make_url(os.environ["FRESHQA_TEST_POSTGRES_URL"])
    name = f"budgets_{uuid.uuid4().hex[:12]}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    try:
        yield server.set(database=name).render_as_string(hide_password=False)
    finally:
        with engine.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        engine.dispose()


def measure(kind: str) -> tuple[int, int]:
    """Searches that reached the provider, and those that the ledger holds."""
    with store_url(kind) as url:
        store = Store.open(url, create=True)
        now = datetime.now(timezone.utc)
        start_run(store, key=KEY, flow="refresh", as_of=DAY, base_version=1, settings={}, now=now)
        provider = Provider()
        threading.Thread(target=provider.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{provider.server_port}"
        command = [sys.executable, "-m", "benchmarks.budgets", "--spend", url, address]
        processes = [
            subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            for _ in range(PROCESSES)
        ]
        for process in processes:
            assert process.stdin and process.stdout
            process.stdout.readline()
        for process in processes:
            assert process.stdin
            process.stdin.write("go\n")
            process.stdin.flush()
        for process in processes:
            process.wait(timeout=600)
        provider.shutdown()
        recorded = spent(store, KEY).searches
        store.close()
        return provider.calls, recorded


def main() -> None:
    """Print one row for each database."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--burn", type=int, default=0, help="processes that keep the machine busy")
    parser.add_argument("--spend", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.spend:
        spend(*asked.spend)
        return
    burners = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(asked.burn)
    ]
    try:
        print(
            "| store | rounds | limit | searches made | recorded | load |\n|---|---|---|---|---|---|"
        )
        for kind in ("SQLite", "PostgreSQL"):
            pairs = [measure(kind) for _ in range(asked.rounds)]
            sent, recorded = (sorted({pair[at] for pair in pairs}) for at in (0, 1))
            shown = [" to ".join(map(str, dict.fromkeys((v[0], v[-1])))) for v in (sent, recorded)]
            print(
                f"| {kind} | {asked.rounds} | {LIMIT} | {shown[0]} | {shown[1]} | {os.getloadavg()[0]:.0f} |"
            )
    finally:
        for burner in burners:
            burner.kill()


if __name__ == "__main__":
    main()
