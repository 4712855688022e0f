"""A Prefect server for the length of one command, with a database of its own.

Prefect starts one by itself, but in the caller's imports (2.5 s of CPU), after a hundred migrations
of an empty database (4 s) and with the blocks of every integration registered (1 s). This one
starts while the command imports what it needs, makes its tables at once, and registers no block.

Run as a script by `start_server`: it prints its port, and ends when its standard input does.
"""

from __future__ import annotations

import atexit
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from http.client import HTTPConnection, HTTPException
from pathlib import Path

HOST = "127.0.0.1"
WITHOUT = {
    "PREFECT_API_DATABASE_MIGRATE_ON_START": "false",
    "PREFECT_API_BLOCKS_REGISTER_ON_START": "false",
    "PREFECT_UI_ENABLED": "false",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
}
STARTUP_SECONDS = 120
OK = 200


def start_server(home: Path) -> subprocess.Popen[str]:
    """Start a server whose database is in a folder, and let this process use it: `wait_for_server`.

    To be called before Prefect is imported, which reads the environment then; the server ends
    after Prefect has sent the last logs and events, or with this process.

    Args:
        home: Prefect's home of this process and the server; a database in it is replaced.
    """
    home.mkdir(parents=True, exist_ok=True)
    for old in home.glob("prefect.db*"):
        old.unlink()
    os.environ["PREFECT_HOME"] = str(home.absolute())
    server = subprocess.Popen(
        [sys.executable, "-m", "prefect_freshqa.cli.temporary_server"],
        env={**os.environ, **WITHOUT},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(stop_server, server)
    assert server.stdout is not None
    os.environ["PREFECT_API_URL"] = f"http://{HOST}:{server.stdout.readline().strip()}/api"
    return server


def wait_for_server(server: subprocess.Popen[str]) -> None:
    """Return when the server answers.

    Raises:
        RuntimeError: it ended, or took longer than `STARTUP_SECONDS`.
    """
    port = int(os.environ["PREFECT_API_URL"].split(":")[2].split("/")[0])
    until = time.monotonic() + STARTUP_SECONDS
    while time.monotonic() < until and server.poll() is None:
        try:
            connection = HTTPConnection(HOST, port, timeout=STARTUP_SECONDS)
            connection.request("GET", "/api/health")
            if connection.getresponse().status == OK:
                return
        except (OSError, HTTPException):
            time.sleep(0.05)
    raise RuntimeError("the temporary Prefect server does not answer")


def stop_server(server: subprocess.Popen[str]) -> None:
    """End the server; one that does not heed is killed."""
    server.terminate()
    try:
        server.wait(timeout=10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def end_with_parent() -> None:
    """Wait for the end of standard input, which the parent holds, and end."""
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)


def serve() -> None:
    """Make the tables and serve until told to stop."""
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        print(listener.getsockname()[1], flush=True)
        threading.Thread(target=end_with_parent, daemon=True).start()
        import asyncio

        import uvicorn
        from prefect.server.api.server import create_app
        from prefect.server.database import provide_database_interface
        from sqlalchemy.schema import CreateIndex, CreateTable

        async def run() -> None:
            database = provide_database_interface()
            engine = await database.engine()
            async with engine.begin() as connection:
                for table in database.Base.metadata.sorted_tables:
                    await connection.execute(CreateTable(table, if_not_exists=True))
                    for index in table.indexes:  # two may have one name: no `create_all`
                        await connection.execute(CreateIndex(index, if_not_exists=True))
            settings = uvicorn.Config(
                create_app(ephemeral=True, final=True), log_level="error", lifespan="on"
            )
            await uvicorn.Server(settings).serve(sockets=[listener])

        asyncio.run(run())


if __name__ == "__main__":
    serve()
