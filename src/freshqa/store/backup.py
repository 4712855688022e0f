"""Whole databases: the datasets that one holds, copies of it, and databases restored from copies."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from freshqa.errors import Conflict, NotFound, StoreError, UsageError
from freshqa.json_record import JsonRecord
from freshqa.store import schema
from freshqa.store.connecting import EXAMPLES, open_to_read
from freshqa.store.database import Store

SQLITE_HEADER, DUMP_HEADER = b"SQLite format 3\0", b"PGDMP"
SUFFIXES = {"sqlite": ".db", "postgresql": ".dump"}


@dataclass(frozen=True)
class DatasetInfo(JsonRecord):
    """One dataset of a database.

    Args:
        name: As `--dataset` takes it.
        versions: How many versions it has; the newest has this number.
        as_of: The day that the newest version describes; None without a version.
        questions: In the newest version.
    """

    name: str
    versions: int
    as_of: date | None
    questions: int


def datasets(store: Store) -> tuple[DatasetInfo, ...]:
    """Return every dataset in the database of a store, by name."""
    table, version, other = schema.dataset, schema.version, schema.version.alias("other")
    newest = select(func.max(other.c.number)).where(other.c.dataset_id == table.c.id)
    last = (version.c.dataset_id == table.c.id) & (version.c.number == newest.scalar_subquery())
    query = (
        select(table.c.slug, version.c.number, version.c.as_of, version.c.row_count)
        .select_from(table.outerjoin(version, last))
        .order_by(table.c.slug)
    )
    with store.read() as connection:
        rows = connection.execute(query).all()
    return tuple(DatasetInfo(row[0], row[1] or 0, row[2], row[3] or 0) for row in rows)


def suffix_of(url: str) -> str:
    """Ending of the copy of a database: `.db` (SQLite) or `.dump` (PostgreSQL)."""
    return SUFFIXES[_kind(_parsed(url))]


def copy_database(url: str, file: Path) -> None:
    """Write a consistent copy of a database to a new file, while others use it.

    SQLite is copied by its online backup, PostgreSQL by `pg_dump`.

    Args:
        url: SQLAlchemy URL, of the store or of the Prefect server.
        file: Where to; must not exist. A copy that fails leaves nothing there.

    Raises:
        NotFound: no such SQLite file.
        Conflict: the file exists already.
        StoreError: the database does not answer, the disk is full, `pg_dump` is missing.
    """
    source = _parsed(url)
    if file.exists():
        raise Conflict(f"File already exists: {file}.", "Pass another name.")
    unfinished = file.with_name(f"{file.name}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if _kind(source) == "sqlite":
            _copy_sqlite(_existing(source), unfinished)
        else:
            _run(source, "pg_dump", "--format=custom", f"--file={unfinished}", _database(source))
        unfinished.replace(file)
    except (sqlite3.Error, OSError) as failure:
        raise StoreError(f"Backup failed: {failure}.", "Check the disk and the folder.") from None
    finally:
        unfinished.unlink(missing_ok=True)


def restore_database(file: Path, url: str, *, replace: bool = False) -> None:
    """Make a database of a copy.

    Args:
        file: What `copy_database` wrote.
        url: SQLAlchemy URL of the database to fill. On PostgreSQL it must exist.
        replace: Overwrite what is there.

    Raises:
        NotFound: no such file.
        UsageError: the copy is of the other kind of database, or not a copy.
        Conflict: something is there and `replace` is not set.
        StoreError: the database does not answer, or `pg_restore` fails.
    """
    target = _parsed(url)
    try:
        with file.open("rb") as copy:
            head = copy.read(16)
    except OSError as failure:
        raise NotFound(f"Cannot read {file}: {failure.strerror}.", "Check the path.") from None
    wanted = SQLITE_HEADER if _kind(target) == "sqlite" else DUMP_HEADER
    if not head.startswith(wanted):
        raise UsageError(
            f"{file} is not a copy of a {_kind(target)} database.",
            "Restore it to the kind of database that was copied.",
        )
    if _kind(target) == "sqlite":
        _restore_sqlite(file, Path(str(target.database)), replace=replace)
        return
    if _tables(target) and not replace:
        raise Conflict(f"The database {target.database} is not empty.", "Pass --replace.")
    clean = ("--clean", "--if-exists") if replace else ()
    options = ("--exit-on-error", "--no-owner", "--single-transaction", *clean)
    _run(target, "pg_restore", *options, f"--dbname={_database(target)}", str(file))


def _copy_sqlite(source: Path, target: Path) -> None:
    with (
        closing(open_to_read(source, timeout=30)) as original,
        closing(sqlite3.connect(target)) as copy,
    ):
        original.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file is the whole copy
        (verdict,) = copy.execute("PRAGMA quick_check").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(f"the copy is damaged: {verdict}")


def _restore_sqlite(file: Path, target: Path, *, replace: bool) -> None:
    if target.exists() and not replace:
        raise Conflict(f"File already exists: {target}.", "Pass --replace.")
    unfinished = target.with_name(f"{target.name}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, unfinished)
        for beside in ("-wal", "-shm"):  # of the database that is replaced: they would be replayed
            target.with_name(target.name + beside).unlink(missing_ok=True)
        unfinished.replace(target)
    except OSError as failure:
        raise StoreError(f"Restore failed: {failure}.", "Check the disk and the folder.") from None
    finally:
        unfinished.unlink(missing_ok=True)


def _tables(url: URL) -> int:
    query = (
        "SELECT count(*) FROM information_schema.tables "
        "WHERE table_schema NOT IN ('pg_catalog', 'information_schema')"
    )
    return int(_run(url, "psql", "-Atqc", query, _database(url)))


def _run(url: URL, program: str, *arguments: str) -> str:
    """Run a program of PostgreSQL; the password goes by the environment, where `ps` shows nothing."""
    secret = {"PGPASSWORD": str(url.password)} if url.password else {}
    try:
        done = subprocess.run(
            [program, "--no-password", *arguments],
            env={**os.environ, **secret},
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        raise StoreError(
            f"Program not found: {program}.", "Install the PostgreSQL client programs."
        ) from None
    if done.returncode:
        said = " ".join(done.stderr.split())[:300]
        if url.password:
            said = said.replace(str(url.password), "***")
        raise StoreError(
            f"{program} failed: {said}", "Check the address and the permissions of its user."
        )
    return done.stdout


def _database(url: URL) -> str:
    """Return the address without driver and password, as PostgreSQL's programs take it."""
    plain = url.set(drivername="postgresql", password=None)
    return plain.render_as_string(hide_password=False)


def _existing(url: URL) -> Path:
    file = Path(str(url.database))
    if not file.exists():
        raise NotFound(f"Database not found: {file}.", "Check the address.")
    return file


def _parsed(text: str) -> URL:
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise UsageError("The address is not a valid SQLAlchemy URL.", EXAMPLES) from None
    if _kind(url) not in SUFFIXES:
        raise UsageError(f"Unsupported database: {_kind(url)!r}.", EXAMPLES)
    return url


def _kind(url: URL) -> str:
    name = url.get_backend_name()
    return "postgresql" if name == "postgres" else name
