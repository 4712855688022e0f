"""Search engines and models behind the ledger and the budget of one run."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from freshqa.answering.budget import Budget
from freshqa.store.database import Store
from freshqa.store.reuse import ReusedModel, ReusedSearch
from freshqa.store.runs import Run
from prefect_freshqa.blocks.resolve import load_model, load_search_engine


class Ledgered:
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

    def search(self, spec: str) -> ReusedSearch:
        """The search engine that `spec` names; see `load_search_engine`."""
        return ReusedSearch(
            load_search_engine(spec),
            self._store,
            self._run.id,
            now=clock,
            window=self._window,
            budget=self._budget,
            since=self._run.started_at,
        )

    def model(self, spec: str) -> ReusedModel:
        """The language model that `spec` names; see `load_model`."""
        return ReusedModel(
            load_model(spec),
            self._store,
            self._run.id,
            now=clock,
            window=self._window,
            budget=self._budget,
            since=self._run.started_at,
        )


def clock() -> datetime:
    """The time of day, for the age of what is reused."""
    return datetime.now(timezone.utc)
