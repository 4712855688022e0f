"""A provider that only fails is not called any more, and one that recovers is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import ClassVar

import pytest

from freshqa.answering.failures import ModelRefused
from freshqa.errors import (
    CredentialsError,
    FreshQAError,
    ProviderError,
    ProviderRejected,
    QuotaExhausted,
)
from freshqa.evidence.search_engine import SearchResult
from prefect_freshqa.tasks.circuit_breaker import (
    FAILURES,
    PAUSES,
    BreakingSearch,
    CircuitBreaker,
)


class Watched:
    """A breaker, what it stopped with, and how long it waited."""

    def __init__(self) -> None:
        self.stops: list[FreshQAError] = []
        self.waits: list[float] = []
        self.breaker = CircuitBreaker("Model m", self.stops.append, sleep=self.waits.append)

    def fail(self, times: int, failure: FreshQAError) -> None:
        for _ in range(times):
            with pytest.raises(type(failure)):
                self.breaker.call(raising(failure))


def raising(failure: FreshQAError) -> Callable[[], None]:
    def ask() -> None:
        raise failure

    return ask


DOWN = ProviderError("Model m: no answer.", "Try again later.")


def test_a_provider_that_only_fails_is_not_called_after_its_probes() -> None:
    watched = Watched()
    watched.fail(FAILURES, DOWN)
    assert watched.waits == [] and watched.stops == []
    watched.fail(len(PAUSES), DOWN)
    assert watched.waits == list(PAUSES)
    [reason] = watched.stops
    assert "Model m only fails: 14 calls in a row. The last: Model m: no answer." in str(reason)
    with pytest.raises(ProviderRejected, match="only fails"):
        watched.breaker.call(lambda: "never asked")


def test_one_success_is_enough_to_continue() -> None:
    watched = Watched()
    watched.fail(FAILURES + 1, DOWN)
    assert watched.breaker.call(lambda: "up again") == "up again"
    watched.fail(FAILURES, DOWN)
    assert watched.waits == list(PAUSES[:2]) and watched.stops == []


def test_failures_of_single_questions_do_not_stop_the_provider() -> None:
    watched = Watched()
    for _ in range(3):
        watched.fail(FAILURES - 1, DOWN)
        watched.fail(1, ModelRefused("no"))
    assert watched.waits == [] and watched.stops == []


@pytest.mark.parametrize("failure", [CredentialsError("wrong key"), QuotaExhausted("used up")])
def test_a_failure_that_affects_every_question_stops_at_once(failure: FreshQAError) -> None:
    watched = Watched()
    watched.fail(1, failure)
    assert watched.stops == [failure]


def test_a_request_that_is_refused_for_good_is_not_probed() -> None:
    watched = Watched()
    watched.fail(FAILURES, ProviderRejected("Model m: there is no such model."))
    assert watched.waits == []
    assert "no such model" in str(watched.stops[0])


def test_an_engine_keeps_its_name_and_parameters() -> None:
    class Engine:
        name = "serpapi"
        parameters: ClassVar = {"gl": "us"}

        def search(self, query: str, *, as_of: date) -> SearchResult:
            raise AssertionError

    wrapped = BreakingSearch(Engine(), Watched().breaker)
    assert (wrapped.name, wrapped.parameters) == ("serpapi", {"gl": "us"})
