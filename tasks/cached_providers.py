"""Search engines and models behind the ledger and the budget of one run."""

from __future__ import annotations

import threading
import time
from datetime import datetime, timedelta, timezone
from decimal import Decimal

from freshqa.answering.budget import NOTHING, Budget, Spent
from freshqa.store.cache import CachedModel, CachedSearch
from freshqa.store.database import Store
from freshqa.store.runs import Run
from freshqa.store.spending import spent
from prefect_freshqa.blocks.resolve import load_model, load_search_engine

LOOK_AGAIN = 1.0
"""Seconds between two looks at what the other processes of a run have paid."""
LOOKING_AT_MOST = 0.02
"""Share of the time for such looks, which grow with the run: 0.2 s after 60,000 questions."""


class CachedProviders:
    """Loads providers whose every call goes through the ledger and is paid by one budget.

    Args:
        store: Where the ledger is.
        run: The run that pays. What it has asked itself is reused however long ago, so that it
            pays nothing twice when it is taken up again.
        budget: Its budget, with what it has spent before.
        reuse_days: Age in days up to which the calls of other runs are reused.
    """

    def __init__(self, store: Store, run: Run, *, budget: Budget, reuse_days: int) -> None:
        self._store, self._run, self._budget = store, run, budget
        self._window = timedelta(days=reuse_days)

    def search(self, spec: str) -> CachedSearch:
        """The search engine that `spec` names; see `load_search_engine`."""
        return CachedSearch(
            load_search_engine(spec),
            self._store,
            self._run.id,
            now=clock,
            window=self._window,
            budget=self._budget,
            since=self._run.started_at,
        )

    def model(self, spec: str) -> CachedModel:
        """The language model that `spec` names; see `load_model`."""
        return CachedModel(
            load_model(spec),
            self._store,
            self._run.id,
            now=clock,
            window=self._window,
            budget=self._budget,
            since=self._run.started_at,
        )


def run_budget(
    store: Store,
    run: Run,
    *,
    searches: int | None = None,
    tokens: int | None = None,
    usd: Decimal | None = None,
) -> Budget:
    """A budget that holds for the whole run: over all its processes, and when it is taken up again.

    A process does not see what others have paid since its last look, nor what they have in flight:
    by so much may they pass the limit together.
    """
    looking = threading.Lock()
    known, next_look = NOTHING, 0.0

    def ledger() -> Spent:
        nonlocal known, next_look
        with looking:
            began = time.monotonic()
            if began >= next_look:
                known = spent(store, run.id)
                ended = time.monotonic()
                next_look = ended + max(LOOK_AGAIN, (ended - began) / LOOKING_AT_MOST)
            return known

    return Budget(searches, tokens, usd, ledger=ledger)


def clock() -> datetime:
    """The time of day, for the age of what is reused."""
    return datetime.now(timezone.utc)
