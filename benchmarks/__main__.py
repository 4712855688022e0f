"""One command, one table: refresh, memory, start-up, store.

    python -m benchmarks            # about 15 minutes
    python -m benchmarks --quick    # about 2 minutes, fewer questions and repeats

Prints markdown. Repeats are in one run; a ratio is of figures that were measured side by side.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

import prefect

from benchmarks.fixed_cost import fixed_cost
from benchmarks.refresh_race import memory, ours_beside_asyncio, ours_beside_others, race
from benchmarks.spread import Row, markdown
from benchmarks.start_up import start_up
from benchmarks.store_figures import store_figures


def rows(asked: argparse.Namespace) -> Iterator[Row]:
    """Yield every row, the longest first."""
    with race() as arena:
        yield from ours_beside_asyncio(arena, asked.questions, asked.repeats)
        yield from ours_beside_others(arena, size=asked.fewer, few=asked.few, repeats=asked.repeats)
        yield from memory(arena, (asked.questions, 2 * asked.questions), min(asked.repeats, 2))
        yield from start_up(arena.environment, asked.starts)
        yield from fixed_cost(arena.environment, asked.repeats)
    yield from store_figures(asked.starts)


def machine() -> str:
    """Where this was measured, and how busy it was."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text("utf-8").splitlines() if cpuinfo.exists() else []
    model = next((line.split(":")[1].strip() for line in lines if "model name" in line), "")
    load = ", ".join(f"{average:.1f}" for average in os.getloadavg())
    return (
        f"{os.cpu_count()} cores of {model or platform.processor()}, {platform.system()}, "
        f"Python {platform.python_version()}, Prefect {prefect.__version__}; "
        f"load over 1, 5 and 15 minutes {load}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--questions", type=int, help="refreshed beside asyncio")
    parser.add_argument("--repeats", type=int, help="of a refresh")
    asked = parser.parse_args()
    asked.questions = asked.questions or (96 if asked.quick else 600)
    asked.repeats = asked.repeats or (1 if asked.quick else 3)
    asked.fewer, asked.few = (32, 4) if asked.quick else (160, 10)
    asked.starts = 3 if asked.quick else 9
    print(f"Before: {machine()}.", file=sys.stderr)
    measured = []
    for row in rows(asked):
        print(" | ".join(row.cells()), file=sys.stderr, flush=True)
        measured.append(row)
    print(f"{machine()}.\n\n{markdown(measured)}")


if __name__ == "__main__":
    main()
