"""A tmpfs of a few megabytes that can really be full; only root may mount it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql
from sqlalchemy import make_url

MEGABYTE = 2**20


@dataclass(frozen=True)
class SmallDisk:
    """A mounted file system.

    Args:
        folder: Where it is mounted.
    """

    folder: Path

    @property
    def ballast(self) -> Path:
        """What takes up the room."""
        return self.folder / "ballast"

    def leave(self, free: int) -> None:
        """Fill it up but for so many bytes."""
        room = shutil.disk_usage(self.folder).free - free
        with self.ballast.open("ab") as file:
            os.posix_fallocate(file.fileno(), file.tell(), room)

    def make_room(self) -> None:
        """Take the ballast away."""
        self.ballast.unlink()


@contextmanager
def small_disk(megabytes: int, *, owner: str = "root") -> Iterator[SmallDisk]:
    """Mount a file system, for a user of this machine, until the block ends.

    Raises:
        PermissionError: mounting is not allowed here.
    """
    with tempfile.TemporaryDirectory(prefix="freshqa-small-disk-") as parent:
        Path(parent).chmod(0o711)  # another user, such as PostgreSQL's, passes through
        folder = Path(parent, "disk")
        folder.mkdir()
        options = f"size={megabytes}m,mode=0700,uid={owner},gid={owner}"
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
        mounted = subprocess.run(command, capture_output=True, text=True, check=False)
        if mounted.returncode:
            refused = os.geteuid() != 0 or "permission denied" in mounted.stderr
            raise (PermissionError if refused else OSError)(mounted.stderr.strip())
        try:
            yield SmallDisk(folder)
        finally:
            # lazily: what a killed process still holds open goes when it does
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextmanager
def postgres_on(disk: SmallDisk, server: str) -> Iterator[str]:
    """An empty database of a PostgreSQL server, on that disk, until the block ends; its URL.

    Args:
        disk: Owned by the user `postgres`, on the machine of the server.
        server: SQLAlchemy URL of a database of the server, with the rights of a superuser.
    """
    address = make_url(server)
    name = f"freshqa_{uuid.uuid4().hex[:12]}"
    place = disk.folder / "tablespace"
    place.mkdir()
    shutil.chown(place, "postgres", "postgres")
    plain = address.set(drivername="postgresql").render_as_string(hide_password=False)
    with (
        psycopg.connect(plain, autocommit=True) as connection,
        ExitStack() as afterwards,
    ):

        def run(statement: str, *literals: str) -> None:
            quoted = [sql.Literal(literal) for literal in literals]
            connection.execute(sql.SQL(statement).format(*quoted, name=sql.Identifier(name)))

        run("CREATE TABLESPACE {name} LOCATION {}", str(place))
        afterwards.callback(run, "DROP TABLESPACE {name}")
        run("CREATE DATABASE {name} TABLESPACE {name} STRATEGY file_copy")
        afterwards.callback(run, "DROP DATABASE {name} WITH (FORCE)")
        yield address.set(database=name).render_as_string(hide_password=False)


@contextmanager
def read_only(path: Path) -> Iterator[None]:
    """Mount a folder or file on itself, read-only, until the block ends; root is refused as well."""
    subprocess.run(["mount", "--bind", str(path), str(path)], check=True)
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", str(path)], check=True)
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(path)], check=True)
