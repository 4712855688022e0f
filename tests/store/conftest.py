"""A store for each test, on SQLite and PostgreSQL: migrated once per session, then copied."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import URL, NullPool, create_engine, make_url, text
from sqlalchemy.exc import DBAPIError, ProgrammingError

from freshqa.store.database import Store
from freshqa.store.schema import SCHEMA_REVISION

DEFAULT_POSTGRES = "postgresql+psycopg://root@127.0.0.1:5432/test"
MOST_BYTES = 32 * 2**20
"""Size up to which a database is emptied: deleted rows keep their room."""
SIZE = "SELECT pg_database_size(current_database())"
TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename != 'fq_alembic_version'"
SCHEMA = """
    SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
        WHERE table_schema = 'public'
    UNION ALL SELECT tablename, indexname, indexdef, '' FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT tgrelid::text, tgname, tgenabled::text, '' FROM pg_trigger
    UNION ALL SELECT relname, relacl::text, '', '' FROM pg_class WHERE relname LIKE 'fq_%'
    ORDER BY 1, 2, 3
"""
RESTART = """
    SELECT setval(format('%I', sequencename)::regclass, 1, sequencename = 'fq_dataset_id_seq')
    FROM pg_sequences
"""
DISCONNECT = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid != pg_backend_pid()
"""


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite store without versions."""
    file = tmp_path_factory.mktemp("template") / "freshqa.db"
    Store.open(f"sqlite:///{file}", create=True).close()
    return file


class EmptyStore:
    """A PostgreSQL database with a store without versions, emptied after each test.

    To create and drop a database takes half a second of CPU, to delete some rows a hundredth.

    Args:
        base: A database of the same server, with the right to create others.

    Raises:
        DBAPIError: no server answers, or the role may not create databases.
    """

    def __init__(self, base: URL) -> None:
        self.server = create_engine(base, isolation_level="AUTOCOMMIT")
        self.create()

    def create(self) -> None:
        """Create the database and the store in it."""
        self.name = f"freshqa_{uuid.uuid4().hex[:12]}"
        with self.server.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {self.name}"))
        self.engine = create_engine(self.url, isolation_level="AUTOCOMMIT", poolclass=NullPool)
        Store.open(self.url, create=True).close()
        with self.engine.connect() as connection:
            self.schema = connection.execute(text(SCHEMA)).all()
            tables = connection.scalars(text(TABLES)).all()
            self.empty = ";".join(
                [
                    "SET session_replication_role = replica",  # no triggers: what is append-only, too
                    *(f"DELETE FROM {table}" for table in tables if table != "fq_dataset"),
                    "DELETE FROM fq_dataset WHERE id > 1",
                    f"UPDATE fq_alembic_version SET version_num = '{SCHEMA_REVISION}'",
                    RESTART,
                ]
            )

    @property
    def url(self) -> str:
        """Its URL."""
        url = self.server.url.set(database=self.name)
        url = url.update_query_dict({"options": "-csynchronous_commit=off"})
        return url.render_as_string(hide_password=False)

    def clear(self) -> None:
        """Delete what a test has written; create it anew after large tests and changes of the schema,
        and where the role is not a superuser."""
        with self.engine.connect() as connection:
            connection.execute(text(DISCONNECT))
            as_created = connection.execute(text(SCHEMA)).all() == self.schema
            if as_created and connection.scalar(text(SIZE)) < MOST_BYTES:
                with suppress(ProgrammingError):  # only a superuser may switch triggers off
                    connection.execute(text(self.empty))
                    return
        self.drop()
        self.create()

    def drop(self) -> None:
        """Drop the database."""
        with self.server.connect() as connection:
            connection.execute(text(f"DROP DATABASE {self.name} WITH (FORCE)"))


@pytest.fixture(scope="session")
def empty_store_of_session() -> Iterator[EmptyStore | None]:
    """A store on PostgreSQL; None where no database can be created."""
    try:
        store = EmptyStore(make_url(os.environ.get("FRESHQA_TEST_POSTGRES_URL", DEFAULT_POSTGRES)))
    except DBAPIError:
        yield None
        return
    yield store
    store.drop()
    store.server.dispose()


@pytest.fixture
def postgres_store_url(
    empty_store_of_session: EmptyStore | None, request: pytest.FixtureRequest
) -> Iterator[str]:
    """URL of a PostgreSQL store without versions, emptied after the test."""
    if empty_store_of_session is None:
        yield request.getfixturevalue("postgres_url")
        return
    yield empty_store_of_session.url
    empty_store_of_session.clear()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store_url(request: pytest.FixtureRequest) -> str:
    """URL of a database: empty, or with the store of a test that asks for one."""
    with_tables = "store" in request.fixturenames
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres_store_url" if with_tables else "postgres_url"))
    url = str(request.getfixturevalue("sqlite_url"))
    if with_tables:
        shutil.copy(request.getfixturevalue("empty_file"), make_url(url).database or "")
    return url


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    """An empty store, once on SQLite and once on PostgreSQL."""
    opened = Store.open(store_url, create=True)
    yield opened
    opened.close()
