"""Runs: started once per key, resumed after a failure, never two at once."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Annotated, Any

from pydantic import Field
from sqlalchemy import Connection, Row, Select, insert, select, update
from sqlalchemy.exc import IntegrityError

from freshqa.errors import Conflict, NotFound, StoreError
from freshqa.json_record import JsonRecord, Moment
from freshqa.store.database import Store
from freshqa.store.lease import LEASE, lease_owner, may_take_over, renew_lease
from freshqa.store.ledger_schema import run

GIVEN_UP: set[tuple[str, str, str]] = set()
"""Address, dataset and key of runs that ended in this process and whose store was not to be told.

They still look as if this process were at work on them.
"""
RUNNING, COMPLETED, INCOMPLETE, FAILED = "running", "completed", "incomplete", "failed"


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

    @property
    def id(self) -> str:
        """How other functions name the run: its key."""
        return self.key


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
        The run, and whether it was there before. A completed run comes back as it is: look at its
        state. A resumed run keeps the day, base version and settings it was started with.

    Raises:
        Conflict: another process works on it.
    """
    try:
        with store.write() as connection:
            found = connection.execute(_by_key(store, key).with_for_update()).first()
            if found is None:
                values = {"key": key, "flow": flow, "as_of": as_of, "base_version": base_version}
                connection.execute(
                    insert(run).values(
                        **values,
                        dataset_id=store.dataset_id,
                        settings=dict(settings),
                        started_at=now,
                        **_taken(now, flow_run_id),
                    )
                )
            elif found.state != COMPLETED:
                given_up = (store.url, store.dataset, key) in GIVEN_UP
                if not (given_up and found.lease_owner == lease_owner()):
                    _refuse_other_owner(found, now=now, flow_run_id=flow_run_id)
                changes = {**_taken(now, flow_run_id), "finished_at": None}
                connection.execute(update(run).where(run.c.id == found.id).values(changes))
            started = _run(connection.execute(_by_key(store, key)).one())
        GIVEN_UP.discard((store.url, store.dataset, key))
        return started, found is not None
    except IntegrityError:
        raise _busy(key, "another process started it at the same time", "") from None


def finish_run(
    store: Store, run_key: str, *, state: str, summary: Mapping[str, Any], now: datetime
) -> Run:
    """Record the end of a run and free it.

    Args:
        state: `completed`; or `incomplete` or `failed`, from which it may be resumed.
        summary: What to report; JSON.

    Raises:
        NotFound: no such run.
        StoreError: the store does not take it; this process may take the run up again all the same.
    """
    if state not in (COMPLETED, INCOMPLETE, FAILED):
        raise ValueError(f"a run ends completed, incomplete or failed, not {state!r}")
    try:
        with store.write() as connection:
            id_ = run_row(connection, store, run_key).id
            changes = {"state": state, "summary": dict(summary), "finished_at": now}
            freed = {"lease_owner": "", "lease_until": None}
            connection.execute(update(run).where(run.c.id == id_).values({**changes, **freed}))
            return _run(run_row(connection, store, run_key))
    except StoreError:
        GIVEN_UP.add((store.url, store.dataset, run_key))
        raise


def get_run(store: Store, run_key: str) -> Run:
    """Return one run by its key.

    Raises:
        NotFound: no such run; the message names the newest ones.
    """
    with store.read() as connection:
        return _run(run_row(connection, store, run_key))


def list_runs(store: Store) -> tuple[Run, ...]:
    """Return every run, newest first."""
    query = select(run).where(run.c.dataset_id == store.dataset_id).order_by(run.c.id.desc())
    with store.read() as connection:
        return tuple(_run(row) for row in connection.execute(query))


def run_row(connection: Connection, store: Store, run_key: str) -> Row[Any]:
    """Return the row of a run; raises `NotFound`."""
    row = connection.execute(_by_key(store, run_key)).first()
    if row is None:
        newest = (
            select(run.c.key)
            .where(run.c.dataset_id == store.dataset_id)
            .order_by(run.c.id.desc())
            .limit(5)
        )
        there = ", ".join(connection.execute(newest).scalars()) or "none"
        raise NotFound(
            f"Run not found: {run_key!r}. The latest runs are: {there}.",
            "See: prefect-freshqa runs list",
        )
    return row


def fail_run(store: Store, id_: str, failure: BaseException, *, now: datetime) -> str:
    """Close a run that could not finish, so that it can be started again; returns the reason.

    If the store cannot record this either, the first failure is the one to report.
    """
    reason = f"{type(failure).__name__}: {failure}"
    with suppress(StoreError):
        finish_run(store, id_, state=FAILED, summary={"reason": reason}, now=now)
    return reason


def keep_alive(store: Store, run_key: str, *, now: datetime) -> None:
    """Say that a run is alive whose results do not say so themselves.

    Raises:
        NotFound: no such run.
    """
    with store.write() as connection:
        renew_lease(connection, run_row(connection, store, run_key).id, now=now)


def _by_key(store: Store, key: str) -> Select[Any]:
    return select(run).where(run.c.dataset_id == store.dataset_id, run.c.key == key)


def _taken(now: datetime, flow_run_id: str) -> dict[str, Any]:
    lease = {"lease_owner": lease_owner(), "lease_until": now + LEASE}
    return {**lease, "state": RUNNING, "flow_run_id": flow_run_id}


def _refuse_other_owner(found: Row[Any], *, now: datetime, flow_run_id: str) -> None:
    retried = bool(flow_run_id) and found.flow_run_id == flow_run_id
    if found.state != RUNNING or retried:
        return
    if not may_take_over(found.lease_owner, found.lease_until, now=now):
        host, process, _ = found.lease_owner.split("/")
        free = f"{found.lease_until:%Y-%m-%d %H:%M} UTC"
        raise _busy(found.key, f"process {process} on {host} works on it", free)


def _busy(key: str, why: str, free: str) -> Conflict:
    when = f"; if it died on another machine, it is free at {free}" if free else ""
    return Conflict(f"Run {key!r} is under way: {why}.", f"Wait for it{when}.")


def _run(row: Row[Any]) -> Run:
    return Run(
        key=row.key,
        flow=row.flow,
        as_of=row.as_of,
        base_version=row.base_version,
        settings=row.settings,
        started_at=row.started_at,
        finished_at=row.finished_at,
        state=row.state,
        summary=row.summary or {},
        flow_run_id=row.flow_run_id,
    )
