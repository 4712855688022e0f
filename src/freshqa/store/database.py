"""The store: one dataset in one database, opened by URL."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from freshqa.errors import StoreError
from freshqa.store import schema
from freshqa.store.connecting import (
    WRITES,
    close_at_exit,
    close_engine,
    connect_engine,
    is_read_only,
    parse_url,
    sqlite_file,
    writers_turn,
)
from freshqa.store.direct import DirectConnection, transaction
from freshqa.store.remedies import remedy_of
from freshqa.store.upgrading import current_revision, upgrade

INIT = "Run: prefect-freshqa init"
IF_COPIED = " (or, if it is a copy of a store that was in use, copy that with `backup`)"


class Store:
    """A dataset with its versions and ledger.

    Thread-safe; survives pickling and forking by connecting anew. Functions of `freshqa.store`
    take it as their first argument.

    Attributes:
        dataset: Name of the dataset in the database.
        url: Address without the password: safe to print.
        run_numbers: Key → number of the runs that were read; neither changes.
    """

    def __init__(self, url: str, *, dataset: str = "freshqa") -> None:
        """Use `Store.open`, which also looks whether anything is there."""
        self._address = parse_url(url)
        self.dataset = dataset
        self._lock = threading.Lock()
        self._engine: Engine | None = None
        self._process = 0
        self._dataset_id: int | None = None
        self.run_numbers: dict[str, int] = {}

    @classmethod
    def open(cls, url: str, *, dataset: str = "freshqa", create: bool = False) -> Store:
        """Open the store behind a URL.

        Args:
            url: SQLAlchemy URL of SQLite or PostgreSQL.
            dataset: Name of the dataset in that database.
            create: Create or migrate the schema, and the dataset in it, when needed.

        Raises:
            StoreError: the database does not answer, or its schema is missing, old or too new.
            UsageError: not a URL of a supported database.
        """
        store = cls(url, dataset=dataset)
        if create:
            store.upgrade()
        store._check()
        return store

    @cached_property
    def url(self) -> str:
        """Address with the password hidden."""
        return self._address.render_as_string(hide_password=True)

    @property
    def read_only(self) -> bool:
        """Whether it is a SQLite file in a read-only folder, or read-only itself."""
        file = self._file
        if file is None or (os.access(file, os.W_OK) and os.access(file.parent, os.W_OK | os.X_OK)):
            return False
        return is_read_only(file)

    @cached_property
    def _file(self) -> Path | None:
        """The file of a SQLite store, links followed: asked for before each write."""
        file = sqlite_file(self._address)
        return file and file.resolve()

    @property
    def engine(self) -> Engine:
        """The engine of this process; connections must not cross a fork."""
        with self._lock:
            if self._engine is None or self._process != os.getpid():
                self._engine = connect_engine(self._address)
                self._process = os.getpid()
                close_at_exit(self._engine, sqlite_file(self._address))
            return self._engine

    @property
    def dataset_id(self) -> int:
        """Row of the dataset."""
        if self._dataset_id is None:
            self._check()
        assert self._dataset_id is not None
        return self._dataset_id

    def upgrade(self) -> None:
        """Create or migrate the schema and the dataset; safe when several processes do it at once.

        Raises:
            StoreError: the database does not answer or was made by a newer release.
        """
        file = sqlite_file(self._address)
        if file is not None:
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StoreError(
                    f"Cannot create the directory {file.parent}: {error.strerror}.",
                    "Choose another path.",
                ) from None
        self.require_writable()
        with self._failures():
            upgrade(self.engine, dataset=self.dataset)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection in a transaction that only reads."""
        with self._failures(), self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A connection in a transaction that writes: all of it is kept, or nothing."""
        self.require_writable()
        with (
            self._failures(),
            writers_turn(self._address),
            self.engine.connect() as connection,
        ):
            connection = connection.execution_options(**{WRITES: True})
            with connection.begin():
                yield connection

    @contextmanager
    def read_directly(self) -> Iterator[DirectConnection]:
        """A connection for one `Statement`, which reads."""
        with self._failures(), transaction(self.engine, writes=False) as connection:
            yield connection

    @contextmanager
    def write_directly(self) -> Iterator[DirectConnection]:
        """`write` for instances of `Statement`."""
        self.require_writable()
        with (
            self._failures(),
            writers_turn(self._address),
            transaction(self.engine, writes=True) as connection,
        ):
            yield connection

    def require_writable(self) -> None:
        """Call it before work that would be lost or paid for in vain.

        Raises:
            StoreError: the SQLite file, or its folder, is read-only.
        """
        if self.read_only:
            raise StoreError(
                f"The store {self.url} is read-only.",
                "Copy it to a writable folder, or allow this account to write the file and its "
                "folder.",
            )

    def close(self) -> None:
        """Close the connections; the store may be used again afterwards."""
        with self._lock:
            if self._engine is not None and self._process == os.getpid():
                close_engine(self._engine, sqlite_file(self._address))
            self._engine = None
            self.run_numbers.clear()

    def _check(self) -> None:
        file = sqlite_file(self._address)
        if file is not None and not file.exists():
            raise StoreError(f"Store not found: {file}.", INIT)
        with self.read() as connection:
            revision = current_revision(connection)
            if revision is None:
                raise StoreError(f"{self.url} does not contain a store yet.", f"{INIT}{IF_COPIED}")
            if revision != schema.SCHEMA_REVISION:
                raise StoreError(
                    f"The store's schema is {revision!r}, this release needs "
                    f"{schema.SCHEMA_REVISION!r}.",
                    f"{INIT} (or update prefect-freshqa, if the store is newer)",
                )
            table = schema.dataset
            slugs = dict(connection.execute(select(table.c.slug, table.c.id)).all())
        if self.dataset not in slugs:
            raise StoreError(
                f"The store has no dataset {self.dataset!r}; it has: {', '.join(slugs) or 'none'}.",
                f"{INIT} --dataset {self.dataset}",
            )
        self._dataset_id = slugs[self.dataset]

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Say what a failed database call means, without the SQL and without the password."""
        try:
            yield
        except IntegrityError:
            raise
        except DBAPIError as error:
            reason = " ".join(str(error.orig).split()) or type(error.orig).__name__
            if self._address.password:
                reason = reason.replace(str(self._address.password), "***")
            raise StoreError(
                f"The store {self.url} failed: {reason.rstrip('.')}.", remedy_of(error.orig)
            ) from None
        except SQLAlchemyError as error:
            if type(error).__name__ == "TimeoutError":
                raise StoreError(
                    f"The store {self.url} has no free connection.", "Lower the concurrency."
                ) from None
            raise

    def __getstate__(self) -> dict[str, Any]:
        return {
            "url": self._address.render_as_string(hide_password=False),
            "dataset": self.dataset,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        Store.__init__(self, state["url"], dataset=state["dataset"])

    def __repr__(self) -> str:
        return f"Store({self.url!r}, dataset={self.dataset!r})"
