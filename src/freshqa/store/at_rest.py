"""SQLite files when nobody writes them: whole in one file, and readable where writing is not allowed.

In WAL mode the last changes are in a second file, FILE-wal, until they are written to the file itself
(sqlite.org/wal.html). A copy of the file alone lacks them, and a reader has to create a third file.
"""

from __future__ import annotations

import atexit
import os
import sqlite3
import weakref
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy import Engine

from freshqa.errors import StoreError

READ_ONLY = "Copy it to a writable folder, or allow this account to write the file and its folder."
FOLD_SECONDS = 2.0
"""How long closing waits for readers and writers of other processes."""

_open: weakref.WeakKeyDictionary[Engine, Path | None] = weakref.WeakKeyDictionary()
_process = 0


def close_at_exit(engine: Engine, file: Path | None) -> None:
    """Close an engine when this process ends, also after an error; a fork inherits nothing."""
    global _process
    if _process != os.getpid():
        _open.clear()
        _process = os.getpid()
    _open[engine] = file


def close_engine(engine: Engine, file: Path | None) -> None:
    """Close the connections; a SQLite file then contains everything that was committed.

    SQLite does that itself when the last connection is closed. While other processes have the file
    open it is done here, as far as none of them still reads an older state.

    Args:
        engine: Its open connections are closed.
        file: The SQLite file; None for other databases.
    """
    engine.dispose()
    if file is None or not _changes(file.resolve()):
        return
    # a failure loses nothing: the changes stay in FILE-wal, where the next connection finds them
    with suppress(sqlite3.Error):
        address = f"{file.resolve().as_uri()}?mode=rw"  # rw: a file that is gone is not created
        with closing(sqlite3.connect(address, uri=True, timeout=FOLD_SECONDS)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def is_read_only(file: Path) -> bool:
    """Return whether the file, or the folder that SQLite needs for its other files, is read-only."""
    file = file.resolve()  # SQLite puts its files beside the target of a link
    if not file.exists():
        return False
    return not (os.access(file, os.W_OK) and os.access(file.parent, os.W_OK | os.X_OK))


def open_to_read(file: Path, *, timeout: float) -> sqlite3.Connection:
    """Return a connection that reads a file and changes nothing.

    Raises:
        StoreError: changes are in FILE-wal, which is readable only where a file can be created.
    """
    file = file.resolve()
    index = _beside(file, "-shm").exists()
    if _changes(file) and not index and not os.access(file.parent, os.W_OK):
        raise StoreError(
            f"The store {file} is read-only and its last changes are still in {file.name}-wal.",
            "Copy both files to a writable folder and read the copy, or run a command on the store "
            "where it is writable: that writes the changes to the file.",
        )
    # immutable reads without locks: right only while no process has the file open for writing
    in_use = index or _changes(file) or _beside(file, "-journal").exists()
    unused = is_read_only(file) and not in_use
    address = f"{file.as_uri()}?mode=ro{'&immutable=1' if unused else ''}"
    return sqlite3.connect(address, uri=True, timeout=timeout, check_same_thread=False)


def _changes(file: Path) -> bool:
    """Return whether FILE-wal contains changes."""
    log = _beside(file, "-wal")
    return log.exists() and log.stat().st_size > 0


def _beside(file: Path, ending: str) -> Path:
    return file.with_name(file.name + ending)


@atexit.register
def _close_all() -> None:
    if _process == os.getpid():
        for engine, file in list(_open.items()):
            close_engine(engine, file)
