"""A full disk, a locked database, a clock set back, and simultaneous processes."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import replace
from datetime import date, timedelta

import pytest
from servers.holder import held
from store.ledger import CHECKED, start
from store.paid import PROMPT, PaidEngine, PaidModel
from store.processes import start_together
from store.sheet import DAY, NOW, WEEK, sheet

from freshqa.answering.budget import Budget
from freshqa.errors import Conflict, StoreError
from freshqa.evidence.search_engine import SearchResult
from freshqa.maintaining.proposal import Action, Decision
from freshqa.store import connecting
from freshqa.store.cache import CachedModel, CachedSearch
from freshqa.store.checks import checked_keys, record_check
from freshqa.store.database import Store
from freshqa.store.leases import LEASE
from freshqa.store.ledger_schema import run as run_table
from freshqa.store.proposal_decisions import decide
from freshqa.store.proposals import proposals
from freshqa.store.publishing import publish
from freshqa.store.runs import finish_run, keep_alive, list_runs
from freshqa.store.snapshots import snapshot
from freshqa.store.verifying import verify
from freshqa.store.versions import log

NOISE = random.Random(7).randbytes(100_000).hex()  # what is kept is compressed
EARLIER = NOW - timedelta(days=400)
RACE = """
import sys
from store.ledger import start
from freshqa.errors import Conflict
from freshqa.store.database import Store
store = Store.open(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
try:
    start(store)
    print("started", flush=True)
except Conflict as busy:
    print(busy, flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def sqlite_store(sqlite_url: str) -> Store:
    """A store with a sheet of six as version 1."""
    store = Store.open(sqlite_url, create=True)
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None)
    return store


def limit_pages(store: Store, more: int) -> None:
    """Let the file grow by so many pages and no further, as a full disk would."""
    store.close()  # the limit is one of a connection, and the pool then has only this one
    with store.read() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + more}")


def test_a_full_disk_leaves_no_partial_write(sqlite_store: Store) -> None:
    limit_pages(sqlite_store, 10)
    with pytest.raises(StoreError, match=r"is full\. Free disk space") as caught:
        publish(sqlite_store, sheet(400), as_of=DAY, now=NOW, parent=1)
    assert "\n" not in str(caught.value)
    assert [version.number for version in log(sqlite_store)] == [1]
    sqlite_store.close()  # there is room again
    publish(sqlite_store, sheet(400), as_of=DAY, now=NOW, parent=1)
    assert {verified.status for verified in verify(sqlite_store)} == {"ok"}
    assert len(snapshot(sqlite_store, 2)) == 400


class LongReplies(PaidEngine):
    """Its results do not fit where there is hardly any room."""

    def search(self, query: str, *, as_of: date) -> SearchResult:
        return replace(super().search(query, as_of=as_of), body={"text": NOISE})


def test_a_call_that_cannot_be_recorded_is_not_paid_again(sqlite_store: Store) -> None:
    run, engine = start(sqlite_store), LongReplies()

    def behind(budget: Budget) -> CachedSearch:
        return CachedSearch(
            engine, sqlite_store, run.key, now=lambda: NOW, window=WEEK, budget=budget
        )

    stopped = Budget()
    limit_pages(sqlite_store, 2)
    with pytest.raises(StoreError, match="is full"):
        behind(stopped).search("moons", as_of=DAY)
    with pytest.raises(StoreError, match="is full"):
        behind(stopped).search("rings", as_of=DAY)
    assert [query for query, _ in engine.asked] == ["moons"]
    sqlite_store.close()  # there is room again, and the next run has a budget of its own
    behind(Budget()).search("moons", as_of=DAY)
    behind(Budget()).search("moons", as_of=DAY)
    assert [query for query, _ in engine.asked] == ["moons", "moons"]


def test_a_write_waits_for_whoever_holds_the_database(store: Store, store_url: str) -> None:
    def hold() -> None:
        with held(store_url):
            is_held.set()
            time.sleep(0.4)
            lets_go.set()

    is_held, lets_go = threading.Event(), threading.Event()
    other = threading.Thread(target=hold)
    other.start()
    is_held.wait()
    assert start(store).state == "running"
    assert lets_go.is_set()
    other.join()


def test_a_lock_that_lasts_too_long_is_reported_in_one_line(
    store: Store, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connecting, "BUSY_SECONDS", 0.2)
    store.close()  # connections made from now on wait for less
    with held(store_url), pytest.raises(StoreError, match="Another process has locked") as caught:
        start(store)
    assert "\n" not in str(caught.value)
    assert list_runs(store) == ()
    assert start(store).state == "running"


def test_a_clock_set_back_does_not_lock_a_run_for_days(store: Store) -> None:
    start(store)
    keep_alive(store, "week-11", now=EARLIER)  # a sign of life, by the clock as it is now
    with pytest.raises(Conflict):
        start(store, now=EARLIER + LEASE / 2)
    start(store, now=EARLIER + LEASE)


def test_a_busy_run_reports_when_its_lease_ends(store: Store) -> None:
    start(store)
    with store.write() as connection:
        connection.execute(run_table.update().values(lease_owner="another-machine/1/a"))
    with pytest.raises(Conflict, match=r"resumed from 2026-03-09 12:45 UTC"):
        start(store, now=EARLIER)


def test_a_clock_set_back_does_not_repeat_paid_calls(store: Store) -> None:
    run = start(store)
    clock = iter([EARLIER + timedelta(seconds=second) for second in range(99)])
    now, no_window = (lambda: next(clock)), timedelta(0)
    engine, model = PaidEngine(), PaidModel()
    for _ in range(2):
        search = CachedSearch(
            engine, store, run.key, now=now, window=no_window, since=run.started_at
        )
        search.search("moons", as_of=DAY)
        reader = CachedModel(model, store, run.key, now=now, window=no_window, since=run.started_at)
        reader.complete(PROMPT)
    assert (len(engine.asked), len(model.asked)) == (1, 1)


def test_versions_and_decisions_are_not_ordered_by_the_clock(store: Store) -> None:
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None)
    start(store)
    record_check(store, "week-11", CHECKED, now=NOW)
    pending = proposals(store)[0]
    decide(store, Decision(pending.id, Action.accept, by="ada", at=NOW))
    last = Decision(pending.id, Action.reject, by="bo", at=EARLIER)
    assert decide(store, last, revise=True).status == "rejected"
    assert finish_run(store, "week-11", state="failed", summary={}, now=EARLIER).state == "failed"
    publish(store, sheet(7), as_of=DAY, now=EARLIER, parent=1)
    assert [version.number for version in log(store)] == [2, 1]
    assert len(snapshot(store, 2)) == 7
    assert {verified.status for verified in verify(store)} == {"ok"}


def test_only_one_of_several_processes_starts_a_run(store: Store, store_url: str) -> None:
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None)
    racers = start_together(RACE, *[[store_url]] * 3)
    said = [racer.stdout.readline() for racer in racers if racer.stdout is not None]
    assert said.count("started\n") == 1
    assert (
        len(
            [
                line
                for line in said
                if "is already in progress" in line and "Wait until it ends" in line
            ]
        )
        == 2
    )
    assert len(list_runs(store)) == 1
    assert checked_keys(store, "week-11") == set()
    for racer in racers:
        racer.communicate("end\n")
