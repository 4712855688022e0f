"""Threads inside a task run that may still log to it."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_context(
    pool: ThreadPoolExecutor, work: Callable[[Item], Result], item: Item
) -> Future[Result]:
    """Submit with the task run's context, without which a thread has no run logger."""
    return pool.submit(contextvars.copy_context().run, work, item)


@contextmanager
def every(seconds: float, look: Callable[[], None]) -> Iterator[None]:
    """Call `look` at this interval in seconds, in a thread with this context, until the block ends."""
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(seconds):
            look()

    watcher = threading.Thread(target=contextvars.copy_context().run, args=(watch,), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
