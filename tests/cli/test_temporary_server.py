"""The Prefect server of a command ends with it, however it ends; its runs are kept."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest
from command_line import Run, warm_address
from servers.prefect_server import give_database
from servers.warm_commands import warm_words

from freshqa import sample

COMMAND = """
import multiprocessing, os, sys
from pathlib import Path
from prefect_freshqa.cli import temporary_server
temporary_server.PROCESSES = multiprocessing.get_context(sys.argv[2])
server = temporary_server.TemporaryServer(Path(sys.argv[1]))
server.start()
server.wait()
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


def test_a_refresh_without_a_configured_server_is_kept_in_the_database_of_the_user(
    sample_store: Run, tmp_path: Path
) -> None:
    give_database(tmp_path / "prefect")
    searches = f"recorded:{sample.path('searches-2026-03-09.jsonl')}"
    asked = ("--as-of", "2026-03-09", "--method", "search-only", "--search", searches)
    done = sample_store("refresh", *asked, "--limit", "1")
    assert done.code == 0, done.stderr
    with closing(sqlite3.connect(tmp_path / "prefect" / "prefect.db")) as database:
        assert database.execute("SELECT name, state_name FROM flow_run").fetchall() == [
            ("refresh 2026-03-09", "Incomplete")
        ]
        for kept in ("task_run", "log", "artifact"):
            assert database.execute(f"SELECT count(*) FROM {kept}").fetchone() != (0,), kept


def test_a_server_that_cannot_open_its_database_is_reported_with_a_remedy(
    sample_store: Run, tmp_path: Path
) -> None:
    searches = f"recorded:{sample.path('searches-2026-03-09.jsonl')}"
    asked = ("--as-of", "2026-03-09", "--method", "search-only", "--search", searches)
    nowhere = f"sqlite+aiosqlite:///{tmp_path / 'none' / 'prefect.db'}"
    done = sample_store("refresh", *asked, PREFECT_API_DATABASE_CONNECTION_URL=nowhere)
    assert done.code == 1
    error, remedy = done.stderr.splitlines()
    assert error == "Error: The temporary Prefect server does not answer."
    assert "prefect server start" in remedy
