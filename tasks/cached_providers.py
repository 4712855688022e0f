"""Search engines and models behind the ledger and the budget of one run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from contextlib import nullcontext
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, Generic, TypeVar

from freshqa.answering.budget import Budget
from freshqa.errors import FreshQAError
from freshqa.store.budgets import RunBudget
from freshqa.store.cache import CachedModel, CachedSearch
from freshqa.store.database import Store
from freshqa.store.pages import CachedPages
from freshqa.store.runs import Run
from prefect_freshqa.blocks.resolve import load_model, load_page_reader, load_search_engine
from prefect_freshqa.tasks.call_slots import CallSlots, RunSlots
from prefect_freshqa.tasks.circuit_breaker import BreakingModel, BreakingSearch, CircuitBreaker

Made = TypeVar("Made")


class OnePerRun(Generic[Made]):
    """Objects that a process creates once per run: the batches of a run share one budget."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[Hashable, Made] = {}

    def get(self, store: Store, run: Run, settings: Hashable, make: Callable[[], Made]) -> Made:
        """Return the object of this run and these settings, made by the first call."""
        # each flow run has its own budget, because an earlier one may have stopped for good
        identity = (store.url, run.key, run.flow_run_id, settings)
        with self._lock:
            if identity not in self._kept:
                self._kept.clear()  # a process works on one run at a time
                self._kept[identity] = make()
            return self._kept[identity]


class CachedProviders:
    """Loads providers whose every call goes through the ledger and is paid by one budget.

    Args:
        run: The run that pays. What it has asked itself is reused however long ago, so that it
            never pays for a call twice when it is resumed.
        budget: Its budget, with what it has spent before.
        reuse_days: Age in days up to which the calls of other runs are reused.
        slots: Bounds the calls in flight; None where something else does.
    """

    def __init__(
        self,
        store: Store,
        run: Run,
        *,
        budget: Budget,
        reuse_days: int,
        slots: RunSlots | None = None,
    ) -> None:
        self._store, self._run, self._budget = store, run, budget
        self._window, self._slots = timedelta(days=reuse_days), slots
        self._breakers: list[CircuitBreaker] = []

    def _ledger(self) -> dict[str, Any]:
        return {
            "store": self._store,
            "run_key": self._run.key,
            "now": clock,
            "window": self._window,
        }

    def _paid(self) -> dict[str, Any]:
        return {**self._ledger(), "budget": self._budget, "since": self._run.started_at}

    def search(self, spec: str) -> CachedSearch:
        """Return the search engine that `spec` names; see `load_search_engine`."""
        engine, slots = load_search_engine(spec), self._slots
        if engine is not None:
            engine = BreakingSearch(
                engine,
                self._breaker(f"Search engine {engine.name}", slots.searches if slots else None),
            )
        return CachedSearch(engine, **self._paid())

    def model(self, spec: str) -> CachedModel:
        """Return the language model that `spec` names; see `load_model`."""
        engine, slots = load_model(spec), self._slots
        if engine is not None:
            engine = BreakingModel(
                engine,
                self._breaker(f"Model {engine.name}", slots.completions if slots else None),
            )
        return CachedModel(engine, **self._paid())

    def pages(self, spec: str, *, search: str) -> CachedPages:
        """Return the reader of pages that `spec` names; see `load_page_reader`."""
        return CachedPages(load_page_reader(spec, search=search), **self._ledger())

    @property
    def first_failure(self) -> FreshQAError | None:
        """Why the first call to a provider failed, if every other call would fail as well."""
        return next((b.first_failure for b in self._breakers if b.first_failure), None)

    def _breaker(self, provider: str, slots: CallSlots | None) -> CircuitBreaker:
        slot = slots.call if slots is not None else nullcontext
        breaker = CircuitBreaker(provider, self._budget.stop, slot=slot)
        self._breakers.append(breaker)
        return breaker


def run_budget(
    store: Store,
    run: Run,
    *,
    searches: int | None = None,
    tokens: int | None = None,
    usd: Decimal | None = None,
) -> Budget:
    """Return the budget of a whole run: over all its processes, and when it is resumed."""
    return RunBudget(store, run.key, searches, tokens, usd, now=clock)


def clock() -> datetime:
    """Return the time of day, for the age of what is reused."""
    return datetime.now(timezone.utc)
