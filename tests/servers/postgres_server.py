"""A separate PostgreSQL cluster that a test may kill."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

import psycopg
from psycopg import sql
from servers.process_tree import kill_tree


class PostgresServer:
    """`initdb` in a folder and `postgres` on a free port; trusts everyone on 127.0.0.1.

    Args:
        folder: An empty folder; it is given to the user `postgres` when we are root.

    Raises:
        FileNotFoundError: PostgreSQL is not installed.
    """

    def __init__(self, folder: Path) -> None:
        folders = sorted(Path("/usr/lib/postgresql").glob("*/bin")) or [
            Path(shutil.which("postgres") or "/nonexistent/postgres").parent
        ]
        self.programs = folders[-1]
        if not (self.programs / "initdb").exists():
            raise FileNotFoundError("PostgreSQL is not installed")
        # postgres refuses to run as root
        self.as_user = ("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups")
        if os.geteuid() != 0:
            self.as_user = ()
        else:
            shutil.chown(folder, "postgres", "postgres")
            for parent in folder.parents[:-1]:
                if not os.access(parent, os.X_OK) or parent.stat().st_mode & 0o001 == 0:
                    parent.chmod(parent.stat().st_mode | 0o011)
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None
        self._run("initdb", "--pgdata", str(folder / "data"), "--auth=trust", "--username=postgres")

    def create_database(self, name: str) -> str:
        """A new database; its SQLAlchemy URL."""
        address = f"host=127.0.0.1 port={self.port} user=postgres"
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return f"postgresql+psycopg://postgres@127.0.0.1:{self.port}/{name}"

    def start(self) -> None:
        """Start, recovering from a crash where there was one, and wait for the first connection."""
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [
                    *self.as_user,
                    str(self.programs / "postgres"),
                    *("-D", str(self.folder / "data"), "-p", str(self.port)),
                    *("-h", "127.0.0.1", "-k", str(self.folder)),
                ],
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        until = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(f"host=127.0.0.1 port={self.port} user=postgres").close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)

    def kill(self) -> None:
        """SIGKILL to the postmaster and every backend, as when the power fails."""
        assert self.process is not None
        kill_tree(self.process.pid)  # backends have sessions of their own
        self.process.wait()
        (self.folder / "data" / "postmaster.pid").unlink(missing_ok=True)

    def stop(self) -> None:
        """Stop for good."""
        if self.process is not None and self.process.poll() is None:
            self.kill()

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self.as_user, str(self.programs / program), *arguments]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
