"""A Prefect server for the length of one command.

Prefect starts one by itself, but in an interpreter of its own (5 s of CPU) and with the blocks of
every integration registered (1 s). This one shares the imports of Prefect with the command, runs
beside it, and registers no block, nor imports the integrations whose blocks they are.
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

from freshqa.errors import ProviderError
from prefect_freshqa.blocks.resolve import names_saved_block
from prefect_freshqa.prefect_server import has_prefect_server

HOST = "127.0.0.1"
WITHOUT_BLOCKS = {"PREFECT_API_BLOCKS_REGISTER_ON_START": "false"}
UNSEEN = {
    "PREFECT_API_DATABASE_MIGRATE_ON_START": "false",
    "PREFECT_MEMOIZE_BLOCK_AUTO_REGISTRATION": "false",
    "PREFECT_API_SERVICES_EVENT_PERSISTER_ENABLED": "false",
    "PREFECT_API_SERVICES_TASK_RUN_RECORDER_ENABLED": "false",
    "PREFECT_API_SERVICES_TRIGGERS_ENABLED": "false",
    "PREFECT_LOGGING_TO_API_ENABLED": "false",
    "PREFECT_UI_ENABLED": "false",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
}
"""Settings for a database that nobody looks at later."""
PROCESSES = get_context("fork") if sys.platform == "linux" else get_context("spawn")
"""A forked process has Prefect imported. On other systems libraries may not support forking."""
STARTUP_SECONDS = 120
REMEDY = "Check its database (~/.prefect, or PREFECT_HOME) and the free disk space; or run: prefect server start"
OK = 200


class TemporaryServer:
    """A Prefect server that ends after Prefect has sent its last request, or with this process.

    To be made before Prefect is imported, which reads the environment then, and started before a
    thread is.

    Args:
        home: Prefect's home of this process and the server, with a database that nobody looks at
            later: its tables are made at once instead of by a hundred migrations (4 s), and it
            keeps neither events nor log lines. One that is there is replaced. None for the home of
            the user, with its blocks and runs.
    """

    def __init__(self, home: Path | None = None) -> None:
        self._listener = socket.socket()
        self._listener.bind((HOST, 0))
        self._port = self._listener.getsockname()[1]
        os.environ.update(WITHOUT_BLOCKS, PREFECT_API_URL=f"http://{HOST}:{self._port}/api")
        if home is not None:
            home.mkdir(parents=True, exist_ok=True)
            for old in home.glob("prefect.db*"):
                old.unlink()
            os.environ.update(UNSEEN, PREFECT_HOME=str(home.absolute()))
        arguments = (self._listener, home is not None)
        self._process: BaseProcess = PROCESSES.Process(target=serve, args=arguments, daemon=True)
        atexit.register(self.stop)  # before Prefect registers its own, so that it is after

    @property
    def pid(self) -> int | None:
        """Id of its process; None before it is started."""
        return self._process.pid

    def start(self) -> None:
        """Start it, and let this process use it: `wait`."""
        from prefect import flow  # noqa: F401 - for the server as well: see `PROCESSES`
        from prefect.settings import get_current_settings

        # no heartbeats: at its end a flow would wait up to a second for the thread that sends them
        get_current_settings().flows.heartbeat_frequency = None
        self._process.start()
        self._listener.close()

    def wait(self) -> None:
        """Return when it answers.

        Raises:
            ProviderError: it ended, or took longer than `STARTUP_SECONDS`.
        """
        until = time.monotonic() + STARTUP_SECONDS
        while time.monotonic() < until and self._process.is_alive():
            try:
                connection = HTTPConnection(HOST, self._port, timeout=STARTUP_SECONDS)
                connection.request("GET", "/api/health")
                if connection.getresponse().status == OK:
                    return
            except (OSError, HTTPException):
                time.sleep(0.05)
        raise ProviderError("The temporary Prefect server does not answer.", REMEDY)

    def stop(self) -> None:
        """End it; kill it if it does not end."""
        if self.pid is None:  # it was never started
            return
        self._process.terminate()
        self._process.join(10)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def server_for_flow(*providers: str) -> TemporaryServer | None:
    """Return a server on the user's database for the flow of a command; None where one is configured.

    Args:
        providers: Names of the command's providers. If one is that of a saved block, Prefect's own
            temporary server is left to start: the block is loaded before the flow runs.
    """
    if has_prefect_server() or any(names_saved_block(name) for name in providers):
        return None
    return TemporaryServer()


def start_and_wait(server: TemporaryServer | None) -> None:
    """Start the server of a command, if it needs one, and return when it answers."""
    if server is not None:
        server.start()
        server.wait()


def end_with_parent() -> None:
    """End with the command, also on a signal."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)


def serve(listener: socket.socket, is_new: bool) -> None:
    """Serve until told to stop; create the tables of a new database first."""
    # Ctrl-C is handled by the command, which ends this process
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()
    asyncio.run(_serve(listener, is_new))


async def _serve(listener: socket.socket, is_new: bool) -> None:
    import uvicorn
    from prefect.server.api.server import create_app

    if is_new:
        await _create_tables()
    # critical: the command itself says that the server did not start
    settings = uvicorn.Config(
        create_app(ephemeral=True, final=True), log_level="critical", lifespan="on"
    )
    await uvicorn.Server(settings).serve(sockets=[listener])


async def _create_tables() -> None:
    from prefect.server.database import provide_database_interface
    from sqlalchemy.schema import CreateIndex, CreateTable

    database = provide_database_interface()
    engine = await database.engine()
    async with engine.begin() as connection:
        for table in database.Base.metadata.sorted_tables:
            await connection.execute(CreateTable(table, if_not_exists=True))
            for index in table.indexes:  # two may have one name: no `create_all`
                await connection.execute(CreateIndex(index, if_not_exists=True))
