"""Adapt the number of calls in flight to what a provider can process.

A server with one slot gets one call at a time, where sixteen would wait for one another until they
time out; a service with hundreds of machines gets as many as the settings allow.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil

from freshqa.answering.failures import EmptyReply, MalformedReply
from freshqa.errors import FreshQAError, ProviderError

FASTER = 16
"""Factor by which the limit is raised as long as that pays."""
WORTH = {True: 0.25, False: 0.5}
"""Share of the ideal gain that a higher limit has to bring to be kept, by whether it is raised fast."""
IN_TIME = 0.7
"""Share of the time-out that a reply may take at a higher limit if all calls had to queue."""
GROWN = 2.5
"""Latency at the same limit, as a multiple of what it was, that halves the limit."""
HOLD = 8
"""Rounds between two attempts at a higher limit that did not pay."""
SLACK = 1.1
"""Calls in flight per slot of the provider, so that none of them waits for us."""


@dataclass(eq=False)
class Flight:
    """One call under way.

    Args:
        began: When it was started, in seconds of any clock.
        generation: Number of the limit at that time: it says nothing about a later limit.
        full: Whether all slots were taken at some time while it was under way.
    """

    began: float
    generation: int
    full: bool = False


@dataclass(frozen=True)
class Round:
    """The measured effect of a limit: replies per second, and seconds per reply."""

    limit: int
    rate: float
    seconds: float


class AdaptiveLimit:
    """Additive increase, multiplicative decrease; without clock or lock, which the caller provides.

    A round is as many replies as calls may be in flight. After each round the limit is raised
    provisionally; the next round shows whether the provider answers more calls a second. If not,
    the limit becomes what the provider can work on at once: its rate times the seconds of a reply
    that did not queue. Time-outs, 429 and 503 halve the limit, and so does latency that grows while
    the limit does not.
    """

    def __init__(self, *, timeout: float) -> None:
        self.limit, self._timeout = 1, timeout
        self._generation = 0
        """Counts changes of the limit."""
        self._flights: set[Flight] = set()
        self._seconds: list[float] = []
        self._replies, self._paused = 0, 0.0
        self._began: float | None = None
        """When all slots of this round were taken for the first time."""
        self._kept: Round | None = None
        self._fast, self._hold, self._reduced = True, 0, -1

    @property
    def in_flight(self) -> int:
        """Calls under way."""
        return len(self._flights)

    def start(self, now: float) -> Flight:
        """Count a call that is started."""
        if not self._flights and self._began is not None:
            # the time in which nobody asked says nothing about the provider
            self._began += now - self._paused
        flight = Flight(now, self._generation)
        self._flights.add(flight)
        if len(self._flights) >= self.limit:
            if self._began is None:
                self._began = now
            for other in self._flights:
                other.full = True
        return flight

    def end(self, flight: Flight, now: float, *, answered: bool, overloaded: bool = False) -> None:
        """Count the end of a call.

        Args:
            answered: The provider replied.
            overloaded: It ended with a time-out, a 429 or a 503; calls started before the last
                halving do not count.
        """
        self._flights.remove(flight)
        if overloaded:
            if flight.generation >= self._reduced:
                self._halve()
        elif answered and flight.full and self._began is not None:
            self._answered(flight, now, self._began)
        self._paused = now

    def _answered(self, flight: Flight, now: float, round_began: float) -> None:
        self._replies += 1
        if flight.generation != self._generation:
            return
        self._seconds.append(now - flight.began)
        if len(self._seconds) < self.limit:
            return
        rate = self._replies / max(now - round_began, 1e-9)
        self._close(Round(self.limit, rate, max(sum(self._seconds) / self.limit, 1e-9)))

    def _close(self, latest: Round) -> None:
        known = self._kept
        if known is None:
            self._kept = latest
            self._next(latest)
        elif known.limit == latest.limit:
            if latest.limit > 1 and latest.seconds > GROWN * known.seconds:
                self._halve()
                return
            seconds = (latest.seconds + known.seconds) / 2
            self._kept = Round(latest.limit, max(latest.rate, known.rate), seconds)
            self._next(self._kept)
        elif latest.rate / known.rate - 1 >= WORTH[self._fast] * (latest.limit / known.limit - 1):
            self._kept = latest
            self._next(latest)
        else:
            self._fast, self._hold = False, HOLD
            able = ceil(SLACK * max(latest.rate, known.rate) * known.seconds)
            limit = min(max(known.limit, able), latest.limit)
            self._kept = Round(limit, max(latest.rate, known.rate), known.seconds)
            self._change(limit)

    def _next(self, known: Round) -> None:
        """Another round at this limit, or the first at a higher one."""
        if self._hold > 0:
            self._hold -= 1
            self._change(self.limit)
            return
        higher = self.limit * FASTER if self._fast else self.limit + max(1, self.limit // 4)
        in_time = int(IN_TIME * self._timeout / known.seconds * known.limit)
        self._change(max(self.limit, min(higher, in_time)))

    def _halve(self) -> None:
        self._kept, self._fast, self._hold = None, False, HOLD
        self._change(max(1, self.limit // 2))
        self._reduced = self._generation

    def _change(self, limit: int) -> None:
        if limit != self.limit:
            self._generation += 1
        self.limit, self._seconds, self._replies, self._began = limit, [], 0, None


@dataclass
class Call:
    """One call under way; who makes it says how it ended.

    Args:
        answered: The provider replied.
        failure: Why the call failed; None while it has not.
    """

    answered: bool = False
    failure: FreshQAError | None = None


class Gate:
    """Lets through as many calls at a time as the limit says; thread-safe."""

    def __init__(self, *, timeout: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.adaptive = AdaptiveLimit(timeout=timeout)
        self._clock, self._change = clock, threading.Condition()

    @contextmanager
    def call(self) -> Iterator[Call]:
        """Make one call; waits until the limit allows it."""
        call = Call()
        with self._change:
            self._change.wait_for(lambda: self.adaptive.in_flight < self.adaptive.limit)
            flight = self.adaptive.start(self._clock())
        try:
            yield call
        finally:
            with self._change:
                self.adaptive.end(
                    flight,
                    self._clock(),
                    answered=call.answered,
                    overloaded=is_overload(call.failure),
                )
                self._change.notify_all()


def is_overload(failure: FreshQAError | None) -> bool:
    """Return whether a failure means that fewer calls should be in flight: a time-out, a 429, a 5xx."""
    return isinstance(failure, ProviderError) and not isinstance(
        failure, EmptyReply | MalformedReply
    )


_gates: dict[Hashable, Gate] = {}
_lock = threading.Lock()


def gate_of(provider: Hashable, *, timeout: float) -> Gate:
    """The process's one gate for a provider; not its parent's, whose calls are not in flight here.

    Args:
        provider: What has slots of its own: an address and a model.
        timeout: Seconds after which a call to it is given up.
    """
    with _lock:
        return _gates.setdefault((os.getpid(), provider), Gate(timeout=timeout))
