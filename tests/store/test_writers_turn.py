"""Threads that write to one SQLite file wait without holding a connection."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

from sqlalchemy import select

from freshqa.store import schema
from freshqa.store.database import Store


def test_a_thread_waiting_to_write_does_not_hold_a_connection(sqlite_url: str) -> None:
    stores = [Store.open(sqlite_url, create=True), Store.open(sqlite_url)]

    def write(number: int) -> int:
        with stores[number % 2].write() as connection:
            return len(connection.execute(select(schema.dataset)).all())

    with ThreadPoolExecutor(20) as pool:
        with stores[0].write():
            waiting = [pool.submit(write, number) for number in range(20)]
            time.sleep(0.3)
            assert not any(done.done() for done in waiting)
            held = [cast(Any, store.engine.pool).checkedout() for store in stores]
        assert held == [1, 0]
        assert [done.result() for done in waiting] == [1] * 20
