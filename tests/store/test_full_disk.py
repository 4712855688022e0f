"""On a full file system nothing is written partially, and work resumes once space is freed."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from servers.small_disk import MEGABYTE, SmallDisk
from store.ledger import start
from store.sheet import DAY, NOW, WEEK, sheet
from store.test_faults import LongReplies

from freshqa.answering.budget import Budget
from freshqa.errors import StoreError
from freshqa.store.budgets import spent
from freshqa.store.cache import CachedSearch
from freshqa.store.database import Store
from freshqa.store.publishing import publish
from freshqa.store.remedies import FULL
from freshqa.store.snapshots import snapshot
from freshqa.store.verifying import verify
from freshqa.store.versions import log

pytestmark = pytest.mark.small_disk


def open_store(small_store: tuple[str, SmallDisk]) -> tuple[Store, SmallDisk]:
    """The store with a sheet of six as version 1, and its disk."""
    url, disk = small_store
    store = Store.open(url, create=True)
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None)
    return store, disk


def test_a_partial_version_is_not_left_behind(
    small_store: tuple[str, SmallDisk], caplog: pytest.LogCaptureFixture
) -> None:
    store, disk = open_store(small_store)
    disk.leave(64 * 1024)
    imported = {"kind": "import", "original": b"file" * 1000}
    for how in ({}, imported):
        with pytest.raises(StoreError) as caught:
            publish(store, sheet(2000), as_of=DAY, now=NOW, parent=1, **how)
        assert caught.value.remedy == FULL
        assert "\n" not in str(caught.value)
        assert [version.number for version in log(store)] == [1]
        assert snapshot(store, 1) == tuple(sheet())
    disk.make_room()
    publish(store, sheet(2000), as_of=DAY, now=NOW, parent=1, **imported)
    assert {verified.status for verified in verify(store)} == {"ok"}
    assert len(snapshot(store, 2)) == 2000
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
    store.close()


def test_a_partial_store_is_not_left_behind(small_store: tuple[str, SmallDisk]) -> None:
    url, disk = small_store
    disk.leave(64 * 1024)
    with pytest.raises(StoreError) as caught:
        Store.open(url, create=True)
    assert caught.value.remedy == FULL
    disk.make_room()
    store = Store.open(url, create=True)
    assert log(store) == ()
    store.close()


def test_a_database_that_cannot_write_its_cache_of_catalogs_names_the_disk(
    small_store: tuple[str, SmallDisk],
) -> None:
    # PostgreSQL removes this file when it vacuums its catalogs, and writes it at the next connection.
    url, disk = small_store
    for cache in disk.folder.rglob("pg_internal.init"):
        cache.unlink()
    disk.leave(64 * 1024)
    with pytest.raises(StoreError) as caught:
        Store.open(url, create=True)
    assert caught.value.remedy == FULL
    disk.make_room()
    Store.open(url, create=True).close()


def test_the_other_threads_stop_making_paid_calls(small_store: tuple[str, SmallDisk]) -> None:
    store, disk = open_store(small_store)
    run, engine, budget = start(store), LongReplies(seconds=0.05), Budget()
    together = threading.Barrier(4)
    search = CachedSearch(engine, store, run.key, now=lambda: NOW, window=WEEK, budget=budget)
    disk.leave(MEGABYTE)

    def ask(thread: int) -> int:
        together.wait()
        for number in range(100):
            try:
                search.search(f"{thread} {number}", as_of=DAY)
            except StoreError as failure:
                assert failure.remedy == FULL
                return number
        raise AssertionError("the disk was not full")

    with ThreadPoolExecutor(4) as threads:
        kept = list(threads.map(ask, range(4)))
    assert 0 < spent(store, run.key).searches == sum(kept)
    assert len(engine.asked) <= sum(kept) + 4  # what was in flight
    disk.make_room()
    paid = len(engine.asked)
    search = CachedSearch(engine, store, run.key, now=lambda: NOW, window=WEEK, budget=Budget())
    for thread, count in enumerate(kept):
        for number in range(count):
            search.search(f"{thread} {number}", as_of=DAY)
    assert len(engine.asked) == paid
    assert not search.search("rings", as_of=DAY).reused
    store.close()
