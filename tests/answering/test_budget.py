"""A budget is not exceeded by concurrent callers."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest

from freshqa.answering.budget import Budget, Spent
from freshqa.answering.language_model import Usage
from freshqa.errors import BudgetExhausted, ErrorKind

CENT = Decimal("0.01")


def test_without_a_limit_calls_are_not_restricted() -> None:
    budget = Budget()
    for _ in range(100):
        with budget.search():
            budget.charge_search(CENT)
        with budget.completion():
            budget.charge_completion(Usage(900, 100), CENT)
    budget.check()
    assert budget.spent == Spent(100, 100, 100_000, Decimal(2))


@pytest.mark.parametrize(
    ("budget", "what"),
    [
        (Budget(searches=0), "0 searches"),
        (Budget(tokens=0), "0 tokens"),
        (Budget(usd=Decimal(0)), "0 US dollars"),
    ],
)
def test_a_budget_of_zero_allows_no_calls(budget: Budget, what: str) -> None:
    with pytest.raises(BudgetExhausted, match=what) as raised, budget.search():
        raise AssertionError("the call was made")
    assert raised.value.kind is ErrorKind.budget and "stays due" in raised.value.remedy


def test_concurrent_searches_never_exceed_the_limit() -> None:
    budget, numbers, lock = Budget(searches=10), [], threading.Lock()

    def search(number: int) -> bool:
        try:
            with budget.search():
                time.sleep(0.002)
                with lock:
                    numbers.append(number)
                budget.charge_search(CENT)
        except BudgetExhausted:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        allowed = list(pool.map(search, range(64)))
    assert len(numbers) == sum(allowed) == budget.spent.searches == 10


def test_a_failed_search_releases_its_reservation() -> None:
    budget = Budget(searches=1)
    with pytest.raises(OSError, match="down"), budget.search():
        raise OSError("down")
    with budget.search():
        budget.charge_search(CENT)
    with pytest.raises(BudgetExhausted), budget.search():
        pass


def test_spending_stops_at_the_dollar_limit_once_a_price_is_known() -> None:
    budget = Budget(usd=Decimal("1.00"))
    calls = 0
    with pytest.raises(BudgetExhausted, match=r"1\.00 US dollars"):
        while True:
            with budget.completion():
                calls += 1
                budget.charge_completion(Usage(10, 10), Decimal("0.30"))
    assert calls == 3 and budget.spent.usd == Decimal("0.90")


def test_calls_stop_at_the_token_limit() -> None:
    budget = Budget(tokens=100)
    budget.charge_completion(Usage(60, 40))
    with pytest.raises(BudgetExhausted, match="100 tokens"):
        budget.check()


def test_a_completion_is_allowed_after_the_last_search() -> None:
    budget = Budget(searches=1)
    with budget.search():
        budget.charge_search()
    with budget.completion():
        budget.charge_completion(Usage(10, 1))
    with pytest.raises(BudgetExhausted, match="searches"), budget.search():
        pass
