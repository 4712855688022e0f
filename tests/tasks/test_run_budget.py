"""The budget of a run holds over all the processes that work on it."""

from __future__ import annotations

from store.ledger import start
from store.processes import start_together

from freshqa.store.database import Store
from freshqa.store.spending import spent
from prefect_freshqa.tasks.cached_providers import LOOK_AGAIN

LIMIT, PROCESSES, SECONDS = 20, 3, 0.25
SPENDER = f"""
import sys
from contextlib import suppress
from datetime import timedelta
from store.sheet import DAY
from store.test_cache import PaidEngine
from freshqa.errors import BudgetExhausted
from freshqa.store.database import Store
from freshqa.store.cache import CachedSearch
from freshqa.store.runs import get_run
from prefect_freshqa.tasks.cached_providers import clock, run_budget
store = Store.open(sys.argv[1])
budget = run_budget(store, get_run(store, "week-11"), searches={LIMIT})
engine = CachedSearch(
    PaidEngine(seconds={SECONDS}), store, "week-11",
    now=clock, window=timedelta(days=1), budget=budget,
)
print("ready", flush=True)
sys.stdin.readline()
with suppress(BudgetExhausted):
    for number in range({LIMIT}):
        engine.search(f"{{sys.argv[2]}} {{number}}", as_of=DAY)
"""


def test_processes_that_spend_at_once_share_one_budget(store_url: str) -> None:
    store = Store.open(store_url, create=True)
    start(store)
    own = [[store_url, f"process {number}"] for number in range(PROCESSES)]
    spenders = start_together(SPENDER, *own)
    assert [spender.communicate()[0] for spender in spenders] == [""] * PROCESSES
    between_looks = round(LOOK_AGAIN / SECONDS) + 1  # and the one in flight
    assert LIMIT <= spent(store, "week-11").searches <= LIMIT + (PROCESSES - 1) * between_looks
    store.close()
