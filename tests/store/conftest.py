"""A real store per test, on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from freshqa.store.database import Store


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    """An empty store, once on SQLite and once on PostgreSQL."""
    opened = Store.open(store_url, create=True)
    yield opened
    opened.close()
