"""A provider that only fails is not called any more, and one that recovers is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
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


def in_threads(work: Callable[[], object], count: int) -> list[Future[object]]:
    with ThreadPoolExecutor(count) as pool:
        return [pool.submit(work) for _ in range(count)]


def test_the_first_call_is_made_alone_and_a_wrong_key_costs_one() -> None:
    watched, calls = Watched(), []

    def ask() -> None:
        calls.append("call")
        raise CredentialsError("wrong key")

    outcomes = in_threads(lambda: watched.breaker.call(ask), 8)
    assert calls == ["call"]
    assert {str(outcome.exception()) for outcome in outcomes} == {"wrong key"}
    assert str(watched.breaker.first_failure) == "wrong key"


def test_all_ask_at_once_when_the_first_call_has_ended() -> None:
    breaker, together = Watched().breaker, threading.Barrier(8, timeout=60)
    with pytest.raises(ProviderError):
        breaker.call(raising(DOWN))
    outcomes = in_threads(lambda: breaker.call(together.wait), 8)
    assert sorted(outcome.result() for outcome in outcomes) == list(range(8))
    assert breaker.first_failure is None


def test_calls_that_waited_for_a_slot_are_not_made_to_a_provider_that_only_fails() -> None:
    calls, slot = [], threading.Lock()
    breaker = CircuitBreaker(
        "Model m", lambda reason: None, slot=lambda: slot, sleep=lambda s: None
    )

    def ask() -> None:
        calls.append("call")
        raise DOWN

    outcomes = in_threads(lambda: breaker.call(ask), 40)
    assert len(calls) == FAILURES + len(PAUSES)
    assert sum("only fails" in str(outcome.exception()) for outcome in outcomes) == 26


def test_an_engine_keeps_its_name_and_parameters() -> None:
    class Engine:
        name = "serpapi"
        parameters: ClassVar = {"gl": "us"}

        def search(self, query: str, *, as_of: date) -> SearchResult:
            raise AssertionError

    wrapped = BreakingSearch(Engine(), Watched().breaker)
    assert (wrapped.name, wrapped.parameters) == ("serpapi", {"gl": "us"})
