"""What `doctor` looks at on a Prefect server: leases, limits, workers, deployments, automations."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import (
    FlowFilter,
    FlowFilterName,
    FlowRunFilter,
    FlowRunFilterState,
    FlowRunFilterStateType,
)
from prefect.client.schemas.objects import StateType
from prefect.client.schemas.sorting import FlowRunSort
from prefect.exceptions import ObjectNotFound

from prefect_freshqa.blocks.saved import reachable_api
from prefect_freshqa.observations import Observation
from prefect_freshqa.provision.automations import end_dead_runs, updated
from prefect_freshqa.provision.leases import LEASES_REMEDY, LIMITS, lease_storage
from prefect_freshqa.provision.server import WORK_POOL
from prefect_freshqa.tasks import slot_owners
from prefect_freshqa.tasks.flow_names import FLOWS, TAG

if TYPE_CHECKING:
    from prefect.client.orchestration import SyncPrefectClient
    from prefect.client.schemas.responses import DeploymentResponse

INIT = "Run: prefect-freshqa init"
WEEKLY = "refresh-dataset/weekly-refresh"
CRASHED_DAYS = 7


def see_leases() -> list[Observation]:
    """Where the server keeps leases, and whether slots are taken that no run holds."""
    with reachable_api(), get_client(sync_client=True) as client:
        kept, slots = lease_storage(client), slot_owners.look(client, LIMITS).values()
    lost = ": leases are lost when the server restarts" if kept == "memory" else ""
    return [
        Observation(
            "lease storage",
            works=kept != "memory",
            needed=False,
            seen=f"{kept or 'the server does not say'}{lost}",
            remedy=LEASES_REMEDY,
            verified=False,
        ),
        Observation(
            "provider slots",
            works=not any(slot.ownerless for slot in slots),
            needed=True,
            seen="; ".join(str(slot) for slot in slots) or "no limits; calls are not limited",
            remedy=f"{INIT}. It frees slots that no run holds, after two minutes.",
        ),
    ]


def see_setup() -> list[Observation]:
    """Work pool and workers, deployments and their folders, crashed runs, the automation."""
    with reachable_api(), get_client(sync_client=True) as client:
        return [
            _pool(client),
            _weekly(client),
            _folders(client),
            _crashed(client),
            _automation(client),
        ]


def _pool(client: SyncPrefectClient) -> Observation:
    try:
        pool = client.read_work_pool(WORK_POOL)
    except ObjectNotFound:
        return Observation("work pool", works=False, needed=True, seen="none", remedy=INIT)
    workers = client.request(
        "POST",
        "/work_pools/{work_pool_name}/workers/filter",
        path_params={"work_pool_name": WORK_POOL},
        json={},
    ).json()
    online = [worker["name"] for worker in workers if worker["status"] == "ONLINE"]
    paused = ", paused" if pool.is_paused else ""
    return Observation(
        "workers",
        works=bool(online) and not pool.is_paused,
        needed=True,
        seen=f"pool {WORK_POOL}{paused}: {', '.join(online) or 'none online'}",
        remedy=f"Run: prefect worker start --pool {WORK_POOL}",
    )


def _weekly(client: SyncPrefectClient) -> Observation:
    try:
        deployed = client.read_deployment_by_name(WEEKLY)
    except ObjectNotFound:
        remedy = "Run: prefect --no-prompt deploy --all"
        return Observation("weekly-refresh", works=False, needed=True, seen="none", remedy=remedy)
    active = [schedule for schedule in deployed.schedules if schedule.active]
    tagged = TAG in deployed.tags
    return Observation(
        "weekly-refresh",
        works=tagged and bool(active) and not deployed.paused,
        needed=True,
        seen=f"{len(active)} active schedules"
        + (", paused" if deployed.paused else "")
        + ("" if tagged else f", without the tag {TAG}: its dead runs are not ended"),
        remedy="Compare it with prefect.yaml and deploy again.",
        verified=False,
    )


def _folders(client: SyncPrefectClient) -> Observation:
    """Absolute folders that deployments of ours start in, and whether they are on this machine.

    Without its folder a run crashes before any code of this package starts.
    """
    ours = client.read_deployments(flow_filter=FlowFilter(name=FlowFilterName(any_=list(FLOWS))))
    named = {(deployed.name, folder) for deployed in ours for folder in _absolute(deployed)}
    missing = sorted(pair for pair in named if not Path(pair[1]).is_dir())
    told = [f"{name} starts in {folder}, which is not on this machine" for name, folder in missing]
    return Observation(
        "deployment folders",
        works=not missing,
        needed=False,  # the worker may be another machine
        seen="; ".join(told) or ("all here" if named else "none needed"),
        remedy="Set `pull: []` and `working_dir: .` as in prefect.yaml, then deploy again; or make "
        "the folder on every worker.",
        verified=False,
    )


def _crashed(client: SyncPrefectClient) -> Observation:
    """Recent crashed runs of our flows, with the reason that Prefect gives for the latest."""
    since = datetime.now(timezone.utc) - timedelta(days=CRASHED_DAYS)
    crashed = FlowRunFilterState(type=FlowRunFilterStateType(any_=[StateType.CRASHED]))
    newest_first = client.read_flow_runs(
        flow_filter=FlowFilter(name=FlowFilterName(any_=list(FLOWS))),
        flow_run_filter=FlowRunFilter(state=crashed),
        sort=FlowRunSort.EXPECTED_START_TIME_DESC,
    )
    recent = [run for run in newest_first if run.created and run.created >= since]
    told = f"none in {CRASHED_DAYS} days"
    if recent:
        newest = recent[0]
        said = newest.state.message if newest.state else ""
        reason = " ".join((said or "no reason given").split())
        told = f"{len(recent)} in {CRASHED_DAYS} days; the newest, {newest.name}: {reason}"
    return Observation(
        "crashed runs",
        works=not recent,
        needed=False,
        seen=told,
        remedy="A run that crashes before it starts lacks its folder (above) or the package: read "
        "the log of the worker. Then run the deployment again.",
        verified=False,
    )


def _absolute(deployed: DeploymentResponse) -> set[str]:
    given = [(deployed.job_variables or {}).get("working_dir"), deployed.path]
    for step in deployed.pull_steps or ():
        given += [(inputs or {}).get("directory") for inputs in step.values()]
    return {text for text in given if isinstance(text, str) and Path(text).is_absolute()}


def _automation(client: SyncPrefectClient) -> Observation:
    wanted = end_dead_runs()
    known = client.read_automations_by_name(wanted.name)
    on = [there for there in known if there.enabled]
    old = [there for there in known if updated(there, wanted) is not None]
    seen = "on" if on else "off" if known else "none"
    return Observation(
        "automation that ends dead runs",
        works=bool(on) and not old,
        needed=True,
        seen=seen + (", of an earlier release: it ends runs of other flows as well" if old else ""),
        remedy=INIT,
        verified=False,
    )
