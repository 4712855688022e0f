"""Ways to keep versions of a table: ours, and what people use instead. Each does the same work."""

from __future__ import annotations

import csv
import importlib.util
import io
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, ClassVar

from freshqa.dataset.diff import diff_snapshots
from freshqa.dataset.question import FIELD_COLUMNS, Question

Rows = Sequence[Question]
COLUMNS = ("key", *FIELD_COLUMNS)
START = date(2020, 1, 6)
CLOCK = datetime(2020, 1, 6, tzinfo=timezone.utc)


def as_text(rows: Rows) -> list[list[str]]:
    """Key and official fields of each row."""
    return [[row.key, *row.fields.values()] for row in rows]


def as_questions(table: Sequence[Sequence[Any]]) -> list[Question]:
    """Return the rows that `as_text` wrote."""
    return [Question(dict(zip(FIELD_COLUMNS, row[1:], strict=True)), row[0]) for row in table]


def as_frame(table: Sequence[Sequence[Any]]) -> Any:
    """Return the rows as a DataFrame."""
    import pandas

    return pandas.DataFrame([list(row) for row in table], columns=list(COLUMNS), dtype=str)


class Contender:
    """Publish, read, compare and check versions, numbered from 1."""

    name: ClassVar[str]

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.folder.mkdir(parents=True)

    def publish(self, rows: Rows, number: int) -> None:
        raise NotImplementedError

    def load(self, number: int) -> Any:
        """Return a version as a DataFrame."""
        raise NotImplementedError

    def diff(self, old: int, new: int) -> int:
        """How many rows differ. Who cannot compare rows reads both versions and compares them."""
        before, after = (as_questions(self.load(n).values.tolist()) for n in (old, new))
        found = diff_snapshots(before, after)
        return len(found.changed) + len(found.added) + len(found.removed)

    def history(self, key: str, versions: int) -> int:
        """Return how many texts a row has had. Who keeps none reads every version."""
        seen = set()
        for number in range(1, versions + 1):
            frame = self.load(number)
            seen.add(tuple(frame[frame["key"] == key].values.tolist()[0]))
        return len(seen)

    def verify(self) -> bool | None:
        """Check everything against its hashes; None for who keeps none of the rows."""
        return None

    def size(self) -> int:
        """Return the bytes on disk."""
        files = (p for p in self.folder.rglob("*") if p.is_file() and not p.is_symlink())
        return sum(path.stat().st_size for path in files)


class Ours(Contender):
    """The store of this package."""

    name = "freshqa, SQLite"

    def __init__(self, folder: Path) -> None:
        from freshqa.store.database import Store

        super().__init__(folder)
        self.store = Store.open(self.url(), create=True)

    def url(self) -> str:
        return f"sqlite:///{self.folder / 'freshqa.db'}"

    def publish(self, rows: Rows, number: int) -> None:
        from freshqa.store.publishing import publish

        day = START + timedelta(weeks=number)
        publish(self.store, rows, as_of=day, now=CLOCK, parent=number - 1 or None, kind="import")

    def load(self, number: int) -> Any:
        import freshqa

        return freshqa.load(number, store=self.store)

    def diff(self, old: int, new: int) -> int:
        from freshqa.store.changes import diff

        found = diff(self.store, old, new)
        return len(found.changed) + len(found.added) + len(found.removed)

    def history(self, key: str, versions: int) -> int:
        from freshqa.store.history import history

        return len({step.revision_hash for step in history(self.store, key)})

    def verify(self) -> bool:
        from freshqa.store.verifying import verify

        return all(found.status == "ok" for found in verify(self.store))

    def size(self) -> int:
        with self.store.write() as connection:
            connection.exec_driver_sql("SELECT 1")
        self.store.close()  # the last connection folds the log into the file
        return super().size()


class OursOnPostgreSQL(Ours):
    """The same on PostgreSQL, in a schema of its own."""

    name = "freshqa, PostgreSQL"
    address = os.environ.get(
        "FRESHQA_TEST_POSTGRES_URL", "postgresql+psycopg://root@127.0.0.1:5432/test"
    )
    schema = f"benchmark_{os.getpid()}"

    def url(self) -> str:
        from sqlalchemy import create_engine, make_url

        engine = create_engine(self.address, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.exec_driver_sql(f"DROP SCHEMA IF EXISTS {self.schema} CASCADE")
            connection.exec_driver_sql(f"CREATE SCHEMA {self.schema}")
        engine.dispose()
        url = make_url(self.address).update_query_dict({"options": f"-csearch_path={self.schema}"})
        return url.render_as_string(hide_password=False)

    def size(self) -> int:
        query = (
            "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c"
            " WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
        )
        with self.store.read() as connection:
            return int(connection.exec_driver_sql(query).scalar_one())

    def drop(self) -> None:
        with self.store.write() as connection:
            connection.exec_driver_sql(f"DROP SCHEMA {self.schema} CASCADE")


class FullCopy(Contender):
    """All rows of every version in one SQLite table."""

    name = "full copies, SQLite"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.database = sqlite3.connect(folder / "copies.db")
        self.database.execute("PRAGMA journal_mode = WAL")
        self.database.execute("PRAGMA synchronous = FULL")
        fields = ", ".join(f"{column} TEXT" for column in COLUMNS)
        self.database.execute(
            f"CREATE TABLE copy (version INTEGER, position INTEGER, {fields},"
            " PRIMARY KEY (version, position))"
        )

    def publish(self, rows: Rows, number: int) -> None:
        marks = ", ".join("?" * (len(COLUMNS) + 2))
        values = ([number, position, *row] for position, row in enumerate(as_text(rows)))
        with self.database:
            self.database.executemany(f"INSERT INTO copy VALUES ({marks})", values)

    def load(self, number: int) -> Any:
        query = f"SELECT {', '.join(COLUMNS)} FROM copy WHERE version = ? ORDER BY position"
        return as_frame(self.database.execute(query, [number]).fetchall())


class Git(Contender):
    """One CSV file in a git repository, a commit per version."""

    name = "git + CSV"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.git("init", "-q")
        self.git("config", "user.email", "nobody@example.org")
        self.git("config", "user.name", "nobody")

    def git(self, *arguments: str) -> bytes:
        command = ["git", "-C", str(self.folder), *arguments]
        return subprocess.run(command, check=True, capture_output=True).stdout

    def write(self, rows: Rows) -> None:
        with (self.folder / "freshqa.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([list(COLUMNS), *as_text(rows)])

    def publish(self, rows: Rows, number: int) -> None:
        self.write(rows)
        self.git("add", "freshqa.csv")
        self.git("commit", "-q", "-m", f"v{number}")
        self.git("tag", f"v{number}")

    def load(self, number: int) -> Any:
        import pandas

        body = self.git("show", f"v{number}:freshqa.csv")
        return pandas.read_csv(io.BytesIO(body), dtype=str, keep_default_na=False)

    def verify(self) -> bool:
        self.git("fsck", "--full", "--no-dangling")
        return True


class Dvc(Git):
    """The same with DVC: the file in its cache, a pointer in git."""

    name = "DVC"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.dvc("init", "-q")
        self.dvc("config", "core.analytics", "false")

    def dvc(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "dvc", *arguments]
        subprocess.run(command, check=True, capture_output=True, cwd=self.folder)

    def publish(self, rows: Rows, number: int) -> None:
        self.write(rows)
        self.dvc("add", "-q", "freshqa.csv")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", f"v{number}")
        self.git("tag", f"v{number}")

    def load(self, number: int) -> Any:
        import dvc.api
        import pandas

        body = dvc.api.read("freshqa.csv", repo=str(self.folder), rev=f"v{number}", mode="rb")
        return pandas.read_csv(io.BytesIO(body), dtype=str, keep_default_na=False)


class DeltaLake(Contender):
    """A Delta table, overwritten by each version."""

    name = "Delta Lake"

    def publish(self, rows: Rows, number: int) -> None:
        import pyarrow
        from deltalake import write_deltalake

        table = pyarrow.table(dict(zip(COLUMNS, zip(*as_text(rows), strict=True), strict=True)))
        write_deltalake(str(self.folder), table, mode="overwrite")

    def load(self, number: int) -> Any:
        from deltalake import DeltaTable

        table = DeltaTable(str(self.folder), version=number - 1)
        return table.to_pandas()


def available(postgres: bool) -> list[type[Contender]]:
    """Everybody whose software is here."""
    found: list[type[Contender]] = [Ours]
    if postgres and importlib.util.find_spec("psycopg"):
        found.append(OursOnPostgreSQL)
    found.append(FullCopy)
    if shutil.which("git"):
        found.append(Git)
    if importlib.util.find_spec("deltalake"):
        found.append(DeltaLake)
    if importlib.util.find_spec("dvc") and shutil.which("git"):
        found.append(Dvc)
    return found
