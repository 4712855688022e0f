"""The months: their names, how they are written, and days that may not exist."""

from __future__ import annotations

from datetime import date

NAMES = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
NUMBERS = {
    written.casefold(): number
    for number, name in enumerate(NAMES, start=1)
    for written in (name, name[:3])
} | {"sept": 9}
"""Name or abbreviation in lower case → number."""
WRITTEN = "|".join(sorted(NUMBERS, key=len, reverse=True))
"""Alternatives of a regular expression, the longest first."""


def day_of(year: int, month: int, day: int) -> date | None:
    """Return the day, or None when the calendar does not have it (30 February)."""
    try:
        return date(year, month, day)
    except ValueError:
        return None
