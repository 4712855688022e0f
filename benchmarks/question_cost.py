"""What one more question costs in this release, in an earlier one, and in plain asyncio.

    python -m benchmarks.question_cost --python ../earlier/.venv/bin/python [--repeats 3]

CPU seconds of whole commands `refresh` with FreshPrompt, whose providers on loopback answer at once:
those of many questions less those of few, by the difference. The releases take turns, each on a
store that it made itself, and must come to the same checks, proposals and draft.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from servers.fingerprint import fingerprint
from servers.gauges import CHECKED, RELEASED, gauges

from benchmarks.earlier_release import copy
from benchmarks.measured_process import run
from benchmarks.refresh_race import AT_ONCE, Race
from benchmarks.spread import Row, markdown
from benchmarks.world import World, world
from freshqa.dataset.release import write_release
from freshqa.store.database import Store

CALLED = ("-m", "prefect_freshqa.cli")


@dataclass(frozen=True)
class Release:
    """One installed release, with a folder for its stores."""

    python: str
    folder: Path
    world: World

    def environment(self, size: int) -> dict[str, str]:
        """`SIZE.db` is imported, `used.db` refreshed."""
        own = dict(self.world.environment)
        for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH"):
            own.pop(name, None)
        file = self.folder / (f"{size}.db" if size else "used.db")
        return own | {"PREFECT_FRESHQA_STORE": f"sqlite:///{file}"}

    def make_store(self, size: int) -> None:
        """Import as many gauges as one version."""
        release = self.folder / f"{size}.csv"
        release.write_bytes(write_release(gauges(size), "official"))
        command = ("import", str(release), "--as-of", RELEASED.isoformat())
        for asked in (("init",), command):
            run([*CALLED, *asked], self.environment(size), python=self.python)

    def refresh(self, size: int) -> tuple[float, str]:
        """Return the CPU seconds of the command, and the fingerprint of its results."""
        copy(self.folder / f"{size}.db", self.folder / "used.db")
        command = [*CALLED, "refresh", "--as-of", CHECKED.isoformat(), "--method", "freshprompt"]
        command += ["--search", "serpapi-search/gauges", "--model", "openai:reader", "--json"]
        measured = run(command, self.environment(0), python=self.python)
        assert measured.printed["checked"] == size, measured.printed
        store = Store.open(f"sqlite:///{self.folder / 'used.db'}", create=True)
        results = fingerprint(store, measured.printed["run"])
        store.close()
        return measured.cpu, results


def rows(
    arena: Race, releases: Sequence[Release], sizes: tuple[int, int], repeats: int
) -> list[Row]:
    """Milliseconds a question of each contender, and what the releases need beyond asyncio."""
    few, many = sizes
    calls = {size: arena.calls(size) for size in sizes}
    spent: dict[tuple[str, int], list[float]] = defaultdict(list)
    for size in sizes:
        for release in releases:
            release.make_store(size)
    for release in releases:
        release.refresh(few)  # byte code
    arena.known.search.latency = arena.known.model.latency = 0.0
    for _ in range(repeats):
        for size in sizes:
            results = set()
            for release in releases:
                cpu, result = release.refresh(size)
                spent[release.folder.name, size].append(cpu)
                results.add(result)
            assert len(results) == 1, f"different results of {size} questions: {results}"
            asyncio = arena.program("plain_asyncio", calls[size], AT_ONCE).cpu
            spent["asyncio", size].append(asyncio)
        print({name: [round(cpu, 2) for cpu in cpus] for name, cpus in spent.items()}, flush=True)
    each = {
        name: [
            1000 * (much - little) / (many - few)
            for much, little in zip(spent[name, many], spent[name, few], strict=True)
        ]
        for name in ("new", "old", "asyncio")
    }
    more = {
        name: [own - least for own, least in zip(each[name], each["asyncio"], strict=True)]
        for name in ("new", "old")
    }
    return [
        Row("CPU a question, ms", each["new"], "the earlier release", each["old"]),
        Row("beyond asyncio, ms", more["new"], "the earlier release", more["old"], "≤ 0.45×"),
        Row("CPU a question of the earlier release, ms", each["old"]),
        Row("beyond asyncio, ms", more["old"]),
        Row("CPU a question of plain asyncio, ms", each["asyncio"]),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--python", required=True, help="of an environment with the other release")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--few", type=int, default=20)
    parser.add_argument("--many", type=int, default=600)
    asked = parser.parse_args()
    before = os.getloadavg()[0]
    with world(search_seconds=0, model_seconds=0) as ready:
        releases = []
        for python, name in ((sys.executable, "new"), (asked.python, "old")):
            folder = ready.folder / name
            folder.mkdir()
            releases.append(Release(str(Path(python).absolute()), folder, ready))
        table = markdown(rows(Race(ready), releases, (asked.few, asked.many), asked.repeats))
    print(f"load {before:.0f} before, {os.getloadavg()[0]:.0f} after\n\n{table}")


if __name__ == "__main__":
    main()
