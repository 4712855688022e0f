"""The number of calls in flight adapts to the provider, simulated in virtual time."""

from __future__ import annotations

import heapq
import socket
import threading
from collections import deque
from dataclasses import dataclass, field

import pytest

from freshqa.errors import ProviderError
from prefect_freshqa.blocks.in_flight import AdaptiveLimit, Flight, Gate, is_overload
from prefect_freshqa.blocks.openai_client import Endpoint, complete

THREADS = 64


@dataclass
class Simulation:
    """Calls to a provider that works on `slots` of them at a time, for a second each.

    A call that is given up frees its slot: the closed connection cancels it.
    """

    slots: int
    calls: int
    timeout: float
    fixed: int = 0
    limit: AdaptiveLimit = field(init=False)
    timeouts: int = 0
    now: float = 0.0

    def __post_init__(self) -> None:
        self.limit = AdaptiveLimit(timeout=self.timeout)
        self.free, self.todo, self.done = self.slots, self.calls, 0
        self.queue: deque[int] = deque()
        self.events: list[tuple[float, bool, int]] = []
        self.flights: list[Flight] = []
        self.state: list[str] = []

    def run(self) -> Simulation:
        self.start()
        while self.done < self.calls:
            self.now, late, call = heapq.heappop(self.events)
            if self.state[call] == "ended":
                continue
            self.end(call, late)
            self.start()
        return self

    def end(self, call: int, late: bool) -> None:
        self.free += self.state[call] == "worked on"
        self.state[call] = "ended"
        self.timeouts += late
        self.todo += late
        self.done += not late
        self.limit.end(self.flights[call], self.now, answered=not late, overloaded=late)

    def start(self) -> None:
        while self.todo and self.limit.in_flight < min(self.fixed or self.limit.limit, THREADS):
            self.todo -= 1
            self.flights.append(self.limit.start(self.now))
            self.state.append("queued")
            self.queue.append(len(self.state) - 1)
            heapq.heappush(self.events, (self.now + self.timeout, True, len(self.state) - 1))
        while self.free and self.queue:
            call = self.queue.popleft()
            if self.state[call] == "queued":
                self.state[call] = "worked on"
                self.free -= 1
                heapq.heappush(self.events, (self.now + 1.0, False, call))


@pytest.mark.parametrize(("slots", "calls"), [(1, 38), (1, 300), (4, 150), (4, 600), (32, 1_600)])
def test_the_adaptive_limit_reaches_90_percent_of_the_best_fixed_limit(
    slots: int, calls: int
) -> None:
    best = min(Simulation(slots, calls, 8.0, fixed=n).run().now for n in (1, 4, 8, 16, 32, 64))
    adaptive = Simulation(slots, calls, 8.0).run()
    assert adaptive.now <= best / 0.9
    assert adaptive.timeouts == 0


def test_a_slow_server_with_one_slot_gets_few_calls_at_once() -> None:
    """As with a local model: four replies fit in one time-out."""
    assert Simulation(1, 38, 4.0, fixed=16).run().timeouts > 50
    adaptive = Simulation(1, 38, 4.0).run()
    assert (adaptive.timeouts, adaptive.now) == (0, 38.0)


def test_overload_halves_the_limit_once_for_all_calls_of_a_round() -> None:
    limit = AdaptiveLimit(timeout=60.0)
    limit.limit = 16
    for flight in [limit.start(0.0) for _ in range(16)]:
        limit.end(flight, 1.0, answered=False, overloaded=True)
    assert limit.limit == 8
    limit.end(limit.start(1.0), 2.0, answered=False, overloaded=True)
    assert limit.limit == 4


def wave(limit: AdaptiveLimit, began: float, ended: float) -> None:
    """As many calls as the limit allows, all answered at the same time."""
    for flight in [limit.start(began) for _ in range(limit.limit)]:
        limit.end(flight, ended, answered=True)


def test_idle_time_is_not_counted_as_latency() -> None:
    """The next questions are searched only when the model has answered some of the earlier ones."""
    limit = AdaptiveLimit(timeout=60.0)
    limit.limit = 2
    first, second = limit.start(0.0), limit.start(0.0)
    limit.end(first, 1.0, answered=True)
    earlier = limit.start(1.0)
    limit.end(second, 1.0, answered=True)
    raised = limit.limit
    assert raised > 2
    for flight in [earlier, *(limit.start(1.0) for _ in range(raised - 1))]:
        limit.end(flight, 2.0, answered=True)
    wave(limit, 100.0, 101.0)
    assert limit.limit > raised


def test_one_wave_of_calls_is_enough_to_raise_the_limit_again() -> None:
    limit, limits = AdaptiveLimit(timeout=600.0), []
    for began in range(3):
        limits.append(limit.limit)
        wave(limit, began, began + 1)
    assert limits == [1, 16, 256]


def test_a_call_that_starts_late_is_not_counted_as_latency() -> None:
    """The next question may still be searched while the model could take another call."""
    limit = AdaptiveLimit(timeout=60.0)
    wave(limit, 0.0, 2.0)
    assert limit.limit == 16
    flights = [limit.start(2.0) for _ in range(15)] + [limit.start(3.9)]
    for flight in flights:
        limit.end(flight, flight.began + 2.0, answered=True)
    assert limit.limit > 16


def test_growing_latency_halves_the_limit() -> None:
    limit = AdaptiveLimit(timeout=600.0)
    limit.limit = 8
    limit.end(limit.start(0.0), 0.0, answered=False, overloaded=True)
    assert limit.limit == 4
    wave(limit, 0.0, 1.0)
    wave(limit, 1.0, 51.0)
    assert limit.limit == 2


def test_the_gate_admits_no_more_calls_than_the_limit() -> None:
    gate, inside, go = Gate(timeout=60.0), threading.Semaphore(0), threading.Event()
    peak, lock, held = [0], threading.Lock(), [0]

    def call() -> None:
        with gate.call() as call:
            with lock:
                held[0] += 1
                peak[0] = max(peak[0], held[0])
            inside.release()
            go.wait(60)
            with lock:
                held[0] -= 1
            call.failure = ProviderError("no answer in time")  # never more than one after that

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    assert inside.acquire(timeout=60)
    go.set()
    for thread in threads:
        thread.join()
    assert peak == [1]


def test_only_explicit_overload_errors_count_as_overload() -> None:
    assert is_overload(ProviderError("no answer in time"))
    assert not is_overload(None)


def test_a_request_that_times_out_closes_its_connection() -> None:
    """Otherwise a local server would keep working on it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        closed = threading.Event()

        def hold() -> None:
            connection, _ = server.accept()
            with connection:
                connection.settimeout(60)
                while connection.recv(65_536):
                    pass  # the request, then nothing until the client closes
                closed.set()

        threading.Thread(target=hold, daemon=True).start()
        port = server.getsockname()[1]
        endpoint = Endpoint("m", base_url=f"http://127.0.0.1:{port}/v1", timeout=0.2, retries=0)
        with pytest.raises(ProviderError):
            complete(endpoint, {"messages": [{"role": "user", "content": "?"}]})
        assert closed.wait(60)
