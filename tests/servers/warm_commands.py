"""Run `prefect-freshqa` in a process that starts quickly, for tests that run many commands."""

from __future__ import annotations

import fcntl
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent
COMMANDS = {"prefect-freshqa": "prefect_freshqa.cli", "prefect": "prefect"}
PYTHON = """
warm() {{ exec {client} "$@"; }}
for last; do :; done
case "${{{warm_runs}}}$1 $2 $last" in
  "-m uvicorn "* | "1-m "*) shift; warm "$@" ;;
  "1"*.py" "* | *"-c "*" --multiprocessing-fork") warm "$@" ;;
esac
exec {python} "$@"
"""
"""The Python that a command knows as its own: a warm one for servers that Prefect starts in the
background and for processes of multiprocessing; for flow runs where the environment asks for it."""
WARM_RUNS = "FRESHQA_WARM_RUNS"
"""Environment variable, 1 where the processes that a worker starts for a flow run are to be warm."""
FOLDER = "FRESHQA_WARM_FOLDER"
"""Environment variable with the folder of the process that forks."""
OWNER = "owner"
"""Name of a pipe there that is open as long as whoever made the folder runs."""
WORKER = "FRESHQA_TEST_WORKER"
"""Environment variable, 1 in a worker of pytest: it and what it starts know the real interpreter."""
PATIENCE = 120.0  # seconds that importing the libraries may take on a busy machine


def warm_words(address: Path | str, *module: str) -> list[str]:
    """A command that runs a module in a child of the process at this socket."""
    return [sys.executable, "-IS", str(HERE / "warm_client.py"), str(address), *module]


def script(path: Path, lines: str) -> None:
    """An executable of some lines."""
    path.write_text(f"#!/bin/sh\n{lines}\n", encoding="utf-8")
    path.chmod(0o755)


@contextmanager
def warm_folder() -> Iterator[Path]:
    """A folder for one process that forks, shared with child processes; it ends with the block.

    Its path is short, because an address of a Unix socket has 107 bytes.
    """
    with tempfile.TemporaryDirectory() as path:
        folder = Path(path)
        os.mkfifo(folder / OWNER)
        owner = os.open(folder / OWNER, os.O_RDWR)  # closed when we end, in whatever way
        os.environ[FOLDER] = path
        try:
            yield folder
        finally:
            del os.environ[FOLDER]
            os.close(owner)


def warm_commands(folder: Path) -> Path:
    """Start the process that forks, unless it runs, and make a command that asks it.

    Returns:
        The folder, for the front of PATH, with executables `prefect-freshqa` and `prefect`, and
        `python`, as which a command knows its interpreter: it starts Prefect's servers quickly; and
        `worker`, the interpreter of a worker of pytest.
    """
    address = folder / "socket"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not address.exists():
            _start(folder, address)
    return folder


def _start(folder: Path, address: Path) -> None:
    for name, module in COMMANDS.items():
        words = shlex.join(warm_words(address, module))
        script(folder / name, f'exec {words} "$@"')
    python = PYTHON.format(
        client=shlex.join(warm_words(address)),
        python=shlex.quote(sys.executable),
        warm_runs=WARM_RUNS,
    )
    script(folder / "python", python)
    # execnet starts it as `python -u -c PROGRAM`
    script(folder / "worker", f'shift; {WORKER}=1 exec {shlex.join(warm_words(address))} "$@"')
    with (folder / "log").open("wb") as log, (folder / OWNER).open("rb") as owner:
        process = subprocess.Popen(
            [sys.executable, HERE / "warm_process.py", address],
            stdin=owner,
            stdout=log,
            stderr=log,
            start_new_session=True,  # Ctrl-C is for pytest, which ends what it has started
        )
    until = time.monotonic() + PATIENCE
    while not address.exists():
        assert process.poll() is None and time.monotonic() < until, (folder / "log").read_text()
        time.sleep(0.1)
