"""Other processes that use the same store."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence

from command_line import warm_address
from servers.warm_commands import warm_words


class Script(subprocess.Popen[str]):
    """A script that runs, or the client of a warm one.

    Args:
        number: Id of the process that runs the script.
    """

    number: int

    def kill(self) -> None:
        """Kill the script itself; one whose client is killed may live some milliseconds longer."""
        os.kill(self.number, signal.SIGKILL)


def python(script: str, *arguments: str, cold: bool = False) -> Script:
    """Start Python on a script that can import the package and the helpers of these tests.

    Args:
        script: Python.
        arguments: Its arguments.
        cold: Whether it runs in a new interpreter, instead of in a child of the process that has
            imported the libraries.
    """
    words = [sys.executable, "-c"] if cold else warm_words(warm_address(), "-c")
    started = Script(
        [*words, f"import os; print(os.getpid(), flush=True)\n{script}", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    assert started.stdout is not None
    started.number = int(started.stdout.readline())
    return started


def wait_for(process: Script, line: str) -> None:
    """Until the process prints a line; everything that it printed instead is the failure."""
    assert process.stdout is not None
    said = process.stdout.readline()
    assert said == f"{line}\n", said + process.stdout.read()


def start_together(script: str, *arguments: Sequence[str]) -> list[Script]:
    """Processes that begin at the same moment, each with its arguments.

    Args:
        script: Prints `ready` when it is, and begins when it is sent a line.
    """
    processes = [python(script, *own) for own in arguments]
    for process in processes:
        wait_for(process, "ready")
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    return processes
