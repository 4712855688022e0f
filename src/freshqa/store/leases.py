"""Leases: which process works on a run, and when another one may."""

from __future__ import annotations

import os
import socket
import uuid
from datetime import datetime, timedelta
from functools import cache

from sqlalchemy import bindparam, update

from freshqa.store.direct import DirectConnection, Statement
from freshqa.store.ledger_schema import run

LEASE = timedelta(minutes=15)
"""A run without a sign of life for this long may be taken over by any process."""
RUNNING = "running"
"""State of a run that a process works on."""

_RUNNING = update(run).where(run.c.id == bindparam("run"), run.c.state == RUNNING)
_FITS = run.c.lease_until.between(bindparam("soon"), bindparam("far"))
_RENEWED = Statement(_RUNNING.where(~_FITS).values(lease_until=bindparam("until")))


def lease_owner() -> str:
    """Return the name of this process: host, process number, and a mark unique to it."""
    return f"{socket.gethostname()}/{os.getpid()}/{_mark(os.getpid())}"


def may_take_over(owner: str, until: datetime | None, *, now: datetime) -> bool:
    """Return whether this process may take a lease over.

    True once it has expired, and at once if its owner died on this host: a killed run can be
    resumed without waiting.

    Args:
        owner: `lease_owner` of the process that holds it.
        until: When the lease ends.
    """
    if not owner or until is None or until <= now:
        return True
    host, process, mark = owner.split("/")
    if host != socket.gethostname():
        return False
    if int(process) == os.getpid():  # another mark: a container was started again
        return mark != _mark(os.getpid())
    return not _is_alive(int(process))


@cache
def _mark(process: int) -> str:
    return uuid.uuid4().hex[:12]


def _is_alive(process: int) -> bool:
    if os.name == "nt":  # there, signal 0 is Ctrl-C
        return True
    try:
        os.kill(process, 0)
    except OSError as failure:  # anything else: it is alive and belongs to another user
        return not isinstance(failure, ProcessLookupError)
    return True


def renew_lease(connection: DirectConnection, id_: int, *, now: datetime) -> None:
    """Extend a run's lease once half of it has gone.

    Also when it ends much too late: the clock has been set back since, and a run that died now
    could not be taken over until then.
    """
    soon, until, far = (now + LEASE * share for share in (0.5, 1, 1.5))
    _RENEWED.execute(connection, {"run": id_, "soon": soon, "far": far, "until": until})
