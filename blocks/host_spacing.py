"""Time between two requests to the same host."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class HostSpacing:
    """Space the requests to each host; thread-safe.

    Args:
        now: The clock, in seconds.
        sleep: Waits.
    """

    def __init__(
        self, now: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._now, self._sleep = now, sleep
        self._next: dict[str, float] = {}
        self._lock = threading.Lock()

    def wait(self, host: str, spacing: float, *, longest: float) -> bool:
        """Wait for the turn of a request.

        Args:
            host: Where it goes.
            spacing: Seconds until the next request to the same host.
            longest: Maximum number of seconds to wait.

        Returns:
            False when the turn is later than that; nothing was waited for then.
        """
        with self._lock:
            now = self._now()
            turn = max(now, self._next.get(host, now))
            if turn - now > longest:
                return False
            self._next[host] = turn + spacing
        if turn > now:
            self._sleep(turn - now)
        return True
