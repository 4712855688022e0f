"""A Prefect server for the length of one command, with a database of its own.

Prefect starts one by itself, but in the caller's imports (2.5 s of CPU), after a hundred migrations
of an empty database (4 s) and with the blocks of every integration registered (1 s). This one
shares the imports of Prefect with the command, runs beside it, makes its tables at once, and
registers no block, nor imports the integrations whose blocks they are. Nobody can look at it: it
has no UI, and keeps neither events nor log lines.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import signal
import socket
import sys
import threading
import time
from http.client import HTTPConnection, HTTPException
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path

HOST = "127.0.0.1"
WITHOUT = {
    "PREFECT_API_DATABASE_MIGRATE_ON_START": "false",
    "PREFECT_API_BLOCKS_REGISTER_ON_START": "false",
    "PREFECT_MEMOIZE_BLOCK_AUTO_REGISTRATION": "false",
    "PREFECT_API_SERVICES_EVENT_PERSISTER_ENABLED": "false",
    "PREFECT_API_SERVICES_TASK_RUN_RECORDER_ENABLED": "false",
    "PREFECT_API_SERVICES_TRIGGERS_ENABLED": "false",
    "PREFECT_LOGGING_TO_API_ENABLED": "false",
    "PREFECT_UI_ENABLED": "false",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
}
PROCESSES = get_context("fork") if sys.platform == "linux" else get_context("spawn")
"""A forked process has Prefect imported. On other systems libraries may not support forking."""
STARTUP_SECONDS = 120
OK = 200


def start_server(home: Path) -> BaseProcess:
    """Start a server whose database is in a folder, and let this process use it: `wait_for_server`.

    To be called before Prefect is imported, which reads the environment then, and before a thread
    is started; the server ends after Prefect has sent its last request, or with this process.

    Args:
        home: Prefect's home of this process and the server; a database in it is replaced.
    """
    home.mkdir(parents=True, exist_ok=True)
    for old in home.glob("prefect.db*"):
        old.unlink()
    listener = socket.socket()
    listener.bind((HOST, 0))
    address = f"http://{HOST}:{listener.getsockname()[1]}/api"
    os.environ.update(WITHOUT, PREFECT_HOME=str(home.absolute()), PREFECT_API_URL=address)
    server: BaseProcess = PROCESSES.Process(target=serve, args=(listener,), daemon=True)
    atexit.register(stop_server, server)  # before Prefect registers its own, so that it is after
    from prefect import flow  # noqa: F401 - for the server as well: see `PROCESSES`
    from prefect.settings import get_current_settings

    # no heartbeats: at its end a flow would wait up to a second for the thread that sends them
    get_current_settings().flows.heartbeat_frequency = None
    server.start()
    listener.close()
    return server


def wait_for_server(server: BaseProcess) -> None:
    """Return when the server answers.

    Raises:
        RuntimeError: it ended, or took longer than `STARTUP_SECONDS`.
    """
    port = int(os.environ["PREFECT_API_URL"].split(":")[2].split("/")[0])
    until = time.monotonic() + STARTUP_SECONDS
    while time.monotonic() < until and server.is_alive():
        try:
            connection = HTTPConnection(HOST, port, timeout=STARTUP_SECONDS)
            connection.request("GET", "/api/health")
            if connection.getresponse().status == OK:
                return
        except (OSError, HTTPException):
            time.sleep(0.05)
    raise RuntimeError("the temporary Prefect server does not answer")


def stop_server(server: BaseProcess) -> None:
    """End the server; kill it if it does not end."""
    if server.pid is None:  # it was never started
        return
    server.terminate()
    server.join(10)
    if server.is_alive():
        server.kill()
        server.join()


def end_with_parent() -> None:
    """End with the command, also on a signal."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)


def serve(listener: socket.socket) -> None:
    """Create the tables and serve until told to stop."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C is handled by the command, which ends this process
    threading.Thread(target=end_with_parent, daemon=True).start()
    asyncio.run(_serve(listener))


async def _serve(listener: socket.socket) -> None:
    import uvicorn
    from prefect.server.api.server import create_app
    from prefect.server.database import provide_database_interface
    from sqlalchemy.schema import CreateIndex, CreateTable

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
