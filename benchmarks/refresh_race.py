"""A refresh beside plain asyncio, a sequential loop, and one Prefect task run per call.

All sides send the same requests to the same servers on loopback, which take a second for a search
and two for a completion. Ours and asyncio run at the same moment, so that what else the machine
does strikes both; each has its own processes, and the server's CPU is counted for itself.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from servers.gauges import make_store, number_of
from servers.scripted_server import Request
from servers.serpapi_server import query_of

from benchmarks.measured_process import Measured, cpu_of_tree, run
from benchmarks.spread import Row
from benchmarks.world import World, world

SEARCH_SECONDS, MODEL_SECONDS = 1.0, 2.0
AT_ONCE = 16
"""Ours: two batches with 8 searches, and 8 completions beside them, in flight; the defaults."""
ASYNCIO, SEQUENTIAL, NAIVE = "plain asyncio", "a sequential loop", "a task run per call"


class Race:
    """Stores and calls of one comparison.

    Args:
        world: Providers, a folder, and a Prefect server of this benchmark alone.
    """

    def __init__(self, world: World) -> None:
        self.folder, self.known, self.prefect = world.folder, world.known, world.prefect
        self.environment = world.environment
        self._world, self._stores = world, 0

    def ours(self, size: int) -> Measured:
        """Return the command `refresh` on a store of its own, with every default of it."""
        self._stores += 1
        url = f"sqlite:///{self.folder}/{self._stores}.db"
        make_store(url, size)
        measured = self._world.refresh(url, "freshprompt")
        assert measured.printed["checked"] == size, measured.printed
        return measured

    def calls(self, size: int) -> Path:
        """Return the requests of a refresh of `size` questions, as the servers received them."""
        self.known.search.latency = self.known.model.latency = 0.0
        self.known.search.requests.clear()
        self.known.model.requests.clear()
        self.ours(size)
        self.known.search.latency, self.known.model.latency = SEARCH_SECONDS, MODEL_SECONDS
        file = self.folder / f"calls-{size}.jsonl"
        file.write_text("".join(json.dumps(calls) + "\n" for calls in self._asked()), "utf-8")
        return file

    def _asked(self) -> list[list[dict[str, Any]]]:
        asked: dict[int, list[Request]] = defaultdict(list)
        for request in self.known.search.requests:
            asked[number_of(query_of(request))].append(request)
        for request in self.known.model.requests:
            asked[number_of(str(request.body["messages"][-1]["content"]))].append(request)
        return [[self._call(request) for request in asked[number]] for number in sorted(asked)]

    def _call(self, request: Request) -> dict[str, Any]:
        server = self.known.search if request.method == "GET" else self.known.model
        return {
            "method": request.method,
            "url": f"{server.url}{request.path}",
            "query": dict(request.query),
            "body": request.body,
        }

    def program(self, module: str, calls: Path, at_once: int, *more: str) -> Measured:
        """Another contender, in a process of its own."""
        arguments = ["-m", f"benchmarks.{module}", str(calls), "--at-once", str(at_once), *more]
        return run(arguments, self.environment)

    def server_cpu(self) -> float:
        assert self.prefect.server is not None
        return cpu_of_tree(self.prefect.server.pid)


@contextmanager
def race() -> Iterator[Race]:
    """Everything that a comparison needs, up and running."""
    with world(search_seconds=SEARCH_SECONDS, model_seconds=MODEL_SECONDS) as ready:
        yield Race(ready)


def ours_beside_asyncio(arena: Race, size: int, repeats: int) -> Iterator[Row]:
    """Total time, time of the flow alone, and CPU per question."""
    calls = arena.calls(size)
    ours, loop, server = [], [], []
    for _ in range(repeats):
        before = arena.server_cpu()
        with ThreadPoolExecutor(2) as pool:
            running = pool.submit(arena.ours, size)
            beside = pool.submit(arena.program, "plain_asyncio", calls, AT_ONCE, "--ahead")
            ours.append(running.result())
            loop.append(beside.result())
        server.append(arena.server_cpu() - before)
    what = f"refresh of {size}"
    yield Row(f"{what}: whole command, s", _wall(ours), ASYNCIO, _wall(loop), "≤ 1.10×")
    yield Row(f"{what}: the flow alone, s", _seconds(ours), ASYNCIO, _seconds(loop))
    more = [1000 * (o.cpu - a.cpu) / size for o, a in zip(ours, loop, strict=True)]
    yield Row("its CPU a question beyond asyncio's, ms", more)
    yield Row("CPU a question of the Prefect server meanwhile, ms", _milliseconds(server, size))


def ours_beside_others(arena: Race, *, size: int, few: int, repeats: int) -> Iterator[Row]:
    """Seconds and CPU per question; the sequential loop takes fewer, as it takes so long.

    The refresh and a task run per call run in turns, each alone: beside one another each would
    wait for the CPU of the other, and the refresh for that of the other's server.
    """
    calls = arena.calls(size)
    alone = arena.folder / "few.jsonl"
    alone.write_text("".join(calls.read_text("utf-8").splitlines(True)[:few]), "utf-8")
    ours, sequential_runs, naive, server, loop = [], [], [], [], []
    for _ in range(repeats):
        with ThreadPoolExecutor(2) as pool:
            sequential = pool.submit(arena.program, "plain_asyncio", alone, 1)
            asyncio = pool.submit(arena.program, "plain_asyncio", calls, AT_ONCE)
            sequential_runs.append(sequential.result())
            loop.append(asyncio.result())
        ours.append(arena.ours(size))
        before = arena.server_cpu()
        naive.append(arena.program("task_run_per_call", calls, AT_ONCE))
        server.append(arena.server_cpu() - before)
    each = _each(_wall(ours), size)
    name = f"refresh of {size}: whole command, s a question"
    yield Row(name, each, f"{SEQUENTIAL} ({few})", _each(_wall(sequential_runs), few), digits=2)
    yield Row(name, each, NAIVE, _each(_wall(naive), size), digits=2)
    more = [1000 * (n.cpu - a.cpu) / size for n, a in zip(naive, loop, strict=True)]
    yield Row(f"{NAIVE}: CPU a question beyond asyncio's, ms", more)
    yield Row(f"{NAIVE}: CPU a question of the Prefect server, ms", _milliseconds(server, size))


def memory(arena: Race, sizes: tuple[int, int], repeats: int) -> Iterator[Row]:
    """Peak memory of a refresh whose providers answer at once, and of one twice as large."""
    arena.known.search.latency = arena.known.model.latency = 0.0
    peaks = [[arena.ours(size).peak_mb for _ in range(repeats)] for size in sizes]
    small, large = sizes
    yield Row(
        f"peak memory, {large} questions, MB", peaks[1], f"{small} questions", peaks[0], "flat"
    )


def _wall(runs: list[Measured]) -> list[float]:
    return [measured.wall for measured in runs]


def _seconds(runs: list[Measured]) -> list[float]:
    return [measured.printed["seconds"] for measured in runs]


def _each(figures: list[float], size: int) -> list[float]:
    return [figure / size for figure in figures]


def _milliseconds(figures: list[float], size: int) -> list[float]:
    return [1000 * figure / size for figure in figures]
