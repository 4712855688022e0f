"""Run `prefect-freshqa` in a process that starts quickly, for tests that run many commands."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent
COMMANDS = {"prefect-freshqa": "prefect_freshqa.cli", "prefect": "prefect"}
SERVER = "uvicorn"
"""What Prefect starts with the Python of a command, for a server in the background."""
PATIENCE = 120.0  # seconds that importing the libraries may take on a busy machine


def warm_words(address: Path | str, module: str) -> list[str]:
    """A command that runs a module in a child of the process at this socket."""
    return [sys.executable, "-IS", str(HERE / "warm_client.py"), str(address), module]


def script(path: Path, lines: str) -> None:
    """An executable of some lines."""
    path.write_text(f"#!/bin/sh\n{lines}\n", encoding="utf-8")
    path.chmod(0o755)


@contextmanager
def warm_commands(folder: Path) -> Iterator[Path]:
    """Start the process that forks, and make a command that asks it.

    Args:
        folder: An empty one with a short path (an address of a Unix socket has 107 bytes).

    Yields:
        A folder for the front of PATH with executables `prefect-freshqa` and `prefect`, and `python`,
        as which a command knows its interpreter: it starts Prefect's servers quickly.
    """
    address = folder / "socket"
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, HERE / "warm_process.py", address],
            stdin=subprocess.PIPE,  # closed when we end, in whatever way: then it ends as well
            stdout=log,
            stderr=log,
            start_new_session=True,  # so that one signal ends it with every command
        )
    for name, module in COMMANDS.items():
        words = shlex.join(warm_words(address, module))
        script(folder / name, f'exec {words} "$@"')
    words = shlex.join(warm_words(address, SERVER))
    warm = f'if [ "$1 $2" = "-m {SERVER}" ]; then shift 2; exec {words} "$@"; fi'
    script(folder / "python", f'{warm}\nexec {shlex.quote(sys.executable)} "$@"')
    try:
        until = time.monotonic() + PATIENCE
        while not address.exists():
            assert process.poll() is None and time.monotonic() < until, (folder / "log").read_text()
            time.sleep(0.1)
        yield folder
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
