"""How long the command line and the package take to start: fresh processes, CPU time."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

from servers.gauges import make_store

from benchmarks.measured_process import run
from benchmarks.spread import Row

PREFECT = "from prefect import flow, task"
"""What any module with a flow imports; `import prefect` alone leaves most of Prefect for later."""

PACKAGES = ("prefect_freshqa", "prefect_freshqa.blocks", "prefect_freshqa.flows.refresh")


def start_up(environment: dict[str, str], repeats: int) -> Iterator[Row]:
    """CPU seconds until `--help` and `log` are done, and what our imports add to Prefect's."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/store.db"
        make_store(url, 600)
        environment = {**environment, "PREFECT_FRESHQA_STORE": url}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # pip compiles what it installs
        for command in ("--help", "log"):
            program = ["-m", "prefect_freshqa.cli", command]
            ran = [run(program, environment) for _ in range(repeats)]
            name = f"`prefect-freshqa {command}`"
            yield Row(f"{name}, CPU s", [took.cpu for took in ran], digits=2)
            yield Row(f"{name}, wall s", [took.wall for took in ran], digits=2)
        run(["-c", PREFECT], environment)  # byte code and disk cache are warm from here on
        turns = [
            [run(["-c", statement], environment).cpu for statement in statements()]
            for _ in range(repeats)
        ]
        base = [turn[0] for turn in turns]
        yield Row(f"`{PREFECT}`, CPU s", base, digits=2)
        for place, package in enumerate(PACKAGES, start=1):
            more = [turn[place] - turn[0] for turn in turns]
            yield Row(f"`import {package}` beyond it, CPU s", more, asked="≤ 0.3 s", digits=2)


def statements() -> list[str]:
    """Prefect alone, then with each package."""
    return [PREFECT, *(f"{PREFECT}; import {package}" for package in PACKAGES)]
