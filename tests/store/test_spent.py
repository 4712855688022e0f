"""What a run has paid for, including unusable replies."""

from __future__ import annotations

import pytest
from store.ledger import start
from store.paid import (
    PRICE,
    PROMPT,
    RUN,
    WASTE,
    GarbledModel,
    PaidEngine,
    PaidModel,
    cached_model,
    cached_search,
)
from store.processes import python, wait_for
from store.sheet import DAY, NOW

from freshqa.answering.budget import Budget, Spent
from freshqa.errors import BudgetExhausted, ProviderError
from freshqa.store.budgets import RunBudget, spent
from freshqa.store.database import Store

GARBLED = """
import sys
from contextlib import suppress
from store.paid import PROMPT, GarbledModel, cached_model
from freshqa.errors import ProviderError
from freshqa.store.database import Store
with suppress(ProviderError):
    cached_model(GarbledModel(), Store.open(sys.argv[1])).complete(PROMPT)
print("paid", flush=True)
sys.stdin.readline()
"""


def test_every_paid_call_counts_once_and_exactly(store: Store) -> None:
    start(store, RUN)
    search = cached_search(PaidEngine(), store)
    for query in ("moons", "rings", "moons"):
        search.search(query, as_of=DAY)
    for _ in range(2):
        cached_model(PaidModel(), store).complete(PROMPT)
    assert spent(store, RUN) == Spent(2, 1, 120, 3 * PRICE)


def test_an_unusable_reply_counts_and_is_never_reused(store: Store) -> None:
    start(store, RUN)
    budget = Budget()
    with pytest.raises(ProviderError):
        cached_model(GarbledModel(), store, budget).complete(PROMPT)
    assert spent(store, RUN) == budget.spent == Spent(0, 1, 300, WASTE)
    good = PaidModel()
    assert cached_model(good, store).complete(PROMPT).text.startswith("nine 1")
    assert len(good.asked) == 1


def test_a_paid_call_counts_if_the_process_is_killed_before_the_check_is_recorded(
    store: Store, store_url: str
) -> None:
    start(store, RUN)
    killed = python(GARBLED, store_url)
    wait_for(killed, "paid")
    killed.kill()
    killed.communicate()
    resumed = RunBudget(store, RUN, usd=WASTE, now=lambda: NOW)
    model = PaidModel()
    with pytest.raises(BudgetExhausted):
        cached_model(model, store, resumed).complete(PROMPT)
    assert model.asked == []
