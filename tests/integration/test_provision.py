"""`init` prepares a Prefect server, and repeating it changes nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from importlib import import_module
from inspect import isfunction
from pathlib import Path
from typing import Any

import pytest
from prefect import Flow, states
from prefect.blocks.notifications import SlackWebhook as Webhook
from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import GlobalConcurrencyLimitUpdate
from prefect.events import emit_event
from prefect.events.schemas.automations import EventTrigger
from prefect.events.schemas.events import ResourceSpecification
from prefect.events.worker import EventsWorker
from servers.prefect_server import POOL, PrefectServer
from servers.using import using

from freshqa.errors import NotFound
from prefect_freshqa.provision.automations import UNDER_WAY, end_dead_runs, tell_people
from prefect_freshqa.provision.leases import free_ownerless_slots, leases_lost_at_restart
from prefect_freshqa.provision.server import (
    LIMITS,
    WORK_POOL,
    provision_server,
    wait_for_server,
)
from prefect_freshqa.tasks.flow_names import FLOWS, TAG
from prefect_freshqa.tasks.provider_slots import SURE_AFTER

pytestmark = pytest.mark.integration


@pytest.fixture(autouse=True)
def api(prefect_server: PrefectServer) -> Iterator[None]:
    with using(f"{prefect_server.url}/api"):
        yield


FLOW_FILES = Path(__file__).parents[2] / "flows"
FOREIGN = "nightly-etl"
SILENCE = timedelta(seconds=10)
"""Prefect takes nothing shorter."""
DEAD = (
    ("Pending", "Submitting"),
    ("Pending", "Running"),
    ("Pending", "Running", "heartbeat"),
)
"""How far a run may have come when its process dies."""
ASLEEP = ("Pending", "Running", "heartbeat", "Suspended")


@dataclass(frozen=True)
class Watched:
    """A run, the signs of life that it gives, and of what flow with which tags it is."""

    run: str
    flow: str
    tags: tuple[str, ...]
    signs: tuple[str, ...]


class Watch:
    """Runs on a server that other teams share, and the automation as shipped but for its patience."""

    def __init__(self, server: PrefectServer) -> None:
        self.server = server
        self.foreign = [self.begun(FOREIGN, (), DEAD[2]), self.begun(FOREIGN, (TAG,), DEAD[2])]
        self.namesake = self.begun("evaluate-model", (), DEAD[2])
        self.waiting = self.begun(FOREIGN, (), ("Pending",))
        self.asleep = self.begun("refresh-dataset", (TAG,), ASLEEP)
        self.dead = [self.begun("refresh-dataset", (TAG,), signs) for signs in DEAD]
        self.dead.append(self.begun("evaluate-model", (TAG,), DEAD[2]))

    def begun(self, flow: str, tags: tuple[str, ...], signs: tuple[str, ...]) -> Watched:
        """A scheduled run of a flow by that name."""
        known = self.server.post("/flows/", name=flow)
        state = {"type": "SCHEDULED"}
        run = self.server.post("/flow_runs/", flow_id=known["id"], state=state, tags=tags)
        return Watched(str(run["id"]), flow, tags, signs)

    def give_signs(self) -> None:
        """Give the signs of all runs; the dead come last, and so are the last to be ended."""
        for each in (*self.foreign, self.namesake, self.waiting, self.asleep, *self.dead):
            for sign in each.signs:
                if sign == "heartbeat":
                    beat(each)
                else:
                    self.move(each.run, sign)

    def move(self, run: str, name: str) -> None:
        """Set the state of a run."""
        kind = {"Suspended": "PAUSED", "Submitting": "PENDING"}.get(name, name.upper())
        state = {"type": kind, "name": name, "state_details": {}}
        self.server.post(f"/flow_runs/{run}/set_state", state=state, force=True)

    def wait_until_the_dead_are_ended(self) -> None:
        """A busy server reads new triggers from its database late; then the signs are given again."""
        for _ in range(4):
            self.give_signs()
            with suppress(AssertionError):
                for each in self.dead:
                    self.server.wait_for_run(each.run, states={"CRASHED"}, patience=45)
                time.sleep(1)  # what was decided together is done one after the other
                return
        raise AssertionError("dead runs are not ended")

    def state(self, watched: Watched) -> dict[str, Any]:
        state: dict[str, Any] = self.server.get(f"/flow_runs/{watched.run}")["state"]
        return state


@pytest.fixture(scope="module")
def watch(prefect_server: PrefectServer) -> Iterator[Watch]:
    with using(f"{prefect_server.url}/api"), get_client(sync_client=True) as client:
        automation = end_dead_runs(silence=SILENCE)
        automation.name = "test: end runs"
        automation_id = client.create_automation(automation)
        runs = Watch(prefect_server)
        time.sleep(2)  # mostly the server has read the trigger by then
        runs.wait_until_the_dead_are_ended()
        yield runs
        client.delete_automation(automation_id)


def beat(watched: Watched) -> None:
    """One heartbeat as Prefect's engine sends it, with the flow and the tags of the run."""
    related = [
        {
            "prefect.resource.id": "prefect.flow.1",
            "prefect.resource.role": "flow",
            "prefect.resource.name": watched.flow,
        },
        *(
            {"prefect.resource.id": f"prefect.tag.{tag}", "prefect.resource.role": "tag"}
            for tag in watched.tags
        ),
    ]
    resource = {"prefect.resource.id": f"prefect.flow-run.{watched.run}"}
    emit_event("prefect.flow-run.heartbeat", resource=resource, related=related)
    EventsWorker.drain_all(timeout=10, at_exit=False)


def test_init_creates_what_is_missing_and_keeps_what_exists(prefect_server: PrefectServer) -> None:
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


def test_every_pending_and_running_state_counts_as_a_sign_of_life() -> None:
    all_states = [
        make() for name, make in vars(states).items() if name[0].isupper() and isfunction(make)
    ]
    alive = {state.name for state in all_states if state.is_pending() or state.is_running()}
    assert alive == set(UNDER_WAY) - {"heartbeat"}


def test_an_automation_of_an_earlier_release_is_updated() -> None:
    wanted = end_dead_runs()
    with get_client(sync_client=True) as client:
        for known in client.read_automations_by_name(wanted.name):
            client.delete_automation(known.id)
        earlier = end_dead_runs(silence=timedelta(seconds=700))
        assert isinstance(earlier.trigger, EventTrigger)
        earlier.trigger.match_related = ResourceSpecification({})  # every flow, as it was
        client.create_automation(earlier)
        assert provision_server()[f"automation {wanted.name}"] == "updated"
        assert provision_server()[f"automation {wanted.name}"] == "there already"
        [there] = client.read_automations_by_name(wanted.name)
    assert isinstance(there.trigger, EventTrigger) and isinstance(wanted.trigger, EventTrigger)
    assert there.trigger.match_related == wanted.trigger.match_related
    assert there.trigger.within == timedelta(seconds=700)


def test_the_automation_covers_every_flow() -> None:
    names = {
        known.name
        for path in sorted(FLOW_FILES.glob("*.py"))
        if path.stem != "__init__"
        for known in vars(import_module(f"prefect_freshqa.flows.{path.stem}")).values()
        if isinstance(known, Flow)
    }
    assert set(FLOWS) == names


def test_slots_of_a_restarted_server_are_found_and_freed(prefect_server: PrefectServer) -> None:
    waits: list[float] = []
    with get_client(sync_client=True) as client:
        client.upsert_global_concurrency_limit_by_name("freshqa-search", 16)
        client.update_global_concurrency_limit(
            "freshqa-search", GlobalConcurrencyLimitUpdate(active_slots=7)
        )
        said: list[str] = []
        freed = free_ownerless_slots(client, say=said.append, sleep=waits.append)
        assert (freed, waits) == ({"freshqa-search": 7}, [SURE_AFTER])
        assert "without an owner" in said[0]
        assert client.read_global_concurrency_limit_by_name("freshqa-search").active_slots == 0
        assert free_ownerless_slots(client, say=said.append, sleep=waits.append) == {}
        assert leases_lost_at_restart(client) == ""  # the servers of tests keep them in files


def test_init_waits_for_a_server_that_is_starting() -> None:
    clock, said = [0.0], []

    def sleep(seconds: float) -> None:
        clock[0] += seconds

    with using("http://127.0.0.1:9/api"):
        wait_for_server(say=said.append, sleep=sleep, clock=lambda: clock[0])
    assert clock[0] == 60.0 and "http://127.0.0.1:9/api (0 of 60 s)" in said[0]


def test_init_changes_the_target_of_notifications() -> None:
    first, second = (Webhook(url=f"https://{name}.example/") for name in ("one", "two"))
    ids = [block.save(f"target-{number}") for number, block in enumerate((first, second))]
    try:
        provision_server(notify="slack-webhook/target-0")
        done = provision_server(notify="slack-webhook/target-1")
        assert done["automation freshqa: a refresh failed"] == "updated"
        with get_client(sync_client=True) as client:
            [there] = client.read_automations_by_name("freshqa: a refresh failed")
        assert [action.block_document_id for action in there.actions] == [ids[1]]
    finally:
        with get_client(sync_client=True) as client:
            for automation in tell_people(ids[0]):
                for known in client.read_automations_by_name(automation.name):
                    client.delete_automation(known.id)


def test_runs_without_a_sign_of_life_are_ended_and_a_suspended_one_is_not(watch: Watch) -> None:
    messages = [watch.state(dead)["message"] for dead in watch.dead]
    assert all("the process has ended" in message for message in messages)
    assert watch.state(watch.asleep)["name"] == "Suspended"


def test_only_our_runs_are_ended(watch: Watch) -> None:
    assert watch.state(watch.dead[-1])["name"] == "Crashed"  # an evaluation of ours
    assert {watch.state(foreign)["name"] for foreign in watch.foreign} == {"Running"}
    assert watch.state(watch.namesake)["name"] == "Running"
    assert watch.state(watch.waiting)["name"] == "Pending"
