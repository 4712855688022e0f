"""Checks are recorded at once, and once for each question and run."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from store.ledger import CHECKED, checked, start
from store.sheet import DAY, NOW, WEEK, sheet

from freshqa.errors import NotFound
from freshqa.maintaining.proposal import Outcome
from freshqa.store.changes import last_checked
from freshqa.store.checks import checked_keys, checks, record_check
from freshqa.store.database import Store
from freshqa.store.proposals import proposals
from freshqa.store.publishing import publish
from freshqa.store.runs import finish_run, start_run


@pytest.fixture
def running(store: Store) -> Store:
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None)
    start(store)
    return store


def test_a_check_reads_back_with_its_proposal(running: Store) -> None:
    id_ = record_check(running, "week-11", CHECKED, now=NOW)
    plain = checked(sheet()[2], Outcome.unchanged)
    assert record_check(running, "week-11", plain, now=NOW) is None
    assert checks(running, "week-11") == (CHECKED, plain)
    assert [stored.id for stored in proposals(running)] == [id_]


def test_recording_twice_changes_nothing(running: Store) -> None:
    first = record_check(running, "week-11", CHECKED, now=NOW)
    again = record_check(running, "week-11", replace(CHECKED, risk=0.1), now=NOW + WEEK)
    assert first == again
    assert checks(running, "week-11") == (CHECKED,)


def test_concurrent_recordings_keep_one_check(running: Store) -> None:
    with ThreadPoolExecutor(8) as threads:
        ids = list(
            threads.map(lambda _: record_check(running, "week-11", CHECKED, now=NOW), range(16))
        )
    assert len(set(ids)) == 1
    assert len(proposals(running)) == 1


def test_a_failed_check_stays_due_and_may_be_repeated(running: Store) -> None:
    question = sheet()[1]
    failed = checked(question, Outcome.failed)
    for _ in range(2):
        assert record_check(running, "week-11", failed, now=NOW) is None
    assert checked_keys(running, "week-11") == set()
    assert last_checked(running) == {}
    assert checks(running, "week-11") == (failed,)
    record_check(running, "week-11", CHECKED, now=NOW)
    assert checked_keys(running, "week-11") == {question.key}
    assert checks(running, "week-11") == (CHECKED,)


def test_the_last_check_is_the_day_of_the_latest_run(running: Store) -> None:
    record_check(running, "week-11", CHECKED, now=NOW)
    start_run(
        running,
        key="week-12",
        flow="refresh",
        as_of=DAY + WEEK,
        base_version=1,
        settings={},
        now=NOW,
    )
    record_check(running, "week-12", checked(sheet()[1], Outcome.unchanged), now=NOW)
    record_check(running, "week-12", checked(sheet()[2], Outcome.failed), now=NOW)
    assert last_checked(running) == {sheet()[1].key: DAY + WEEK}


def test_a_resumed_run_knows_its_recorded_checks(running: Store) -> None:
    record_check(running, "week-11", CHECKED, now=NOW)
    finish_run(running, "week-11", state="failed", summary={}, now=NOW)
    start(running)
    assert checked_keys(running, "week-11") == {CHECKED.key}


def test_a_check_needs_its_run_and_its_question(running: Store) -> None:
    with pytest.raises(NotFound, match="Run not found: 'week-99'"):
        record_check(running, "week-99", CHECKED, now=NOW)
    with pytest.raises(NotFound, match="Question 'q-other' not found"):
        record_check(running, "week-11", replace(CHECKED, key="q-other"), now=NOW)
    with pytest.raises(NotFound, match="Run not found"):
        checks(running, "week-99")
