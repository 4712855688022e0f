"""The days until the next refresh are read from the schedule of the deployment."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest
from prefect.client.orchestration import SyncPrefectClient
from prefect.client.schemas.actions import DeploymentScheduleCreate
from prefect.client.schemas.schedules import CronSchedule
from prefect.settings import PREFECT_API_URL, temporary_settings
from servers.prefect_server import PrefectServer

from prefect_freshqa.tasks.refresh_settings import RefreshSettings
from prefect_freshqa.tasks.schedule import days_until_next_run, with_interval

pytestmark = pytest.mark.integration


@pytest.mark.parametrize(
    ("cron", "least", "most"), [("0 6 * * 1", 7, 7), ("0 6 1 * *", 28, 31), (None, None, None)]
)
def test_the_interval_is_read_from_the_schedule(
    prefect_server: PrefectServer, cron: str | None, least: int | None, most: int | None
) -> None:
    with (
        temporary_settings({PREFECT_API_URL: f"{prefect_server.url}/api"}),
        SyncPrefectClient(f"{prefect_server.url}/api") as client,
    ):
        schedule = CronSchedule(cron=cron, timezone="UTC") if cron else None
        created = client.create_deployment(
            flow_id=client.create_flow_from_name("interval"),
            name=cron or "none",
            schedules=[DeploymentScheduleCreate(schedule=schedule, active=True)] if cron else [],
        )
        if schedule is None:
            assert days_until_next_run(created, datetime.now(timezone.utc)) is None
            return

        def starts() -> list[datetime]:
            flow_runs = client.read_flow_runs()
            starts = [run.expected_start_time for run in flow_runs if run.deployment_id == created]
            return sorted(start for start in starts if start is not None)

        first = prefect_server.wait_for(starts, "scheduled runs")[0]
        days = days_until_next_run(created, first)
        assert days is not None and least is not None and most is not None
        assert least <= days <= most


def test_given_days_are_kept_and_a_run_without_a_deployment_uses_a_week() -> None:
    assert with_interval(RefreshSettings(days=0)).days == 0
    assert with_interval(RefreshSettings()).days == 7
