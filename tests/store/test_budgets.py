"""Reservations of the budget of a run are released, charged, and removed with their process."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import select
from store.ledger import start
from store.processes import python, wait_for
from store.sheet import NOW

from freshqa.answering.budget import Spent
from freshqa.errors import BudgetExhausted
from freshqa.evidence.search_engine import SearchResult
from freshqa.store.budgets import RunBudget
from freshqa.store.calls import record_search
from freshqa.store.database import Store
from freshqa.store.leases import LEASE
from freshqa.store.ledger_schema import metadata, reservation

HOLDER = """
import sys
from datetime import datetime, timezone
from freshqa.store.budgets import RunBudget
from freshqa.store.database import Store
budget = RunBudget(Store.open(sys.argv[1]), "week-11", searches=1,
                   now=lambda: datetime.now(timezone.utc))
with budget.search():
    print("ready", flush=True)
    sys.stdin.readline()
"""


def budget_of(store: Store, *, now: datetime = NOW, searches: int = 1) -> RunBudget:
    return RunBudget(store, "week-11", searches=searches, now=lambda: now)


def reserved(store: Store) -> int:
    with store.read() as connection:
        return len(connection.execute(select(reservation)).all())


def paid(name: str, cost: str = "0.10") -> SearchResult:
    return SearchResult("paid", name, {}, NOW, cost_usd=Decimal(cost))


def test_a_failed_call_releases_its_reservation(store: Store) -> None:
    start(store)
    for _ in range(3):
        with pytest.raises(OSError, match="down"), budget_of(store).search():
            assert reserved(store) == 1
            raise OSError("down")
    assert reserved(store) == 0


def test_a_recorded_call_ends_its_reservation_in_the_same_transaction(store: Store) -> None:
    start(store)
    budget = budget_of(store)
    with budget.search() as held:
        record_search(store, "week-11", paid("moons"), "h" * 64, reservation=held)
        assert reserved(store) == 0
    assert budget.spent == Spent(searches=1, usd=Decimal("0.10"))
    with pytest.raises(BudgetExhausted, match="1 searches"), budget.search():
        raise AssertionError("the call was made")


def test_calls_paid_before_the_limit_was_set_count(store: Store) -> None:
    start(store)
    for name in "ab":
        record_search(store, "week-11", paid(name), name * 64)
    with budget_of(store, searches=3).search() as reserved:
        record_search(store, "week-11", paid("c"), "c" * 64, reservation=reserved)
    with pytest.raises(BudgetExhausted), budget_of(store, searches=3).search():
        raise AssertionError("the call was made")


def test_a_reservation_ends_with_its_process(store_url: str) -> None:
    store = Store.open(store_url, create=True)
    start(store)
    holder = python(HOLDER, store_url)
    wait_for(holder, "ready")
    with pytest.raises(BudgetExhausted), budget_of(store).search():
        raise AssertionError("the call was made")
    holder.kill()
    holder.wait()
    with budget_of(store).search():
        assert reserved(store) == 1
    store.close()


def test_a_reservation_of_another_machine_ends_with_its_lease(store: Store) -> None:
    start(store)
    with budget_of(store).search() as held, store.write() as connection:
        elsewhere = reservation.update().where(reservation.c.id == held.id)
        connection.execute(elsewhere.values(owner="another-host/1/mark"))
        held.settled = True  # its process has died
    with pytest.raises(BudgetExhausted), budget_of(store, now=NOW + LEASE / 2).search():
        raise AssertionError("the call was made")
    with budget_of(store, now=NOW + LEASE + timedelta(seconds=1)).search():
        assert reserved(store) == 1


def test_without_a_limit_nothing_is_reserved(store: Store) -> None:
    start(store)
    with RunBudget(store, "week-11", now=lambda: NOW).search():
        assert reserved(store) == 0


def test_the_migrations_make_exactly_the_declared_tables(store: Store) -> None:
    ours = {"include_name": lambda name, kind, _: kind != "table" or name in metadata.tables}
    options = {**ours, "compare_type": True, "compare_server_default": True}
    with store.read() as connection:
        context = MigrationContext.configure(connection, opts=options)
        kept = [change for change in compare_metadata(context, metadata) if "fk" not in str(change)]
    assert kept == []
