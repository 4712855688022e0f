"""What `init` makes of a Prefect server, and that repeating it changes nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from inspect import isfunction

import pytest
from prefect import states
from prefect.client.orchestration import get_client
from prefect.events import emit_event
from prefect.events.schemas.events import ResourceSpecification
from prefect.events.worker import EventsWorker
from servers.prefect_server import POOL, PrefectServer
from servers.using import using

from freshqa.errors import NotFound
from prefect_freshqa.provision.automations import UNDER_WAY, end_dead_runs
from prefect_freshqa.provision.server import LIMITS, WORK_POOL, provision_server

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("prefect")]


@pytest.fixture(autouse=True)
def api(prefect_server: PrefectServer) -> Iterator[None]:
    with using(f"{prefect_server.url}/api"):
        yield


def test_it_creates_what_is_missing_and_leaves_what_is_there(prefect_server: PrefectServer) -> None:
    first = provision_server()
    assert first[f"work pool {WORK_POOL}"] == "there already"  # the fixture made it
    with get_client(sync_client=True) as client:
        client.upsert_global_concurrency_limit_by_name("freshqa-model", 3)
    assert set(provision_server().values()) == {"there already"}
    limits = {x["name"]: x["limit"] for x in prefect_server.post("/v2/concurrency_limits/filter")}
    ours = {name: limits[name] for name in LIMITS}
    with get_client(sync_client=True) as client:  # later tests want it as it is made
        client.upsert_global_concurrency_limit_by_name("freshqa-model", LIMITS["freshqa-model"])
    assert ours == {**LIMITS, "freshqa-model": 3}
    assert WORK_POOL == POOL


def test_an_unknown_notification_block_is_named() -> None:
    with pytest.raises(NotFound, match="slack-webhook/nobody"):
        provision_server(notify="slack-webhook/nobody")


SILENCE = timedelta(seconds=10)


DEAD = (
    ("Pending", "Submitting"),
    ("Pending", "Running"),
    ("Pending", "Running", "heartbeat"),
)
"""How far a run may have come when its process dies."""
ASLEEP = ("Pending", "Running", "heartbeat", "Suspended")


@contextmanager
def watched_run(server: PrefectServer) -> Iterator[str]:
    """A scheduled run that the automation as shipped watches, for seconds instead of minutes."""
    flow = server.post("/flows/", name="dies")
    run = server.post("/flow_runs/", flow_id=flow["id"], state={"type": "SCHEDULED"})
    automation = end_dead_runs(silence=SILENCE)
    automation.trigger.match = ResourceSpecification(
        {"prefect.resource.id": f"prefect.flow-run.{run['id']}"}
    )
    automation.name = f"test {run['id']}"
    with get_client(sync_client=True) as client:
        made = client.create_automation(automation)
        yield run["id"]
        client.delete_automation(made)


def move(server: PrefectServer, run: str, *states: str) -> None:
    """Set the states of a run, one after the other; `heartbeat` is a sign of life."""
    for name in states:
        if name == "heartbeat":
            resource = {"prefect.resource.id": f"prefect.flow-run.{run}"}
            emit_event("prefect.flow-run.heartbeat", resource=resource)
            EventsWorker.drain_all(timeout=10, at_exit=False)
            continue
        kind = {"Suspended": "PAUSED", "Submitting": "PENDING"}.get(name, name.upper())
        state = {"type": kind, "name": name, "state_details": {}}
        server.post(f"/flow_runs/{run}/set_state", state=state, force=True)


def test_every_name_of_a_state_with_a_process_is_a_sign() -> None:
    made = [make() for name, make in vars(states).items() if name[0].isupper() and isfunction(make)]
    alive = {state.name for state in made if state.is_pending() or state.is_running()}
    assert alive == set(UNDER_WAY) - {"heartbeat"}


def test_runs_without_a_sign_of_life_are_ended_and_a_suspended_one_is_not(
    prefect_server: PrefectServer,
) -> None:
    with ExitStack() as automations:
        asleep, *dead = [automations.enter_context(watched_run(prefect_server)) for _ in range(4)]
        time.sleep(2)  # the server reads new triggers from its database every second or so
        move(prefect_server, asleep, *ASLEEP)
        for run, signs in zip(dead, DEAD, strict=True):
            move(prefect_server, run, *signs)
        for run in dead:
            ended = prefect_server.wait_for_run(run, states={"CRASHED"})
            assert "the process is gone" in ended["state"]["message"]
        time.sleep(SILENCE.total_seconds())  # the one that sleeps had the chance before they had
        assert prefect_server.get(f"/flow_runs/{asleep}")["state"]["name"] == "Suspended"
