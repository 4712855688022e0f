"""A store for each test, on SQLite and PostgreSQL: migrated once per session, then copied."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, make_url, text
from sqlalchemy.exc import DBAPIError

from freshqa.store.database import Store

DEFAULT_POSTGRES = "postgresql+psycopg://root@127.0.0.1:5432/test"


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite store without versions."""
    file = tmp_path_factory.mktemp("template") / "freshqa.db"
    Store.open(f"sqlite:///{file}", create=True).close()
    return file


@pytest.fixture(scope="session")
def empty_database() -> Iterator[Engine | None]:
    """A PostgreSQL database with a store without versions; None where none can be made."""
    base = make_url(os.environ.get("FRESHQA_TEST_POSTGRES_URL", DEFAULT_POSTGRES))
    name = f"freshqa_empty_{uuid.uuid4().hex[:12]}"
    server = create_engine(base, isolation_level="AUTOCOMMIT")
    try:
        with server.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
    except DBAPIError:  # no server, or a role that may not make databases
        yield None
        return
    template = create_engine(base.set(database=name))
    Store.open(template.url.render_as_string(hide_password=False), create=True).close()
    yield template
    with server.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    server.dispose()


@pytest.fixture
def postgres_copy(empty_database: Engine | None, request: pytest.FixtureRequest) -> Iterator[str]:
    """URL of a PostgreSQL store without versions, dropped after the test."""
    if empty_database is None:
        yield request.getfixturevalue("postgres_url")
        return
    base = make_url(os.environ.get("FRESHQA_TEST_POSTGRES_URL", DEFAULT_POSTGRES))
    name = f"freshqa_{uuid.uuid4().hex[:12]}"
    server = create_engine(base, isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {empty_database.url.database}"))
    url = base.set(database=name).update_query_dict({"options": "-csynchronous_commit=off"})
    yield url.render_as_string(hide_password=False)
    with server.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    server.dispose()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store_url(request: pytest.FixtureRequest) -> str:
    """URL of a database: empty, or with the store of a test that asks for one."""
    with_tables = "store" in request.fixturenames
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres_copy" if with_tables else "postgres_url"))
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
