"""Other processes that use the same store."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

from command_line import warm_address
from servers.warm_commands import warm_words


def python(script: str, *arguments: str, warm: bool = False) -> subprocess.Popen[str]:
    """Start Python on a script that can import the package and the helpers of these tests.

    Args:
        script: Python.
        arguments: Its arguments.
        warm: Whether it runs in a child of a process that has imported the libraries; what is then
            killed with `Popen.kill` may live some milliseconds longer.
    """
    words = warm_words(warm_address(), "-c") if warm else [sys.executable, "-c"]
    return subprocess.Popen(
        [*words, script, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )


def wait_for(process: subprocess.Popen[str], line: str) -> None:
    """Until the process prints a line; everything that it printed instead is the failure."""
    assert process.stdout is not None
    said = process.stdout.readline()
    assert said == f"{line}\n", said + process.stdout.read()


def start_together(script: str, *arguments: Sequence[str]) -> list[subprocess.Popen[str]]:
    """Processes that begin at the same moment, each with its arguments.

    Args:
        script: Prints `ready` when it is, and begins when it is sent a line.
    """
    processes = [python(script, *own, warm=True) for own in arguments]
    for process in processes:
        wait_for(process, "ready")
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    return processes
