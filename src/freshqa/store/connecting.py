"""From a URL to an engine that behaves the same on SQLite and PostgreSQL.

A SQLite store is one file while no process writes it, and readable where writing is not allowed. In
WAL mode the last changes are in a second file, FILE-wal, until they are written to the file itself
(sqlite.org/wal.html). A copy of the file alone lacks them, and a reader has to create a third file.
"""

from __future__ import annotations

import atexit
import logging
import os
import sqlite3
import threading
import time
import weakref
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.pool import NullPool

from freshqa.errors import StoreError, UsageError

DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
EXAMPLES = "Write sqlite:////srv/freshqa.db or postgresql+psycopg://user:password@host/database."
BUSY_SECONDS = 30.0
"""Seconds that a write waits for a lock on the database or the rows before it fails."""
LOCKED = (
    "Another process has locked the store; wait until it ends (or end it), then run the command "
    "again: completed work is not repeated."
)
WRITES = "freshqa_writes"
"""Execution option: this connection's next transaction writes."""

_turns: defaultdict[tuple[int, str], threading.RLock] = defaultdict(threading.RLock)
_turns_lock = threading.Lock()


def parse_url(text: str) -> URL:
    """Return a URL with the driver this package uses, whichever one the text names.

    Raises:
        UsageError: not a URL, a database that is not supported, or SQLite in memory.
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):  # neither text of theirs is shown: it may hold a password
        raise UsageError("The store address is not a valid SQLAlchemy URL.", EXAMPLES) from None
    name = url.get_backend_name()
    if name not in DRIVERS:
        raise UsageError(f"Unsupported database: {name!r}.", EXAMPLES)
    if name == "sqlite" and url.database in (None, "", ":memory:"):
        raise UsageError("An in-memory store is lost when its connection closes.", EXAMPLES)
    return url.set(drivername=DRIVERS[name])


def connect_engine(url: URL) -> Engine:
    """Return an engine on which reads see whole versions and writes queue instead of failing.

    Raises:
        StoreError: the database driver is not installed.
    """
    try:
        if url.get_backend_name() == "sqlite":
            file = sqlite_file(url)
            if file is not None and is_read_only(file):
                # each read opens the file anew: another machine may write it in between
                opener = partial(open_to_read, file, timeout=BUSY_SECONDS)
                engine = create_engine(url, creator=opener, poolclass=NullPool)
                event.listen(engine, "connect", _use_explicit_transactions)
            else:
                engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS})
                event.listen(engine, "connect", _prepare_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
            return engine
        logging.getLogger("psycopg").addFilter(_not_the_end_of_a_pipeline)
        engine = create_engine(url, pool_pre_ping=True)
        event.listen(engine, "begin", _begin_postgresql)
        return engine
    except (ModuleNotFoundError, NoSuchModuleError):
        install = "Run: pip install 'prefect-freshqa[postgres]'"
        raise StoreError(f"The driver of {url.drivername} is not installed.", install) from None


def sqlite_file(url: URL) -> Path | None:
    """Return the file of a SQLite URL; None for PostgreSQL and for `file:` URIs."""
    if url.get_backend_name() != "sqlite" or not url.database or url.database.startswith("file:"):
        return None
    return Path(url.database)


@contextmanager
def writers_turn(url: URL) -> Iterator[None]:
    """Let the writers of one process queue; held while a transaction writes to SQLite.

    SQLite lets one write at a time and makes the others sleep up to 0.1 s between attempts: sixteen
    threads take four times as long as in a queue, and each holds a connection while it sleeps.

    Raises:
        StoreError: another process locked the database for too long.
    """
    if url.get_backend_name() != "sqlite":
        yield
        return
    with _turns_lock:
        turn = _turns[os.getpid(), str(url.database)]  # a fork may inherit one that is held
    if not turn.acquire(timeout=BUSY_SECONDS):
        raise StoreError(f"The store {url.database} failed: database is locked.", LOCKED)
    try:
        yield
    finally:
        turn.release()


def _not_the_end_of_a_pipeline(record: logging.LogRecord) -> bool:
    """Drop psycopg's warning about a pipeline that ended; it raises the failure itself."""
    return "error ignored terminating" not in str(record.msg)


def _use_explicit_transactions(connection: sqlite3.Connection, record: Any) -> None:
    # Python must not begin transactions by itself: it would do so late and deferred
    connection.isolation_level = None


def _prepare_sqlite(connection: sqlite3.Connection, record: Any) -> None:
    _use_explicit_transactions(connection, record)
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {round(BUSY_SECONDS * 1000)}")
    _switch_to_wal(cursor)
    cursor.execute("PRAGMA synchronous = FULL")  # a published version survives a power cut
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _switch_to_wal(cursor: sqlite3.Cursor) -> None:
    """Use WAL, in which readers and a publisher do not block one another.

    While several connections switch a new file, SQLite reports "locked" without waiting: its busy
    timeout does not cover the upgrade of a shared lock (sqlite.org/c3ref/busy_handler.html).
    """
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as failure:
            if "locked" not in str(failure) or time.monotonic() > until:
                raise
            time.sleep(0.01)


def _begin_sqlite(connection: Connection) -> None:
    # a deferred transaction that writes after reading fails at once when another one commits
    writes = connection.get_execution_options().get(WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _begin_postgresql(connection: Connection) -> None:
    if connection.get_execution_options().get(WRITES):
        # otherwise a session that forgot to commit would block every other one
        milliseconds = round(BUSY_SECONDS * 1000)
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = {milliseconds}")
    else:
        # with the default of 4, a snapshot of 600 rows scans every revision ever made
        connection.exec_driver_sql("SET LOCAL random_page_cost = 1.1")


FOLD_SECONDS = 2.0
"""How long closing waits for readers and writers of other processes."""

_open: weakref.WeakKeyDictionary[Engine, Path | None] = weakref.WeakKeyDictionary()
_process = 0


def close_at_exit(engine: Engine, file: Path | None) -> None:
    """Close an engine when this process ends, even after an error; a fork inherits nothing."""
    global _process
    if _process != os.getpid():
        _open.clear()
        _process = os.getpid()
    _open[engine] = file


def close_engine(engine: Engine, file: Path | None) -> None:
    """Close the connections; a SQLite file then contains everything that was committed.

    SQLite does this when the last connection closes. While other processes have the file open it is
    done here, unless one of them still reads an older state.
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
