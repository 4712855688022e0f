"""The command line as a user runs it: a process of its own, a store of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class Ran:
    """What a command printed, and how it ended."""

    code: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        return json.loads(self.stdout)

    @property
    def error(self) -> dict[str, str]:
        return self.json["error"]


Run = Callable[..., Ran]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """`run("log", "--json")` runs `prefect-freshqa log --json` in a temporary folder."""
    environment = {
        **os.environ,
        "PREFECT_FRESHQA_STORE": f"sqlite:///{tmp_path / 'freshqa.db'}",
        "PREFECT_HOME": str(tmp_path / "prefect"),
        "COLUMNS": "200",
    }
    for name in ("PREFECT_API_URL", "SERPAPI_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        environment.pop(name, None)

    def run_command(*arguments: str | Path, **extra: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "prefect_freshqa.cli", *map(str, arguments)],
            env={**environment, **extra},
            check=False,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=280,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return run_command


@pytest.fixture
def sample_store(run: Run) -> Run:
    """`run`, with the sample release imported as version 1."""
    from freshqa import sample

    assert run("init").code == 0
    done = run("import", sample.path("release.csv"), "--as-of", "2026-03-02")
    assert done.code == 0, done.stderr
    return run
