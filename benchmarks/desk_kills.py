"""Kill -9 the server of the desk at random moments while decisions are made: is any lost or doubled?

    python -m benchmarks.desk_kills --kills 200 --seed 0

One reviewer decides and undoes, one request after the other. The server is killed at a random
moment and started again; the reviewer repeats the request that was not answered, as a person would.
After each kill the ledger is compared with what was acknowledged.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import re
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from collections import defaultdict
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from desk.world import fill, many

from freshqa.store.database import Store
from prefect_freshqa.desk.application import create_application
from prefect_freshqa.desk.serving import listen, serve_on
from prefect_freshqa.desk.settings import DeskSettings

PROPOSALS = 60
DECISIONS = ("accept", "reject", "keep")
SAVED, CLOSED = 200, 409
ACTIONS = "SELECT proposal_id, action FROM fq_decision ORDER BY proposal_id, sequence"


@dataclass
class Figures:
    """The result of a series of kills."""

    kills: int = 0
    acknowledged: int = 0
    recorded: int = 0
    unanswered: int = 0
    unanswered_kept: int = 0
    lost: int = 0
    doubled: int = 0
    damaged: int = 0
    seconds: float = 0.0


@dataclass
class Reviewer:
    """Decides and undoes, and remembers what the server acknowledged.

    Attributes:
        acknowledged: Proposal → actions, oldest first.
    """

    url: str
    ids: list[int]
    chance: random.Random
    client: httpx.Client = field(default_factory=lambda: httpx.Client(timeout=60))
    csrf: str = ""
    acknowledged: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))

    def open_desk(self) -> None:
        """Load a page for its token, when the server is up."""
        page = self.client.get(f"{self.url}/versions").raise_for_status().text
        token = re.search(r'name="csrf" content="([^"]+)"', page)
        assert token is not None
        self.csrf = token[1]

    def next_action(self) -> tuple[int, str]:
        """A proposal at random: a decision where it is open, else undo."""
        id = self.chance.choice(self.ids)
        actions = self.acknowledged[id]
        decided = bool(actions) and actions[-1] != "undo"
        return id, "undo" if decided else self.chance.choice(DECISIONS)

    def send(self, id: int, action: str) -> int:
        """Send it; returns the status."""
        path = "/undo" if action == "undo" else f"/proposals/{id}/decision"
        form = {"csrf": self.csrf, "id": str(id), "action": action}
        accept = {"Accept": "application/json"}
        return self.client.post(self.url + path, data=form, headers=accept).status_code

    def work(self) -> tuple[int, str]:
        """Decide until the server does not answer; returns what was not acknowledged."""
        while True:
            id, action = self.next_action()
            try:
                status = self.send(id, action)
            except httpx.TransportError:
                return id, action
            assert status == SAVED, (status, id, action)
            self.acknowledged[id].append(action)


def serve(store_url: str, port: int, secret: Path) -> None:
    """Serve until killed; in a process of its own."""
    settings = DeskSettings(local_user="Ada", secret_file=secret, port=port)
    serve_on(create_application(Store.open(store_url), settings), listen("127.0.0.1", port))


def start(store_url: str, port: int, secret: Path) -> BaseProcess:
    """Start a server and wait until it answers.

    Forked: what it imports is loaded already.
    """
    context = multiprocessing.get_context("fork")
    process = context.Process(target=serve, args=(store_url, port, secret))
    process.start()
    until = time.monotonic() + 60
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=5) as client:
        while time.monotonic() < until:
            try:
                client.get("/health").raise_for_status()
            except httpx.TransportError:
                time.sleep(0.02)
            else:
                return process
    raise AssertionError("The server does not start.")


def in_ledger(file: Path) -> dict[int, list[str]]:
    """Proposal → actions in the ledger, oldest first; the file is checked as well."""
    recorded: dict[int, list[str]] = defaultdict(list)
    with sqlite3.connect(file) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        for id, action in connection.execute(ACTIONS):
            recorded[id].append(action)
    connection.close()
    return recorded


def kill_once(
    reviewer: Reviewer, process: BaseProcess, figures: Figures, *, within: float
) -> tuple[int, str]:
    """Kill the server at a random moment while the reviewer works."""
    assert process.pid is not None
    moment = reviewer.chance.uniform(0, within)
    blow = threading.Timer(moment, os.kill, (process.pid, signal.SIGKILL))
    blow.start()
    pending = reviewer.work()
    blow.join()
    process.join()
    figures.kills += 1
    return pending


def settle(reviewer: Reviewer, file: Path, pending: tuple[int, str], figures: Figures) -> None:
    """Repeat what was not answered: it is saved now, or was before; then compare the ledger."""
    id, action = pending
    before = in_ledger(file)[id]
    kept = before == [*reviewer.acknowledged[id], action]
    status = reviewer.send(id, action)
    figures.unanswered += 1
    figures.unanswered_kept += kept
    if status not in (SAVED, CLOSED) or (status == CLOSED) is not kept:
        figures.damaged += 1
    reviewer.acknowledged[id].append(action)
    ledger = in_ledger(file)
    for proposal, acknowledged in reviewer.acknowledged.items():
        figures.lost += max(0, len(acknowledged) - len(ledger[proposal]))
        figures.doubled += max(0, len(ledger[proposal]) - len(acknowledged))
        figures.damaged += (
            len(acknowledged) == len(ledger[proposal]) and acknowledged != ledger[proposal]
        )


def series(kills: int, seed: int, folder: Path, *, within: float) -> Figures:
    """Kill the server this many times, each time within so many seconds."""
    file = folder / "freshqa.db"
    store = Store.open(f"sqlite:///{file}", create=True)
    rows, checks = many(PROPOSALS)
    ids = fill(store, checks, rows)
    store.close()
    with listen("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    url, figures, began = f"http://127.0.0.1:{port}", Figures(), time.monotonic()
    reviewer = Reviewer(url, ids, random.Random(seed))
    process = start(store.url, port, folder / "secret")
    reviewer.open_desk()
    while figures.kills < kills:
        pending = kill_once(reviewer, process, figures, within=within)
        process = start(store.url, port, folder / "secret")
        settle(reviewer, file, pending, figures)
    process.kill()
    process.join()
    figures.acknowledged = sum(map(len, reviewer.acknowledged.values()))
    figures.recorded = sum(map(len, in_ledger(file).values()))
    figures.seconds = round(time.monotonic() - began, 1)
    return figures


def main() -> None:
    """Print the figures as one JSON object; exit code 1 when a decision was lost or doubled."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--within", type=float, default=1.0, help="seconds until a kill, at most")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = series(asked.kills, asked.seed, Path(folder), within=asked.within)
    print(json.dumps(vars(figures)))
    sys.exit(bool(figures.lost or figures.doubled or figures.damaged))


if __name__ == "__main__":
    main()
