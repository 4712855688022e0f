"""Runs: started once per key, resumed after a failure, never two at once.

A run belongs to one process at a time, which holds a lease on it; a dead owner is replaced.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from typing import Annotated, Any

from pydantic import Field
from sqlalchemy import Connection, Row, Select, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from freshqa.errors import Conflict, NotFound, StoreError
from freshqa.json_record import JsonRecord, Moment
from freshqa.store.database import Store
from freshqa.store.leases import LEASE, RUNNING, lease_owner, may_take_over, renew_lease
from freshqa.store.ledger_schema import run

GIVEN_UP: set[tuple[str, str, str]] = set()
"""Address, dataset and key of runs that failed here and whose end the store could not record.

In the store, this process still seems to work on them.
"""
COMPLETED, INCOMPLETE, FAILED = "completed", "incomplete", "failed"

_BY_KEY = select(run).where(run.c.dataset_id == bindparam("dataset"), run.c.key == bindparam("key"))


@dataclass(frozen=True)
class Run(JsonRecord):
    """One run of a flow over the dataset.

    Args:
        key: What makes it one run: starting again with the same key resumes it.
        as_of: The day that the run checks for.
        base_version: Number of the version it started from.
        settings: What it was started with.
        state: `running`, `completed`, `incomplete` (questions are left over) or `failed`.
        summary: What the flow reported at its end.
        flow_run_id: Prefect's id of the flow run, or "".
    """

    key: Annotated[str, Field(serialization_alias="run")]
    flow: str
    as_of: date
    base_version: int
    settings: Mapping[str, Any]
    started_at: Moment
    finished_at: Moment | None = None
    state: str = RUNNING
    summary: Mapping[str, Any] = field(default_factory=dict)
    flow_run_id: str = ""


def start_run(
    store: Store,
    *,
    key: str,
    flow: str,
    as_of: date,
    base_version: int,
    settings: Mapping[str, Any],
    now: datetime,
    flow_run_id: str = "",
) -> tuple[Run, bool]:
    """Start a run, or resume the one with this key.

    Returns:
        The run, and whether it existed. A completed run is returned unchanged; a resumed one keeps
        the day, base version and settings it was started with.

    Raises:
        Conflict: another process works on it.
    """
    try:
        with store.write() as connection:
            named = {"dataset": store.dataset_id, "key": key}
            existing = connection.execute(_BY_KEY.with_for_update(), named).first()
            if existing is None:
                values = {"key": key, "flow": flow, "as_of": as_of, "base_version": base_version}
                values |= {"settings": dict(settings), "started_at": now}
                values |= {"dataset_id": store.dataset_id, **_taken(now, flow_run_id)}
                connection.execute(insert(run).values(values))
            elif existing.state != COMPLETED:
                given_up = (store.url, store.dataset, key) in GIVEN_UP
                if not (given_up and existing.lease_owner == lease_owner()):
                    _refuse_other_owner(existing, now=now, flow_run_id=flow_run_id)
                changes = {**_taken(now, flow_run_id), "finished_at": None}
                connection.execute(update(run).where(run.c.id == existing.id).values(changes))
            started = _run(connection.execute(_BY_KEY, named).one())
        GIVEN_UP.discard((store.url, store.dataset, key))
        return started, existing is not None
    except IntegrityError:
        raise _busy(key, "another process started it at the same time", "") from None


def finish_run(
    store: Store, run_key: str, *, state: str, summary: Mapping[str, Any], now: datetime
) -> Run:
    """Record the end of a run and free it.

    Args:
        state: `completed`; or `incomplete` or `failed`, from which it may be resumed.

    Raises:
        NotFound: no such run.
        StoreError: not recorded; this process may resume the run nevertheless.
    """
    if state not in (COMPLETED, INCOMPLETE, FAILED):
        raise ValueError(f"state must be completed, incomplete or failed, not {state!r}")
    try:
        with store.write() as connection:
            id_ = run_row(connection, store, run_key).id
            changes = {"state": state, "summary": dict(summary), "finished_at": now}
            changes |= {"lease_owner": "", "lease_until": None}
            connection.execute(update(run).where(run.c.id == id_).values(changes))
            return _run(run_row(connection, store, run_key))
    except StoreError:
        GIVEN_UP.add((store.url, store.dataset, run_key))
        raise


def get_run(store: Store, run_key: str) -> Run:
    """Return one run by its key; raises `NotFound`."""
    with store.read() as connection:
        return _run(run_row(connection, store, run_key))


def list_runs(store: Store) -> tuple[Run, ...]:
    """Return every run, newest first."""
    with store.read() as connection:
        return tuple(_run(row) for row in connection.execute(_newest_first(store)))


def run_row(connection: Connection, store: Store, run_key: str) -> Row[Any]:
    """Return the row of a run; raises `NotFound`."""
    row = connection.execute(_BY_KEY, {"dataset": store.dataset_id, "key": run_key}).first()
    if row is None:
        newest = connection.execute(_newest_first(store).limit(5))
        there = ", ".join(known.key for known in newest) or "none"
        raise NotFound(
            f"Run not found: {run_key!r}. The latest runs are: {there}.",
            "See: prefect-freshqa runs list",
        )
    return row


def run_number(store: Store, run_key: str) -> int:
    """Return the number of a run, which is read once; raises `NotFound`."""
    if run_key not in store.run_numbers:
        with store.read() as connection:
            store.run_numbers[run_key] = int(run_row(connection, store, run_key).id)
    return store.run_numbers[run_key]


def fail_run(store: Store, run_key: str, failure: BaseException, *, now: datetime) -> str:
    """End a run that failed, so that it can be resumed, and return the reason."""
    reason = f"{type(failure).__name__}: {failure}"
    with suppress(StoreError):  # report the first failure
        finish_run(store, run_key, state=FAILED, summary={"reason": reason}, now=now)
    return reason


def keep_alive(store: Store, run_key: str, *, now: datetime) -> None:
    """Renew the lease of a run that records no results for now; raises `NotFound`."""
    number = run_number(store, run_key)
    with store.write_directly() as connection:
        renew_lease(connection, number, now=now)


def _newest_first(store: Store) -> Select[Any]:
    return select(run).where(run.c.dataset_id == store.dataset_id).order_by(run.c.id.desc())


def _taken(now: datetime, flow_run_id: str) -> dict[str, Any]:
    lease = {"lease_owner": lease_owner(), "lease_until": now + LEASE}
    return {**lease, "state": RUNNING, "flow_run_id": flow_run_id}


def _refuse_other_owner(row: Row[Any], *, now: datetime, flow_run_id: str) -> None:
    retried = bool(flow_run_id) and row.flow_run_id == flow_run_id
    lease = (row.lease_owner, row.lease_until)
    if row.state == RUNNING and not retried and not may_take_over(*lease, now=now):
        host, process, _ = row.lease_owner.split("/")
        free = f"{row.lease_until:%Y-%m-%d %H:%M} UTC"
        raise _busy(row.key, f"process {process} on {host} is working on it", free)


def _busy(key: str, why: str, free: str) -> Conflict:
    when = f"; if its machine failed, the run can be resumed from {free}" if free else ""
    return Conflict(f"Run {key!r} is already in progress: {why}.", f"Wait until it ends{when}.")


def _run(row: Row[Any]) -> Run:
    columns = {column.name: getattr(row, column.name) for column in fields(Run)}
    return Run(**{**columns, "summary": row.summary or {}})
