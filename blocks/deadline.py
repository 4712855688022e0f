"""A deadline for a whole call: it runs in another thread, which is left behind when it is late."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TypeAlias, TypeVar

T = TypeVar("T")
_Work: TypeAlias = "queue.SimpleQueue[Callable[[], None]]"
_waiting: deque[_Work] = deque()
"""Work of each thread that waits for some: to start a thread takes longer than to wake one."""


def within(seconds: float, call: Callable[[float], T]) -> T:
    """Run `call` with its deadline (of `time.monotonic`), and wait for it no longer than this.

    A read timeout counts between two bytes, so a server that drips its headers could hold a call
    for ever. The thread left behind ends with its own deadline; it never keeps a process alive.

    Raises:
        TimeoutError: it takes longer.
    """
    outcome: queue.SimpleQueue[tuple[list[T], Exception | None]] = queue.SimpleQueue()
    deadline = time.monotonic() + seconds

    def run() -> None:
        try:
            outcome.put(([call(deadline)], None))
        except Exception as failed:  # noqa: BLE001  handed over to the caller, who raises it
            outcome.put(([], failed))

    _in_a_thread(run)
    try:
        values, failed = outcome.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError from None
    if failed is not None:
        raise failed
    return values[0]


def _in_a_thread(call: Callable[[], None]) -> None:
    try:
        work = _waiting.pop()
    except IndexError:
        work = queue.SimpleQueue()
        threading.Thread(target=_serve, args=(work,), daemon=True, name="freshqa-call").start()
    work.put(call)


def _serve(work: _Work) -> None:
    while True:
        work.get()()
        _waiting.append(work)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_waiting.clear)  # a fork inherits no threads
