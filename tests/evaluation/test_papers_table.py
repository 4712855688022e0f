"""`python -m benchmarks.papers`: every metric and ablation equals its recomputation."""

from __future__ import annotations

from pathlib import Path

from command_line import run_module

REPOSITORY = Path(__file__).parents[2]


def test_every_row_of_the_papers_table_is_equal() -> None:
    done = run_module("benchmarks.papers", folder=REPOSITORY)
    assert done.code == 0, done.stdout + done.stderr
    assert done.stdout.endswith(" rows, 0 differ.\n") and "**no**" not in done.stdout
