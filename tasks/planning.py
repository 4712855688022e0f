"""Open a run and find out what is due."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from freshqa.defaults import NEXT_REFRESH_DAYS
from freshqa.errors import Conflict, NotFound, UsageError
from freshqa.maintaining.plan import PlannedQuestion, plan_refresh
from freshqa.store import changes, runs, snapshots, versions
from freshqa.store.database import Store
from freshqa.store.runs import Run
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

CLOCKS_APART = timedelta(days=1)
"""A version may be of tomorrow where tomorrow has begun."""


def refresh_day(store: Store, as_of: date | None, *, today: date) -> date:
    """Return the day to refresh for: the one asked for, else today.

    Args:
        today: What the clock says (UTC).

    Raises:
        UsageError: no day was given, and the clock is earlier than the newest version: a refresh
            of that day would check against a world that is gone.
    """
    if as_of is not None:
        return as_of
    head = versions.head(store)
    if head is not None and today + CLOCKS_APART < head.as_of:
        raise UsageError(
            f"The system clock says {today}, which is earlier than the date of version {head.number}, {head.as_of}.",
            "Correct the clock, or pass the day (--as-of, parameter as_of).",
        )
    return today


@task(cache_policy=NO_CACHE)
def open_run(
    store: Store, *, as_of: date, settings: RefreshSettings, key: str | None, flow_run_id: str
) -> tuple[Run, bool] | Conflict:
    """Start this week's run, or resume it where it stopped.

    Args:
        settings: What the refresh was told.
        key: Run key; by default ISO week and method, so that a duplicate schedule is one run.
        flow_run_id: Prefect's id, kept in the ledger.

    Returns:
        The run, and whether it was there before; the conflict, when another process is at work on
        it, which is not a failure of this task.

    Raises:
        NotFound: the store holds no version yet.
    """
    head = versions.head(store)
    if head is None:
        raise NotFound(
            "The store has no version.", "Import a release: prefect-freshqa import FILE."
        )
    try:
        run, resumed = runs.start_run(
            store,
            key=run_key(key, as_of, settings),
            flow="refresh-dataset",
            as_of=as_of,
            base_version=head.number,
            settings=settings.model_dump(mode="json"),
            now=datetime.now(timezone.utc),
            flow_run_id=flow_run_id,
        )
    except Conflict as busy:
        return busy
    get_run_logger().info(
        "%s run %s on version %d as of %s",
        "Resumed" if resumed else "Started",
        run.key,
        run.base_version,
        run.as_of,
    )
    return run, resumed


@dataclass(frozen=True)
class Plan:
    """The questions that a refresh has to check.

    A record, because of each item of a tuple that a task returns Prefect keeps a note until the
    flow ends.

    Args:
        questions: What is due, highest expected loss first.
    """

    questions: tuple[PlannedQuestion, ...]


@task(cache_policy=NO_CACHE)
def find_due_questions(
    store: Store, as_of: date, settings: RefreshSettings, *, version: int | None = None
) -> Plan:
    """The questions of a version (default: the newest) that are due, highest expected loss first.

    The limit of the settings is not applied: what is over it stays due.
    """
    info = versions.find(store, number=version)
    return Plan(
        plan_refresh(
            snapshots.snapshot(store, info.number),
            as_of=as_of,
            days=NEXT_REFRESH_DAYS if settings.days is None else settings.days,
            every_question=settings.every_question,
            last_checked=changes.last_checked(store),
            history=changes.change_history(store),
        )
    )


def run_key(key: str | None, as_of: date, settings: RefreshSettings) -> str:
    """The key asked for, else ISO week and method: a duplicate schedule finds the same run."""
    year, week, _ = as_of.isocalendar()
    return key or f"{year}-W{week:02d}-{settings.method}"
