"""Run a program and measure it: wall time, CPU and memory of that process alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from servers.process_tree import descendants, kill_tree

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Measured:
    """What a process took.

    Args:
        wall: Seconds from its start to its end.
        cpu: Seconds of CPU, user and system.
        peak_mb: Peak memory, in MB.
        printed: The JSON object in the last line that it printed, {} for none.
    """

    wall: float
    cpu: float
    peak_mb: float
    printed: dict[str, Any]


def run(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    *,
    code: int = 0,
    python: str = sys.executable,
) -> Measured:
    """Run Python with these arguments to its end.

    Args:
        arguments: Of Python.
        environment: All of it.
        code: The exit code that is not a failure.
        python: Its path; another environment may hold another release.

    Raises:
        RuntimeError: it failed; holds what it wrote to stderr.
    """
    began = time.monotonic()
    process = subprocess.Popen(
        [python, *arguments],
        env=dict(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parent.parent if python == sys.executable else None,
    )
    assert process.stdout is not None and process.stderr is not None
    with ThreadPoolExecutor(1) as reader:
        said = reader.submit(process.stderr.read)
        try:
            printed = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
        except KeyboardInterrupt:
            kill_tree(process.pid)
            raise
    wall = time.monotonic() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != code:
        raise RuntimeError(f"{' '.join(arguments)}\n{printed}\n{said.result()[-3000:]}")
    last = (printed.splitlines() or [""])[-1]
    record = json.loads(last) if last.startswith("{") else {}
    return Measured(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, record)


def cpu_of_tree(root: int) -> float:
    """Seconds of CPU that a running process and its running descendants have used (Linux)."""
    total = 0
    for process in (root, *descendants(root)):
        fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS
