"""Calls with a deadline run in threads that wait for the next call."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from prefect_freshqa.blocks.deadline import within


def test_the_next_call_finds_the_thread_of_the_last() -> None:
    idents = {within(30, lambda deadline: threading.get_ident()) for _ in range(50)}
    assert threading.get_ident() not in idents
    # a thread waits again a moment after its result is there, so that the next may start another
    assert len(idents) < 5


def test_a_late_call_is_left_behind_with_its_thread() -> None:
    free = threading.Event()
    late: list[int] = []

    def slow(deadline: float) -> None:
        late.append(threading.get_ident())
        free.wait(30)

    with pytest.raises(TimeoutError):
        within(0.05, slow)
    assert within(30, lambda deadline: threading.get_ident()) not in late
    free.set()


def test_an_exception_is_the_caller_s() -> None:
    def failing(deadline: float) -> None:
        raise LookupError("gone")

    for _ in range(2):
        with pytest.raises(LookupError, match="gone"):
            within(30, failing)
    assert within(30, lambda deadline: "well") == "well"


def test_each_of_many_callers_gets_its_own_result() -> None:
    with ThreadPoolExecutor(16) as pool:
        results = list(pool.map(lambda n: within(30, lambda deadline: n), range(500)))
    assert results == list(range(500))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_starts_its_own_threads() -> None:
    within(30, lambda deadline: None)
    child = os.fork()
    if not child:
        os._exit(0 if within(10, lambda deadline: 5) == 5 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
