"""What commands cost in this release and in an earlier one, in turns.

    python -m benchmarks.earlier_release --python ../earlier/.venv/bin/python [--repeats 3]

CPU seconds of each command and its children. Each release works on the store that its own demo
leaves: two refreshes, two publications, proposals that wait. `publish` publishes one more decision.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measured_process import run
from benchmarks.spread import Row, markdown
from benchmarks.validation_cost import DAY, world
from freshqa.dataset.release import write_release

LIGHT = (("log",), ("due", "--as-of", "2026-03-23"), ("diff", "1", "2"), ("review", "list"))
CALLED = ("-m", "prefect_freshqa.cli")


@dataclass
class Release:
    """One installed release, with a folder for its stores."""

    python: str
    folder: Path

    def environment(self, store: str) -> dict[str, str]:
        own = {**os.environ, "PREFECT_HOME": str(self.folder / "prefect")}
        for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "PREFECT_API_URL"):
            own.pop(name, None)
        return own | {"PREFECT_FRESHQA_STORE": f"sqlite:///{self.folder / store}"}

    def cpu(self, *command: str, store: str = "used.db", code: int = 0) -> float:
        environment = self.environment(store)
        return run([*CALLED, *command], environment, code=code, python=self.python).cpu

    def on_a_copy(self, name: str, *command: str, code: int = 0) -> float:
        copy(self.folder / name, self.folder / "used.db")
        return self.cpu(*command, code=code)

    def make_stores(self) -> None:
        """`demo.db`: one proposal waits; `accepted.db`: it is accepted; `later.db`: nothing due."""
        self.cpu("demo", "--folder", str(self.folder / "demo"))
        copy(self.folder / "demo" / "freshqa.db", self.folder / "demo.db")
        self.on_a_copy("demo.db", *self.acceptance())
        copy(self.folder / "used.db", self.folder / "accepted.db")
        _, questions = world(600)
        later = [question.with_changes({"next_review": "12/31/2099"}) for question in questions]
        for name, rows in (("draft", questions), ("later", later)):
            (self.folder / f"{name}.csv").write_bytes(write_release(rows, "official"))
        release = str(self.folder / "later.csv")
        self.cpu("init", store="later.db")
        self.cpu("import", release, "--as-of", DAY.isoformat(), store="later.db")

    def acceptance(self) -> tuple[str, ...]:
        """The command that accepts a proposal that waits in the demo's store."""
        command = [self.python, *CALLED, "review", "list", "--json"]
        environment = self.environment("demo.db")
        done = subprocess.run(command, env=environment, capture_output=True, check=True)
        listed = json.loads(done.stdout)
        waiting = listed if isinstance(listed, list) else next(iter(listed.values()))
        changed = next(item for item in waiting if item["outcome"] == "conflicting")
        return ("review", "accept", str(changed["id"]), "--by", "Ada", "--reason", "seen")


def copy(store: Path, target: Path) -> None:
    """Copy a store with what its write-ahead log still holds."""
    for name in (
        target,
        target.with_name(f"{target.name}-wal"),
        target.with_name(f"{target.name}-shm"),
    ):
        name.unlink(missing_ok=True)
    with closing(sqlite3.connect(store)) as source, closing(sqlite3.connect(target)) as copied:
        source.backup(copied)


def compared(new: Release, old: Release, name: str, repeats: int, store: str = "demo.db") -> Row:
    """Return the row of one command, run by both releases in turns."""
    commands = {
        "review accept": lambda release: release.acceptance(),
        "publish, one decision": lambda _: ("publish", "--as-of", "2026-03-23"),
        "refresh, nothing due": lambda _: ("refresh", "--as-of", DAY.isoformat(), *SEARCH_ONLY),
        "validate, 600 rows": lambda release: ("validate", str(release.folder / "draft.csv")),
        "demo": lambda release: ("demo", "--folder", str(release.folder / "played")),
    }
    code = {"refresh, nothing due": 3}.get(name, 0)

    def turn(release: Release) -> float:
        command = commands[name](release) if name in commands else tuple(name.split())
        return release.on_a_copy(store, *command, code=code)

    for release in (new, old):
        turn(release)  # byte code, and the home of Prefect
    turns = [(turn(new), turn(old)) for _ in range(repeats)]
    own, others = zip(*turns, strict=True)
    return Row(f"`{name}`, CPU s", own, "the earlier release", others, digits=2)


SEARCH_ONLY = ("--method", "search-only", "--search", f"recorded:{os.devnull}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--python", required=True, help="of an environment with the other release")
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as name:
        new, old = (
            Release(str(Path(python).absolute()), Path(name) / folder)
            for python, folder in ((sys.executable, "new"), (asked.python, "old"))
        )
        for release in (new, old):
            release.folder.mkdir()
            release.make_stores()
        names = [" ".join(command) for command in LIGHT] + ["review accept", "validate, 600 rows"]
        rows = [compared(new, old, command, asked.repeats) for command in names]
        rows.append(compared(new, old, "refresh, nothing due", asked.repeats, "later.db"))
        rows.append(compared(new, old, "publish, one decision", asked.repeats, "accepted.db"))
        rows.append(compared(new, old, "demo", asked.repeats))
    print(f"load {before:.0f} before, {os.getloadavg()[0]:.0f} after\n\n{markdown(rows)}")


if __name__ == "__main__":
    main()
