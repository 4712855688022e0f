"""`python -m benchmarks.papers`: every metric and ablation equals its recomputation."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


def test_every_row_of_the_papers_table_is_equal() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.papers"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(" rows, 0 differ.\n") and "**no**" not in done.stdout
