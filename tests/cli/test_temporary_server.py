"""The Prefect server of `demo` ends with its command, however the command ends."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from command_line import warm_address
from servers.warm_commands import warm_words

COMMAND = """
import multiprocessing, os, sys
from pathlib import Path
from prefect_freshqa.cli import temporary_server
temporary_server.PROCESSES = multiprocessing.get_context(sys.argv[2])
server = temporary_server.start_server(Path(sys.argv[1]))
temporary_server.wait_for_server(server)
print(os.getpid(), server.pid, flush=True)
sys.stdin.read()
"""
PATIENCE = 120


def runs(process: int) -> bool:
    """Whether a process runs; one that has ended may wait for somebody to ask how."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.mark.parametrize("start", ["fork", "spawn"])
@pytest.mark.parametrize("end", ["at its end", "by a signal"])
def test_the_server_answers_and_ends_with_its_command(tmp_path: Path, start: str, end: str) -> None:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PREFECT_")}
    command = subprocess.Popen(
        [*warm_words(warm_address(), "-c"), COMMAND, str(tmp_path), start],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert command.stdin is not None and command.stdout is not None
    process, server = map(int, command.stdout.readline().split())
    assert runs(server)
    if end == "by a signal":
        os.kill(process, signal.SIGKILL)  # and not the client, which would end both
        assert command.wait(timeout=PATIENCE)
    else:
        command.stdin.close()
        assert command.wait(timeout=PATIENCE) == 0
    until = time.monotonic() + PATIENCE
    while runs(server) and time.monotonic() < until:
        time.sleep(0.05)
    assert not runs(server)
