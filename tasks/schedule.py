"""The time until the next refresh, by the deployment's schedule."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterDeploymentId,
    FlowRunFilterExpectedStartTime,
    FlowRunFilterState,
    FlowRunFilterStateType,
)
from prefect.client.schemas.objects import StateType
from prefect.client.schemas.sorting import FlowRunSort
from prefect.runtime import deployment, flow_run

from freshqa.defaults import NEXT_REFRESH_DAYS
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

_LOOK_AT = 20
"""Number of scheduled runs to read: those added by hand do not count."""


def with_interval(settings: RefreshSettings) -> RefreshSettings:
    """Return the settings with the days until the next refresh, where none were given.

    By the deployment's next scheduled run, whatever its schedule is (cron, interval, RRule); a week
    where the run is not of a deployment, or where its schedule is paused.
    """
    if settings.days is not None:
        return settings
    start = flow_run.scheduled_start_time
    days = days_until_next_run(UUID(str(deployment.id)), start) if deployment.id else None
    return settings.model_copy(update={"days": NEXT_REFRESH_DAYS if days is None else days})


def days_until_next_run(deployment_id: UUID, start: datetime) -> int | None:
    """Days from a run to the next scheduled run of its deployment; None when there is none.

    Args:
        start: When this run was scheduled for (aware).
    """
    upcoming = FlowRunFilter(
        deployment_id=FlowRunFilterDeploymentId(any_=[deployment_id]),
        state=FlowRunFilterState(type=FlowRunFilterStateType(any_=[StateType.SCHEDULED])),
        expected_start_time=FlowRunFilterExpectedStartTime.model_validate({"after_": start}),
    )
    with get_client(sync_client=True) as client:
        scheduled = client.read_flow_runs(
            flow_run_filter=upcoming, sort=FlowRunSort.EXPECTED_START_TIME_ASC, limit=_LOOK_AT
        )
    for run in scheduled:
        if run.auto_scheduled and run.expected_start_time and run.expected_start_time > start:
            return run.expected_start_time.date().toordinal() - start.date().toordinal()
    return None
