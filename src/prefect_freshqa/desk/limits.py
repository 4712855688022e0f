"""Limits on how often one address may ask."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections.abc import Callable

LIMITS = {
    "page": (400, 60.0),
    "change": (120, 10.0),
    "sign-in": (10, 0.1),
    "report": (5, 1 / 120),
    "api": (3000, 600.0),
}
"""Kind of request → how many at once, and how many more each second."""
MAX_ADDRESSES = 10_000


def network(address: str) -> str:
    """Return the network of a client: its IPv4 address, or the first 64 bits of its IPv6 address."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4:
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((int(parsed) >> 64 << 64, 64)))


class RateLimiter:
    """A token bucket for each kind and address; thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: dict[tuple[str, str], tuple[float, float]] = {}

    def wait(self, kind: str, address: str) -> float:
        """Take one; 0, or the seconds after which there is one again."""
        size, rate = LIMITS[kind]
        address = network(address)
        now = self._clock()
        with self._lock:
            if len(self._buckets) > MAX_ADDRESSES:
                self._forget(now)
            left, since = self._buckets.get((kind, address), (float(size), now))
            left = min(size, left + (now - since) * rate)
            if left < 1:
                self._buckets[kind, address] = (left, now)
                return (1 - left) / rate
            self._buckets[kind, address] = (left - 1, now)
            return 0.0

    def _forget(self, now: float) -> None:
        """Drop buckets that are full again; all of them when that does not suffice."""
        kept = {
            key: (left, since)
            for key, (left, since) in self._buckets.items()
            if left + (now - since) * LIMITS[key[0]][1] < LIMITS[key[0]][0]
        }
        self._buckets = kept if len(kept) <= MAX_ADDRESSES else {}
