"""Stop calling a provider that only fails; its questions stay due."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import date
from typing import Any

from freshqa.answering.failures import EmptyReply, MalformedReply, ModelRefused, ReplyCutShort
from freshqa.answering.language_model import Completion, LanguageModel, Message
from freshqa.errors import (
    BudgetExhausted,
    ContextOverflow,
    ErrorKind,
    FreshQAError,
    ProviderRejected,
)
from freshqa.evidence.search_engine import Recency, SearchEngine, SearchResult, limited_to

FAILURES = 10
"""Failed calls in a row, retries not counted, until a provider is only probed."""
PAUSES = (2.0, 5.0, 10.0, 20.0)
"""Seconds before each probe; when the last one fails, the run stops asking."""
OF_THE_QUESTION = (EmptyReply, MalformedReply, ModelRefused, ReplyCutShort, ContextOverflow)
"""Failures of a single question."""
OF_THE_SETTINGS = (ErrorKind.credentials, ErrorKind.quota, ErrorKind.usage)
"""Failures that affect every question: no more calls are made after the first."""


class CircuitBreaker:
    """Counts what a provider does, and stops the run's calls when it only fails.

    The first call is made alone: a wrong key costs one call, not as many as are in flight.

    Args:
        stop: Ends all paid calls of the run, with the reason.
        slot: Held while the provider is asked.
        sleep: Waits before a probe.
    """

    def __init__(
        self,
        provider: str,
        stop: Callable[[FreshQAError], None],
        *,
        slot: Callable[[], AbstractContextManager[None]] = nullcontext,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._provider, self._stop, self._slot, self._sleep = provider, stop, slot, sleep
        self._lock, self._probing = threading.Lock(), threading.Lock()
        self._failed = self._probes = 0
        self._asked = False
        self._open: FreshQAError | None = None
        self.first_failure: FreshQAError | None = None
        """Why the first call failed, if every other call would fail as well."""

    def call(self, ask: Callable[[], Any]) -> Any:
        """Return the result of `ask`; at first, and if the provider only fails, one caller at a time asks."""
        while True:
            if self._trusted:
                with self._slot():
                    if self._trusted:  # still, after waiting for the slot
                        return self._counted(ask)
            with self._probing:
                if self._open is not None:
                    raise self._open
                if not self._trusted:
                    return self._probed(ask)

    @property
    def _trusted(self) -> bool:
        """Whether many may ask at the same time."""
        return self._asked and self._open is None and self._failed < FAILURES

    def _probed(self, ask: Callable[[], Any]) -> Any:
        if self._failed >= FAILURES:
            self._sleep(PAUSES[self._probes])
            self._probes += 1
        try:
            with self._slot():
                return self._counted(ask)
        finally:
            self._asked = True

    def _counted(self, ask: Callable[[], Any]) -> Any:
        try:
            result = ask()
        except OF_THE_QUESTION:
            self._succeeded()
            raise
        except BudgetExhausted:
            raise
        except FreshQAError as failure:
            self._count(failure)
            raise
        self._succeeded()
        return result

    def _succeeded(self) -> None:
        with self._lock:
            self._failed = self._probes = 0

    def _count(self, failure: FreshQAError) -> None:
        if failure.kind in OF_THE_SETTINGS:
            if not self._asked:
                self.first_failure = failure
            self._end(failure)
        elif failure.kind is ErrorKind.provider:
            with self._lock:
                self._failed += 1
                hopeless = not failure.retryable and self._failed >= FAILURES
                given_up = hopeless or self._probes >= len(PAUSES)
            if given_up:
                self._end(
                    ProviderRejected(
                        f"{self._provider} only fails: {self._failed} calls in a row. The last: "
                        f"{failure.message}",
                        "Fix the provider or choose another, then run again. The other questions stay due.",
                    )
                )

    def _end(self, reason: FreshQAError) -> None:
        self._open = reason
        self._stop(reason)


class BreakingSearch:
    """A search engine behind a breaker."""

    def __init__(self, engine: SearchEngine, breaker: CircuitBreaker) -> None:
        self.name = engine.name
        self.parameters: Mapping[str, Any] = getattr(engine, "parameters", {})
        self._engine, self._breaker = engine, breaker

    def search(self, query: str, *, as_of: date) -> SearchResult:
        """Search once."""
        result: SearchResult = self._breaker.call(lambda: self._engine.search(query, as_of=as_of))
        return result

    def limited_to(self, recency: Recency, *, as_of: date) -> BreakingSearch | None:
        """Return the engine with a filter, behind the same breaker; None when it knows none."""
        limited = limited_to(self._engine, recency, as_of=as_of)
        return BreakingSearch(limited, self._breaker) if limited else None


class BreakingModel:
    """A language model behind a breaker."""

    def __init__(self, model: LanguageModel, breaker: CircuitBreaker) -> None:
        self.name = model.name
        self.parameters: Mapping[str, Any] = getattr(model, "parameters", {})
        self._model, self._breaker = model, breaker

    def complete(self, messages: Sequence[Message], **asked: Any) -> Completion:
        """Complete once."""
        reply: Completion = self._breaker.call(lambda: self._model.complete(messages, **asked))
        return reply
