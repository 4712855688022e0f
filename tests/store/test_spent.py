"""What a run has paid for, including unusable replies."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from store.ledger import start
from store.processes import python, wait_for
from store.sheet import DAY, NOW
from store.test_cache import PRICE, PROMPT, PaidEngine, PaidModel

from freshqa.answering.budget import Budget, Spent
from freshqa.answering.language_model import Completion, Message
from freshqa.errors import BudgetExhausted, ProviderError
from freshqa.store.budgets import RunBudget, spent
from freshqa.store.cache import CachedModel, CachedSearch
from freshqa.store.database import Store

WASTE = Decimal("0.02")
GARBLED = """
import sys
from contextlib import suppress
from store.test_cache import PROMPT
from store.test_spent import GarbledModel, reader
from freshqa.errors import ProviderError
from freshqa.store.database import Store
with suppress(ProviderError):
    reader(GarbledModel(), Store.open(sys.argv[1])).complete(PROMPT)
print("paid", flush=True)
sys.stdin.readline()
"""


class GarbledModel(PaidModel):
    """A model whose replies cost something and cannot be used."""

    def complete(self, messages: Sequence[Message], **settings: Any) -> Completion:
        super().complete(messages, **settings)
        failure = ProviderError("The reply is empty.")
        failure.tokens, failure.cost_usd = 300, WASTE
        raise failure


def reader(model: PaidModel, store: Store, budget: Budget | None = None) -> CachedModel:
    """The model behind the ledger."""
    return CachedModel(
        model, store, "week-11", now=lambda: NOW, window=timedelta(days=1), budget=budget
    )


def test_every_paid_call_counts_once_and_exactly(store: Store) -> None:
    start(store)
    search = CachedSearch(PaidEngine(), store, "week-11", now=lambda: NOW, window=timedelta(days=1))
    for query in ("moons", "rings", "moons"):
        search.search(query, as_of=DAY)
    for _ in range(2):
        reader(PaidModel(), store).complete(PROMPT)
    assert spent(store, "week-11") == Spent(2, 1, 120, 3 * PRICE)


def test_an_unusable_reply_counts_and_is_never_reused(store: Store) -> None:
    start(store)
    budget = Budget()
    with pytest.raises(ProviderError):
        reader(GarbledModel(), store, budget).complete(PROMPT)
    assert spent(store, "week-11") == budget.spent == Spent(0, 1, 300, WASTE)
    good = PaidModel()
    assert reader(good, store).complete(PROMPT).text.startswith("nine 1")
    assert len(good.asked) == 1


def test_a_paid_call_counts_if_the_process_is_killed_before_the_check_is_recorded(
    store: Store, store_url: str
) -> None:
    start(store)
    killed = python(GARBLED, store_url)
    wait_for(killed, "paid")
    killed.kill()
    killed.communicate()
    resumed = RunBudget(store, "week-11", usd=WASTE, now=lambda: NOW)
    model = PaidModel()
    with pytest.raises(BudgetExhausted):
        reader(model, store, resumed).complete(PROMPT)
    assert model.asked == []
