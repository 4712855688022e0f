"""The budget of a run holds over all its processes.

No call ends before every thread has either started one or been refused: what is counted does not
depend on time.
"""

from __future__ import annotations

import queue
import subprocess
import threading
from decimal import Decimal
from typing import Any

import pytest
from servers.scripted_server import Reply, Request, ScriptedServer
from store.ledger import start
from store.processes import start_together

from freshqa.answering.budget import Spent
from freshqa.store.budgets import spent
from freshqa.store.database import Store

PROCESSES, THREADS = 3, 4
SPENDER = f"""
import sys, threading, urllib.request
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from store.sheet import DAY
from freshqa.answering.language_model import Completion, Message, Usage, prompt_hash
from freshqa.errors import BudgetExhausted
from freshqa.evidence.search_engine import SearchResult
from freshqa.store.cache import CachedModel, CachedSearch
from freshqa.store.database import Store
from freshqa.store.runs import get_run
from prefect_freshqa.tasks.cached_providers import clock, run_budget

url, what, limit, provider, name = sys.argv[1:]
PRICE = Decimal("0.10")

class Engine:
    name = "paid"
    def search(self, query, *, as_of):
        urllib.request.urlopen(provider, timeout=300).read()
        return SearchResult("paid", query, {{}}, datetime.now(timezone.utc), cost_usd=PRICE)
    def complete(self, messages, **_):
        urllib.request.urlopen(provider, timeout=300).read()
        return Completion("yes", "paid", prompt_hash(messages), datetime.now(timezone.utc),
                          usage=Usage(90, 10), cost_usd=PRICE)

store = Store.open(url)
limits = {{what: Decimal(limit) if what == "usd" else int(limit)}}
budget = run_budget(store, get_run(store, "week-11"), **limits)
shared = dict(now=clock, window=timedelta(days=1), budget=budget)
search = CachedSearch(Engine(), store, "week-11", **shared)
model = CachedModel(Engine(), store, "week-11", **shared)
printing = threading.Lock()

def spend(number):
    said = f"{{name}} {{number}}"
    try:
        if what == "tokens":
            model.complete([Message("user", said)])
        else:
            search.search(said, as_of=DAY)
        outcome = "paid"
    except BudgetExhausted:
        outcome = "refused"
    with printing:
        print(outcome, flush=True)

print("ready", flush=True)
sys.stdin.readline()
threads = [threading.Thread(target=spend, args=(n,)) for n in range({THREADS})]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


class Provider(ScriptedServer):
    """Holds every call until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()
        self.arrived: queue.SimpleQueue[str] = queue.SimpleQueue()

    def normal(self, request: Request) -> Reply:
        self.arrived.put("started")
        self.go.wait(300)
        return Reply(body={})


def told(spender: subprocess.Popen[str], heard: queue.SimpleQueue[str]) -> threading.Thread:
    """Pass on every line that a process prints."""

    def listen() -> None:
        assert spender.stdout is not None
        for line in spender.stdout:
            heard.put(line.strip())

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    return listener


def pay_at_once(url: str, what: str, limit: str) -> dict[str, int]:
    """Every thread of every process asks once; how many were started and how many refused."""
    provider = Provider()
    with provider.running():
        own = [[url, what, limit, provider.url, f"process {n}"] for n in range(PROCESSES)]
        spenders = start_together(SPENDER, *own)
        heard = provider.arrived
        listeners = [told(spender, heard) for spender in spenders]
        seen = [heard.get(timeout=250) for _ in range(PROCESSES * THREADS)]
        provider.go.set()
        for spender, listener in zip(spenders, listeners, strict=True):
            spender.wait(timeout=250)
            listener.join()
    return {outcome: seen.count(outcome) for outcome in ("started", "refused")}


def known_price(url: str, what: str) -> None:
    """Pay for one call before, so that its price is known."""
    provider = Provider()
    provider.go.set()
    with provider.running():
        [spender] = start_together(
            SPENDER.replace(f"range({THREADS})", "range(1)"),
            [url, what, "100", provider.url, "one"],
        )
        assert spender.communicate(timeout=250)[0] == "paid\n"


@pytest.mark.parametrize("limit", [1, 5, 12, 20])
def test_searches_never_exceed_the_limit(store_url: str, limit: int) -> None:
    store = Store.open(store_url, create=True)
    start(store)
    calls = PROCESSES * THREADS
    allowed = min(limit, calls)
    assert pay_at_once(store_url, "searches", str(limit)) == {
        "started": allowed,
        "refused": calls - allowed,
    }
    assert spent(store, "week-11").searches == allowed
    store.close()


@pytest.mark.parametrize(
    ("what", "limit", "allowed", "total"),
    [
        ("usd", "0.45", 3, Spent(4, 0, 0, Decimal("0.40"))),
        ("tokens", "550", 4, Spent(0, 5, 500, Decimal("0.50"))),
    ],
)
def test_money_and_tokens_never_exceed_the_limit_once_the_price_is_known(
    store_url: str, what: str, limit: str, allowed: int, total: Spent
) -> None:
    store = Store.open(store_url, create=True)
    start(store)
    known_price(store_url, "tokens" if what == "tokens" else "usd")
    seen: dict[str, Any] = pay_at_once(store_url, what, limit)
    assert seen == {"started": allowed, "refused": PROCESSES * THREADS - allowed}
    assert spent(store, "week-11") == total
    store.close()
