"""No more calls of a kind are in flight than the batches of a process hold slots."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from prefect_freshqa.tasks.call_slots import CallSlots, run_slots


class Calls:
    """Calls that stay in flight until they are told to end."""

    def __init__(self, slots: CallSlots) -> None:
        self.slots, self.end = slots, threading.Event()
        self.begun, self.peak, self.now = threading.Semaphore(0), 0, 0
        self.lock = threading.Lock()

    def make(self) -> None:
        with self.slots.call():
            with self.lock:
                self.now += 1
                self.peak = max(self.peak, self.now)
            self.begun.release()
            assert self.end.wait(60)
            with self.lock:
                self.now -= 1


@pytest.mark.parametrize(("most", "held", "peak"), [(8, (2, 3), 5), (4, (3, 3), 4), (2, (), 2)])
def test_the_slots_of_all_batches_bound_the_calls(
    most: int, held: tuple[int, ...], peak: int
) -> None:
    calls = Calls(CallSlots(most))
    with ExitStack() as batches, ThreadPoolExecutor(12) as pool:
        for count in held:
            batches.enter_context(calls.slots.held(count))
        for _ in range(12):
            pool.submit(calls.make)
        for _ in range(peak):
            assert calls.begun.acquire(timeout=60)
        calls.end.set()
    assert calls.peak == peak


def test_a_batch_gives_its_slots_back_when_the_calls_of_others_do_not_use_them() -> None:
    calls, given_back = Calls(CallSlots(4)), threading.Event()

    def batch() -> None:
        with calls.slots.held(2):
            for _ in range(3):
                pool.submit(calls.make)
            for _ in range(3):
                assert calls.begun.acquire(timeout=60)
        given_back.set()

    with ThreadPoolExecutor(4) as pool, calls.slots.held(1):
        ended = pool.submit(batch)
        while calls.now != 3:
            assert not ended.done()
        assert not given_back.is_set()
        calls.end.set()
        ended.result(60)
        assert given_back.is_set()


def test_a_search_does_not_take_the_slot_of_a_completion() -> None:
    slots = run_slots(1)
    with slots.held(1), slots.searches.call(), slots.completions.call():
        pass
