"""One run for each key, resumed after a failure, never worked on twice at the same time."""

from __future__ import annotations

import os
import socket
from datetime import timedelta

import pytest
from store.ledger import CHECKED, start
from store.processes import python, wait_for
from store.sheet import DAY, NOW, sheet

from freshqa.errors import Conflict, NotFound
from freshqa.store.checks import record_check
from freshqa.store.database import Store
from freshqa.store.leases import LEASE, lease_owner, may_take_over
from freshqa.store.publishing import publish
from freshqa.store.runs import (
    finish_run,
    get_run,
    list_runs,
    start_run,
)

START = """
import sys
from datetime import datetime
from store.ledger import start
from freshqa.store.database import Store
store = Store.open(sys.argv[1])
start(store)
print("started", flush=True)
sys.stdin.read()
"""


def test_a_run_keeps_its_settings(store: Store) -> None:
    run, resumed = start_run(
        store,
        key="week-11",
        flow="refresh",
        as_of=DAY,
        base_version=4,
        settings={"n": [1]},
        now=NOW,
        flow_run_id="abc",
    )
    assert not resumed
    assert run == get_run(store, run.key)
    assert (run.key, run.state, run.as_of, run.base_version) == ("week-11", "running", DAY, 4)
    assert (run.settings, run.started_at, run.flow_run_id) == ({"n": [1]}, NOW, "abc")


def test_a_failed_run_resumes_with_its_settings(store: Store) -> None:
    start(store)
    finish_run(store, "week-11", state="failed", summary={"why": "quota"}, now=NOW)
    run, resumed = start_run(
        store,
        key="week-11",
        flow="refresh",
        as_of=DAY + timedelta(days=3),
        base_version=9,
        settings={},
        now=NOW + timedelta(days=3),
    )
    assert resumed
    assert (run.state, run.as_of, run.base_version, run.settings) == ("running", DAY, 1, {"n": 20})
    assert run.finished_at is None


def test_a_completed_run_is_returned_unchanged(store: Store) -> None:
    start(store)
    finished = finish_run(store, "week-11", state="completed", summary={"checked": 3}, now=NOW)
    again, resumed = start_run(
        store, key="week-11", flow="refresh", as_of=DAY, base_version=1, settings={}, now=NOW
    )
    assert resumed
    assert again == finished
    assert (again.state, again.summary, again.finished_at) == ("completed", {"checked": 3}, NOW)


def test_a_run_that_another_process_works_on_is_refused_and_the_process_named(
    store: Store, store_url: str
) -> None:
    other = python(START, store_url)
    wait_for(other, "started")
    with pytest.raises(
        Conflict, match=f"process {other.number} on {socket.gethostname()} is working"
    ):
        start(store)
    other.kill()
    other.communicate()
    assert start(store).state == "running"  # the dead one does not stand in the way


def test_the_same_process_cannot_start_a_run_twice(store: Store) -> None:
    start(store)
    with pytest.raises(Conflict, match="already in progress"):
        start(store)


def test_a_retry_of_the_same_flow_run_takes_over_its_run(store: Store) -> None:
    started = {"flow": "refresh", "as_of": DAY, "base_version": 1, "settings": {}, "now": NOW}
    start_run(store, key="k", flow_run_id="abc", **started)
    with pytest.raises(Conflict):
        start_run(store, key="k", flow_run_id="def", **started)
    assert start_run(store, key="k", flow_run_id="abc", **started)[1]


def test_a_run_without_activity_can_be_taken_over_after_its_lease(store: Store) -> None:
    start(store)
    with pytest.raises(Conflict):
        start(store, now=NOW + LEASE - timedelta(seconds=1))
    start(store, now=NOW + LEASE)


def test_each_check_extends_the_lease(store: Store) -> None:
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None)
    start(store)
    record_check(store, "week-11", CHECKED, now=NOW + LEASE * 0.9)
    with pytest.raises(Conflict):
        start(store, now=NOW + LEASE * 1.5)


@pytest.mark.parametrize(
    ("owner", "free"),
    [
        (lease_owner(), False),
        (lease_owner()[:-3] + "xyz", True),  # our number, but an earlier process
        (f"{socket.gethostname()}/{os.getppid()}/a", False),
        (f"{socket.gethostname()}/99999999/a", True),
        ("another-machine/99999999/a", False),
    ],
    ids=("this process", "its number before", "alive", "dead", "on another machine"),
)
def test_a_lease_is_taken_over_early_only_from_a_dead_process_on_this_machine(
    owner: str, free: bool
) -> None:
    assert may_take_over(owner, NOW + LEASE, now=NOW) is free


def test_runs_are_listed_newest_first_and_also_when_one_is_not_found(store: Store) -> None:
    start(store)
    start(store, "week-12")
    assert [run.key for run in list_runs(store)] == ["week-12", "week-11"]
    with pytest.raises(
        NotFound, match=r"Run not found: 'week-13'\. The latest runs are: week-12, week-11"
    ):
        get_run(store, "week-13")
    with pytest.raises(NotFound, match="Run not found"):
        finish_run(store, "week-13", state="failed", summary={}, now=NOW)
    with pytest.raises(ValueError, match="not 'stopped'"):
        finish_run(store, "week-12", state="stopped", summary={}, now=NOW)
