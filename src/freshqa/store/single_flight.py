"""The same call is made once, however many threads want it at the same moment."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterator
from contextlib import contextmanager


class SingleFlight:
    """One lock per key, kept only while it is held or waited for."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._flights: dict[Hashable, tuple[threading.Lock, int]] = {}

    @contextmanager
    def alone(self, key: Hashable) -> Iterator[None]:
        """Hold the key; look again whether the work is done once inside."""
        with self._guard:
            lock, waiting = self._flights.get(key, (threading.Lock(), 0))
            self._flights[key] = (lock, waiting + 1)
        try:
            with lock:
                yield
        finally:
            with self._guard:
                lock, waiting = self._flights[key]
                if waiting == 1:
                    del self._flights[key]
                else:
                    self._flights[key] = (lock, waiting - 1)


FLIGHTS = SingleFlight()
"""Shared by every wrapper of this process: two of them may ask the same."""
