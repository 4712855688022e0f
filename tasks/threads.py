"""Threads inside a task run that may still log to it."""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_context(
    pool: ThreadPoolExecutor, work: Callable[[Item], Result], item: Item
) -> Future[Result]:
    """Submit with the task run's context, without which a thread has no run logger."""
    return pool.submit(contextvars.copy_context().run, work, item)
