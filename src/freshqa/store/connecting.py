"""From a URL to an engine that behaves the same on SQLite and PostgreSQL."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.pool import NullPool

from freshqa.errors import StoreError, UsageError
from freshqa.store.at_rest import is_read_only, open_to_read

DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
EXAMPLES = "Write sqlite:////srv/freshqa.db or postgresql+psycopg://user:password@host/database."
BUSY_SECONDS = 30.0
"""How long a write waits for whoever holds the database, or the rows, before it fails."""
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
                event.listen(engine, "begin", _begin_sqlite)
                return engine
            engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS})
            event.listen(engine, "connect", _prepare_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
            return engine
        logging.getLogger("psycopg").addFilter(_not_the_end_of_a_pipeline)
        engine = create_engine(url, pool_pre_ping=True)
        event.listen(engine, "begin", _begin_postgresql)
        return engine
    except (ModuleNotFoundError, NoSuchModuleError):
        raise StoreError(
            f"The driver of {url.drivername} is not installed.",
            "Run: pip install 'prefect-freshqa[postgres]'",
        ) from None


def sqlite_file(url: URL) -> Path | None:
    """Return the file behind a SQLite URL; None for PostgreSQL and for `file:` URIs."""
    if url.get_backend_name() != "sqlite" or not url.database or url.database.startswith("file:"):
        return None
    return Path(url.database)


@contextmanager
def writers_turn(url: URL) -> Iterator[None]:
    """Held while a transaction writes: the writers of one process queue, each for its turn.

    SQLite lets one write at a time and makes the others sleep and try again, up to 0.1 s each time:
    sixteen threads that write at once take four times as long as in a queue, and hold a connection
    while they sleep. PostgreSQL needs none of this.

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
    """False for what psycopg warns of beside a failure that it raises: its pipeline has ended."""
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
    """Readers and a publisher do not block one another then.

    While several connections switch a new file, SQLite says "locked" without waiting: its busy
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
        # without it, a session that forgot to commit would hold every other for ever
        milliseconds = round(BUSY_SECONDS * 1000)
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = {milliseconds}")
    else:
        # with the default of 4, a snapshot of 600 rows scans every revision ever made
        connection.exec_driver_sql("SET LOCAL random_page_cost = 1.1")


ANY = "Check that the database runs, its address and rights, then try again."
FULL = (
    "Free disk space on the database volume, then run the command again: nothing was partly written, "
    "and completed work is not repeated."
)
LOCKED = (
    "Another process has locked the store; wait until it ends (or end it), then run the command "
    "again: completed work is not repeated."
)
READ_ONLY = "Give this account the right to write there, or choose another store."
WORDS = (
    ("is full", FULL),
    ("is locked", LOCKED),
    ("readonly database", READ_ONLY),
)
"""Part of SQLite's message → remedy. Its codes are available from Python 3.11 on."""
STATES = {
    "53100": FULL,  # disk_full
    "55P03": LOCKED,  # lock_not_available
    "25006": READ_ONLY,  # read_only_sql_transaction
    "42501": READ_ONLY,  # insufficient_privilege
}
"""SQLSTATE of PostgreSQL (its manual, appendix A) → remedy."""


def remedy_for(failure: BaseException | None) -> str:
    """Return one line about what to do.

    Args:
        failure: The driver's exception, of `sqlite3` or `psycopg`.
    """
    if isinstance(failure, sqlite3.Error):
        said = str(failure)
        return next((remedy for words, remedy in WORDS if words in said), ANY)
    return STATES.get(getattr(failure, "sqlstate", None) or "", ANY)
