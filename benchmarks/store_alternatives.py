"""What people use instead of the store to keep versions of a table. Each does the same work."""

from __future__ import annotations

import csv
import importlib.util
import io
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.store_contenders import (
    COLUMNS,
    Contender,
    Ours,
    OursOnPostgreSQL,
    Rows,
    as_frame,
    as_text,
)


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
    """Return the contenders whose software is installed."""
    contenders: list[type[Contender]] = [Ours]
    if postgres and importlib.util.find_spec("psycopg"):
        contenders.append(OursOnPostgreSQL)
    contenders.append(FullCopy)
    if shutil.which("git"):
        contenders.append(Git)
    if importlib.util.find_spec("deltalake"):
        contenders.append(DeltaLake)
    if importlib.util.find_spec("dvc") and shutil.which("git"):
        contenders.append(Dvc)
    return contenders
