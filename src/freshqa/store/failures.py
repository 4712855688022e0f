"""What a failed database call means, and what to do about it."""

from __future__ import annotations

import sqlite3

ANY = "Check that the database runs, its address and rights, then try again."
FULL = (
    "Make room where the database lies, then run the command again: nothing half-written was kept "
    "and what is done is not done again."
)
LOCKED = (
    "Another process holds the store for very long; let it end (or end it), then run the command "
    "again: what is done is not done again."
)
READ_ONLY = "Give this account the right to write there, or choose another store."
WORDS = (
    ("is full", FULL),
    ("is locked", LOCKED),
    ("readonly database", READ_ONLY),
)
"""Part of SQLite's message → remedy. Its codes are available from Python 3.11 on."""
STATES = {
    "53100": FULL,  # disk_full
    "55P03": LOCKED,  # lock_not_available
    "25006": READ_ONLY,  # read_only_sql_transaction
    "42501": READ_ONLY,  # insufficient_privilege
}
"""SQLSTATE of PostgreSQL (its manual, appendix A) → remedy."""


def remedy_for(failure: BaseException | None) -> str:
    """Return one line about what to do.

    Args:
        failure: The driver's exception, of `sqlite3` or `psycopg`.
    """
    if isinstance(failure, sqlite3.Error):
        said = str(failure)
        return next((remedy for words, remedy in WORDS if words in said), ANY)
    return STATES.get(getattr(failure, "sqlstate", None) or "", ANY)
