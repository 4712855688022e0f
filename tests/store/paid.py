"""Paid providers that count their calls, and the cache in front of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from store.sheet import NOW

from freshqa.answering.budget import Budget
from freshqa.answering.language_model import Completion, Message, Usage, prompt_hash
from freshqa.errors import ProviderError
from freshqa.evidence.search_engine import SearchResult
from freshqa.store.cache import CachedModel, CachedSearch
from freshqa.store.database import Store

RUN = "week-11"
WINDOW = timedelta(days=1)
PRICE = Decimal("0.0150")
WASTE = Decimal("0.02")
PROMPT = [Message("user", "How many moons? \ud83d")]


@dataclass
class PaidEngine:
    """A search engine that counts what it is paid for."""

    name: str = "paid"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    asked: list[tuple[str, date]] = field(default_factory=list)
    failures: int = 0
    seconds: float = 0.0

    def search(self, query: str, *, as_of: date) -> SearchResult:
        self.asked.append((query, as_of))
        time.sleep(self.seconds)
        if len(self.asked) <= self.failures:
            raise ProviderError("no answer")
        body = {"organic_results": [{"snippet": "nine \0 \ud83d", "n": len(self.asked)}]}
        return SearchResult("serpapi", query, body, NOW, {"q": query}, PRICE, 0.5)


@dataclass
class PaidModel:
    """A model that counts what it is paid for."""

    name: str = "scripted"
    asked: list[dict[str, Any]] = field(default_factory=list)
    parameters: dict[str, Any] = field(default_factory=dict)

    def complete(
        self, messages: Sequence[Message], *, question: str = "", **settings: Any
    ) -> Completion:
        self.asked.append({"question": question, **settings})
        text = f"nine {len(self.asked)} \ud83d"
        usage = Usage(100, 20)
        raw = {"choices": [{"message": {"content": text}}]}
        return Completion(
            text, "scripted-0301", prompt_hash(PROMPT), NOW, usage, PRICE, 2.0, "stop", raw
        )


class GarbledModel(PaidModel):
    """A model whose replies cost something and cannot be used."""

    def complete(self, messages: Sequence[Message], **settings: Any) -> Completion:
        super().complete(messages, **settings)
        failure = ProviderError("The reply is empty.")
        failure.tokens, failure.cost_usd = 300, WASTE
        raise failure


def cached_search(
    engine: PaidEngine | None,
    store: Store,
    *,
    now: Callable[[], datetime] = lambda: NOW,
    budget: Budget | None = None,
) -> CachedSearch:
    """The engine behind the ledger, asked by `RUN`; None replays."""
    return CachedSearch(engine, store, RUN, now=now, window=WINDOW, budget=budget)


def cached_model(
    model: PaidModel | None, store: Store, budget: Budget | None = None
) -> CachedModel:
    """The model behind the ledger, asked by `RUN`; None replays."""
    return CachedModel(model, store, RUN, now=lambda: NOW, window=WINDOW, budget=budget)
