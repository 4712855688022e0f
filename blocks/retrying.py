"""The one retry policy of search engines and models: how long to wait before asking again.

A call is repeated after a failure that may be temporary, as often as its settings say. The wait is
what the server asks for (`Retry-After`, in seconds, milliseconds or as a date), else a random part
of half a second, doubled with every try up to eight. A server that asks for more than the longest
wait is given up for this call.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

FIRST_WAIT = 0.5
MOST_WAIT = 8.0
"""Seconds before the second and before the last of many tries, unless the server asks for another."""


def wait_before(attempt: int, asked: float | None) -> float:
    """Return the seconds to wait after a failed attempt; waits of many processes do not coincide.

    Args:
        attempt: Number of the attempt that failed, from 1.
        asked: Seconds that the server asks for, or None.
    """
    if asked is not None:
        return asked
    return random.uniform(0.5, 1.0) * min(MOST_WAIT, FIRST_WAIT * 2.0 ** (attempt - 1))


def asked_wait(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a response asks to wait, or None.

    Args:
        headers: `Retry-After` has seconds or a date, `Retry-After-Ms` milliseconds; their names
            are matched in any case.
    """
    written = {name.casefold(): str(value).strip() for name, value in headers.items()}
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            return max(0.0, float(written[name]) / unit)
        except (KeyError, ValueError):
            continue
    try:
        return max(0.0, parsedate_to_datetime(written["retry-after"]).timestamp() - time.time())
    except (KeyError, ValueError, OverflowError):
        return None
