"""Run the command line as a user does: in its own process, with its own store.

The process is a child of one that has imported the libraries (`servers/warm_process.py`);
`cold=True` starts a new interpreter.
"""

from __future__ import annotations

import array
import atexit
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from multiprocessing import spawn
from pathlib import Path
from typing import IO, Any

from servers.warm_commands import FOLDER, warm_commands, warm_folder
from typing_extensions import Self

PATIENCE = 280


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


def runner(folder: Path, api_url: str = "", *, cold: bool = False) -> Run:
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
        environment["PREFECT_SERVER_UI_ENABLED"] = "false"  # flows draw no pictures
        environment["PREFECT_LOGGING_TO_API_ENABLED"] = "false"

    def run_command(*arguments: str | Path, **extra: str) -> Ran:
        run = run_cold if cold else run_warm
        return run([str(argument) for argument in arguments], {**environment, **extra}, folder)

    return run_command


def run_cold(arguments: list[str], environment: dict[str, str], folder: Path) -> Ran:
    """Run a command in a new Python."""
    done = subprocess.run(
        [sys.executable, "-m", "prefect_freshqa.cli", *arguments],
        env=environment,
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def run_module(module: str, *arguments: str, folder: Path, **environment: str) -> Ran:
    """`python -m module` in a folder, in a child of the process that has imported the libraries."""
    return run_warm(list(arguments), {**os.environ, **environment}, folder, module=module)


def run_warm(
    arguments: list[str], environment: dict[str, str], folder: Path, *, module: str = ""
) -> Ran:
    """Run a command, or a module, in a child of the process that has imported the libraries."""
    with (
        tempfile.TemporaryFile() as stdout,
        tempfile.TemporaryFile() as stderr,
        WarmProcess(arguments, environment, folder, stdout, stderr, module=module) as process,
    ):
        code = process.wait(PATIENCE)
        stdout.seek(0)
        stderr.seek(0)
        return Ran(code, stdout.read().decode(), stderr.read().decode())


class WarmProcess:
    """A child of the process that has imported the libraries, used like a `subprocess.Popen`.

    Args:
        arguments: Of the command.
        environment: The whole environment.
        folder: Where it runs.
        stdout: An open file.
        stderr: An open file.
        module: What is run instead of the command line.
        session: Whether it leads a session, so that a signal to its group reaches what it starts.
    """

    def __init__(
        self,
        arguments: list[str],
        environment: dict[str, str],
        folder: Path,
        stdout: IO[bytes],
        stderr: IO[bytes],
        *,
        module: str = "",
        session: bool = False,
    ) -> None:
        request = {
            "folder": str(folder),
            "environment": environment,
            "arguments": arguments,
            "module": module,
            "session": session,
        }
        self._connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._connection.settimeout(PATIENCE)
        self._connection.connect(warm_address())
        with Path(os.devnull).open("rb") as nothing:
            streams = array.array("i", [file.fileno() for file in (nothing, stdout, stderr)])
            rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, streams)
            self._connection.sendmsg([json.dumps(request).encode()], [rights])
        self.pid = int(self._connection.recv(16))
        self.returncode: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._connection.close()  # it is killed unless it has ended

    def poll(self) -> int | None:
        """How it ended, or None while it runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it ends, and return its exit code."""
        if self.returncode is None:
            self._connection.settimeout(timeout)
            try:
                self.returncode = int(self._connection.recv(16))
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired("a warm command", timeout or 0) from None
            self._connection.close()
        return self.returncode


@cache
def warm_address() -> str:
    """Socket of the warm process, which all workers of a test run share; the first who asks starts it."""
    if FOLDER not in os.environ:  # not in a test run
        running = ExitStack()
        atexit.register(running.close)
        running.enter_context(warm_folder())
    return str(warm_commands(Path(os.environ[FOLDER])) / "socket")


@contextmanager
def warm_processes() -> Iterator[None]:
    """Have the libraries imported in processes that multiprocessing spawns, until the block ends."""
    cold = spawn.get_executable()
    spawn.set_executable(str(Path(warm_address()).with_name("python")))
    try:
        yield
    finally:
        spawn.set_executable(cold)


def copy_store(source: Path, target: Path) -> None:
    """Copy a SQLite store with the write-ahead log that a killed process may leave."""
    for file in source.glob("freshqa.db*"):
        shutil.copy(file, target)
