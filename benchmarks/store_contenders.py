"""What every way to keep versions of a table does, and how this package's store does it."""

from __future__ import annotations

import os
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
        difference = diff_snapshots(before, after)
        return len(difference.changed) + len(difference.added) + len(difference.removed)

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

        difference = diff(self.store, old, new)
        return len(difference.changed) + len(difference.added) + len(difference.removed)

    def history(self, key: str, versions: int) -> int:
        from freshqa.store.history import history

        return len({step.revision_hash for step in history(self.store, key)})

    def verify(self) -> bool:
        from freshqa.store.verifying import verify

        return all(verified.status == "ok" for verified in verify(self.store))

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
