"""Reservations of open proposals: they expire, and can be taken over."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

RESERVED = timedelta(minutes=10)


@dataclass(frozen=True)
class Reservation:
    """A proposal that a reviewer has open."""

    by: str
    since: datetime
    until: datetime


class Reservations:
    """Reservations of one server, in memory: they save double work and protect nothing.

    The store protects: it accepts one decision per proposal.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[int, Reservation] = {}

    def open(self, id: int, by: str, *, now: datetime, steal: bool = False) -> Reservation:
        """Reserve a proposal, or return who has reserved it before."""
        with self._lock:
            held = self._held.get(id)
            if held and held.until > now and held.by != by and not steal:
                return held
            since = held.since if held and held.by == by and held.until > now else now
            self._held[id] = Reservation(by, since, now + RESERVED)
            return self._held[id]

    def release(self, ids: Iterable[int], by: str) -> None:
        """Give reservations back."""
        with self._lock:
            for id in ids:
                if id in self._held and self._held[id].by == by:
                    del self._held[id]

    def others(self, by: str, *, now: datetime) -> dict[int, Reservation]:
        """Return the proposals that other people have open."""
        with self._lock:
            self._held = {id: held for id, held in self._held.items() if held.until > now}
            return {id: held for id, held in self._held.items() if held.by != by}
