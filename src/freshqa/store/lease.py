"""The owner of a run: one process at a time; a dead owner is replaced."""

from __future__ import annotations

import os
import socket
import uuid
from datetime import datetime, timedelta
from functools import cache

from sqlalchemy import Connection, or_, update

from freshqa.store.ledger_schema import run

LEASE = timedelta(minutes=15)
"""A run without a sign of life for this long may be taken over by anyone."""


def lease_owner() -> str:
    """Return this process: host, process number, and a mark that no later process shares."""
    return f"{socket.gethostname()}/{os.getpid()}/{_mark(os.getpid())}"


def may_take_over(owner: str, until: datetime | None, *, now: datetime) -> bool:
    """Return whether a running run's lease is free for this process.

    It is when it has expired, and at once when its owner died on this host, so that a killed run
    can be run again without waiting.

    Args:
        owner: What `lease_owner` said in the process that holds it.
        until: When the lease ends.
    """
    if not owner or until is None or until <= now:
        return True
    host, process, mark = owner.split("/")
    if host != socket.gethostname():
        return False
    if int(process) == os.getpid():
        # the same number but not this process: a container was started again
        return mark != _mark(os.getpid())
    return not _is_alive(int(process))


@cache
def _mark(process: int) -> str:
    return uuid.uuid4().hex[:12]


def _is_alive(process: int) -> bool:
    if os.name == "nt":  # there, signal 0 is not a question but Ctrl-C
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is alive and belongs to another user
        return True
    return True


def renew_lease(connection: Connection, id_: int, *, now: datetime) -> None:
    """Say that the run is alive; writes only when half of the lease has gone.

    It writes as well when the lease is much too long: the clock has been set back since, and if
    the run died now, it could not be taken over until then.
    """
    out_of_date = or_(
        run.c.lease_until < now + LEASE / 2,
        run.c.lease_until > now + LEASE * 1.5,
    )
    connection.execute(
        update(run)
        .where(run.c.id == id_, run.c.state == "running", out_of_date)
        .values(lease_until=now + LEASE)
    )
