"""A search engine and a language model that never pay twice for the same request.

The ledger keeps every answer as soon as it arrives; within the freshness window it is reused.
Without an engine behind them they replay from the ledger alone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from copy import copy
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone
from typing import Any, Generic, TypeVar

from freshqa.answering.budget import Budget
from freshqa.answering.language_model import Completion, LanguageModel, Message, prompt_hash
from freshqa.choices import REPLAY
from freshqa.errors import FreshQAError, NotFound, StoreError
from freshqa.evidence.search_engine import (
    Recency,
    SearchEngine,
    SearchResult,
    limited_to,
    request_hash,
)
from freshqa.store.calls import (
    record_completion,
    record_search,
    record_unusable,
    settings_hash,
)
from freshqa.store.database import Store
from freshqa.store.known_calls import find_completion, find_search, find_search_as_of

Provider = TypeVar("Provider", SearchEngine, LanguageModel)
RECENCY_FILTER_DAYS = 7
"""Days between today and the day of a check up to which an engine's filter such as "past month",
which counts from today, is used."""
EVER = datetime(1970, 1, 1, tzinfo=timezone.utc)
REMEDY = "Name a provider instead of `replay`, or replay a run that asked this."


class SingleFlight:
    """One lock per key, kept only while a thread holds it or waits for it."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._flights: dict[Hashable, tuple[threading.Lock, int]] = {}

    @contextmanager
    def alone(self, key: Hashable) -> Iterator[None]:
        """Hold the key; once inside, look again: another thread may have done the work."""
        with self._guard:
            lock, waiting = self._flights.get(key, (threading.Lock(), 0))
            self._flights[key] = (lock, waiting + 1)
        try:
            with lock:
                yield
        finally:
            with self._guard:
                lock, waiting = self._flights[key]
                if waiting == 1:
                    del self._flights[key]
                else:
                    self._flights[key] = (lock, waiting - 1)


FLIGHTS = SingleFlight()
"""Shared by every wrapper of this process: the same call is made once for all callers."""


class _Cached(Generic[Provider]):
    """A provider in front of the ledger; thread-safe.

    Args:
        engine: Who is asked when the ledger has nothing fresh; None to replay. Engines whose
            results depend on settings show them as `parameters`, which count for the identity.
        run_key: Key of the run that asks; None outside a run.
        window: How long a search may be reused.
        budget: What pays; reused searches cost nothing.
        since: What was recorded at this time or later is reused however short the window is: the
            start of a run, so that a resumed run never pays for a call twice. What the run
            recorded itself is reused whenever that was: the clock may have been set back.
    """

    def __init__(
        self,
        engine: Provider | None,
        store: Store,
        run_key: str | None,
        *,
        now: Callable[[], datetime],
        window: timedelta,
        budget: Budget | None = None,
        since: datetime | None = None,
    ) -> None:
        self.name = engine.name if engine is not None else REPLAY
        self._engine: Provider | None = engine
        self._store, self._run_key = store, run_key
        self._now, self._budget = now, budget
        self._window, self._since = window, since
        self._own = run_key if since is not None else None
        self._label = ""

    def _oldest(self) -> datetime:
        """Since when a recorded call counts, evaluated for each call."""
        fresh = self._now() - self._window
        return fresh if self._since is None else min(fresh, self._since)

    @property
    def _fixed(self) -> dict[str, Any]:
        """Settings that change a reply, such as the reasoning effort."""
        return dict(getattr(self._engine, "parameters", {}))


class CachedSearch(_Cached[SearchEngine]):
    """A search engine in front of the ledger; arguments as for `_Cached`."""

    def limited_to(self, recency: Recency, *, as_of: date) -> CachedSearch | None:
        """Return the engine with a filter, in front of the same ledger; None when it knows none.

        In the ledger the query carries the filter, so that a replay finds it.
        """
        limited = copy(self)
        limited._label = recency.label
        if self._engine is None:
            return limited
        if abs((self._now().date() - as_of).days) > RECENCY_FILTER_DAYS:
            return None
        limited._engine = limited_to(self._engine, recency, as_of=as_of)
        return limited if limited._engine is not None else None

    def search(self, query: str, *, as_of: date) -> SearchResult:
        """Return the fresh search of the ledger, or a new one that is kept there.

        Raises:
            NotFound: replaying, and the ledger holds no such search for that day or an earlier one.
            BudgetExhausted: it would have to be paid, and nothing is left.
        """
        if self._engine is None:
            result = find_search_as_of(self._store, query + self._label, as_of=as_of)
            if result is None:
                raise NotFound(f"No search for {query!r} as of {as_of} is recorded.", REMEDY)
            return result
        asked = {**self._fixed, "query": query, "as_of": as_of.isoformat()}
        identity = request_hash(self.name, asked)
        with FLIGHTS.alone((self._store.url, identity)):
            result = find_search(self._store, identity, since=self._oldest(), run_key=self._own)
            return result if result is not None else self._ask(self._engine, query, as_of, identity)

    def _ask(self, engine: SearchEngine, query: str, as_of: date, identity: str) -> SearchResult:
        with self._budget.search() if self._budget else nullcontext() as reservation:
            result = engine.search(query, as_of=as_of)
            result = replace(result, query=result.query + self._label)
            if self._budget is not None:
                self._budget.charge_search(result.cost_usd)
            kept: dict[str, Any] = {"as_of": as_of, "now": self._now(), "reservation": reservation}
            with _stopping(self._budget):
                record_search(self._store, self._run_key, result, identity, **kept)
        return result


class CachedModel(_Cached[LanguageModel]):
    """A language model in front of the ledger; arguments as for `_Cached`."""

    def complete(
        self,
        messages: Sequence[Message],
        *,
        question: str = "",
        max_tokens: int = 1024,
        temperature: float = 0.0,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        """Return the fresh completion of the ledger, or a new one that is kept there.

        Raises:
            NotFound: replaying, and the ledger holds no completion of this prompt.
            BudgetExhausted: it would have to be paid, and nothing is left.
        """
        prompt = prompt_hash(messages)
        settings: dict[str, Any] = {"max_tokens": max_tokens, "temperature": temperature}
        if schema is not None:
            settings["schema"] = schema
        engine = self._engine
        if engine is None:
            completion = find_completion(self._store, prompt, None, since=EVER)
            if completion is None:
                raise NotFound(f"No completion for {question!r} is recorded.", REMEDY)
            return completion
        kept = {**settings, **self._fixed}
        with FLIGHTS.alone((self._store.url, self.name, prompt, settings_hash(kept))):
            completion = find_completion(
                self._store,
                prompt,
                self.name,
                since=self._oldest(),
                settings=kept,
                run_key=self._own,
            )
            if completion is not None and not completion.cut:  # a cut reply is asked for again
                return completion
            return self._ask(
                lambda: engine.complete(messages, question=question, **settings), messages, kept
            )

    def _ask(
        self, ask: Callable[[], Completion], messages: Sequence[Message], settings: dict[str, Any]
    ) -> Completion:
        """Ask, and keep the reply, or what a reply cost that cannot be used."""
        with self._budget.completion() if self._budget else nullcontext() as reservation:
            kept: dict[str, Any] = {
                "requested": self.name,
                "settings": settings,
                "reservation": reservation,
            }
            try:
                completion = ask()
            except FreshQAError as failure:
                if failure.tokens or failure.cost_usd:
                    with _stopping(self._budget):
                        record_unusable(
                            self._store, self._run_key, failure, messages, now=self._now(), **kept
                        )
                raise
            if self._budget is not None:
                self._budget.charge_completion(completion.usage, completion.cost_usd)
            with _stopping(self._budget):
                record_completion(
                    self._store, self._run_key, completion, messages, now=self._now(), **kept
                )
            return completion


@contextmanager
def _stopping(budget: Budget | None) -> Iterator[None]:
    """What cannot be kept must not be paid for: the first failure to record ends all paying."""
    try:
        yield
    except StoreError as failure:
        if budget is not None:
            budget.stop(failure)
        raise
