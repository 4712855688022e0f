"""What to do about a failure of a database."""

from __future__ import annotations

from freshqa.store.connecting import LOCKED

ANY = "Check that the database runs, its address and rights, then try again."
FULL = (
    "Free disk space on the database volume, then run the command again: nothing was partly written, "
    "and completed work is not repeated."
)
READ_ONLY = "Give this account the right to write there, or choose another store."
WORDS = (
    ("is full", FULL),
    ("is locked", LOCKED),
    ("readonly database", READ_ONLY),
    ("could not write init file", FULL),
)
"""Part of a message without a code → remedy: SQLite's, whose codes Python 3.10 does not give, and that
of a PostgreSQL which cannot write its cache of catalogs, and so accepts no connection."""
STATES = {
    "53100": FULL,  # disk_full
    "55P03": LOCKED,  # lock_not_available
    "25006": READ_ONLY,  # read_only_sql_transaction
    "42501": READ_ONLY,  # insufficient_privilege
}
"""SQLSTATE of PostgreSQL (its manual, appendix A) → remedy."""


def remedy_of(failure: BaseException | None) -> str:
    """Return what to do about an exception of `sqlite3` or `psycopg`."""
    state = getattr(failure, "sqlstate", None)
    if state is not None:
        return STATES.get(state, ANY)
    message = str(failure)
    return next((remedy for words, remedy in WORDS if words in message), ANY)
