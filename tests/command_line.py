"""The command line as a user runs it: a process of its own, a store of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


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


def runner(folder: Path, api_url: str = "") -> Run:
    """`runner(folder)("log", "--json")` runs `prefect-freshqa log --json` with a store there.

    With an `api_url` flows run on that Prefect server instead of a temporary one of their own.
    """
    environment = {
        **os.environ,
        "PREFECT_FRESHQA_STORE": f"sqlite:///{folder / 'freshqa.db'}",
        "PREFECT_HOME": str(folder / "prefect"),
        "COLUMNS": "200",
    }
    for name in ("PREFECT_API_URL", "SERPAPI_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        environment.pop(name, None)

    if api_url:
        environment["PREFECT_API_URL"] = api_url

    def run_command(*arguments: str | Path, **extra: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "prefect_freshqa.cli", *map(str, arguments)],
            env={**environment, **extra},
            cwd=folder,
            check=False,
            capture_output=True,
            text=True,
            timeout=280,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return run_command


def copy_store(source: Path, target: Path) -> None:
    """Copy a SQLite store with the write-ahead log that a killed process may leave."""
    for file in source.glob("freshqa.db*"):
        shutil.copy(file, target)
