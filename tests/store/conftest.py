"""A real store per test, on SQLite and on PostgreSQL."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import make_url

from freshqa.store.database import Store


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite store without versions: migrated once, copied for each test."""
    file = tmp_path_factory.mktemp("template") / "freshqa.db"
    Store.open(f"sqlite:///{file}", create=True).close()
    return file


@pytest.fixture
def store(store_url: str, empty_file: Path) -> Iterator[Store]:
    """An empty store, once on SQLite and once on PostgreSQL."""
    file = make_url(store_url).database
    sqlite = store_url.startswith("sqlite")
    if sqlite and file:
        shutil.copy(empty_file, file)
    opened = Store.open(store_url, create=not sqlite)
    yield opened
    opened.close()
