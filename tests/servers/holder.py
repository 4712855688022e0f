"""A lock on a database, held by another connection."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import text

from freshqa.store.database import Store


@contextmanager
def held(url: str) -> Iterator[None]:
    """Another connection has begun to write and does not commit, until the block ends.

    On SQLite it holds the file, on PostgreSQL the runs, to which everything recorded refers.
    """
    other = Store.open(url)
    with other.engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("ROLLBACK")
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.execute(text("LOCK TABLE fq_run IN EXCLUSIVE MODE"))
        yield
        connection.exec_driver_sql("ROLLBACK")
    other.close()
