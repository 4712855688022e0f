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

FASTER = 4
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
        self.generation = 0
        """Counts changes of the limit: what started before one says nothing about the new limit."""
        self._seconds: list[float] = []
        self._replies, self._began, self._paused = 0, float("nan"), float("nan")
        self._kept: Round | None = None
        self._fast, self._hold, self._reduced = True, 0, -1

    def paused(self, now: float) -> None:
        """Count the end of the only call under way."""
        self._paused = now

    def resumed(self, now: float) -> None:
        """Count a call that was started while no other was under way.

        The time in which nobody asked says nothing about the provider: a round goes on without it.
        """
        self._began += now - self._paused

    def answered(self, began: float, ended: float, *, generation: int) -> None:
        """Count a reply to a call that was started while all slots were taken.

        Args:
            began: When the call was started, in seconds of any clock.
            ended: When the reply was there.
            generation: `self.generation` when it was started.
        """
        if self._began != self._began:  # not a number: the first call of all
            self._began = began
        self._replies += 1
        if generation != self.generation:
            return
        self._seconds.append(ended - began)
        if len(self._seconds) < self.limit:
            return
        rate = self._replies / max(ended - self._began, 1e-9)
        self._close(Round(self.limit, rate, max(sum(self._seconds) / self.limit, 1e-9)), ended)

    def overloaded(self, now: float, *, generation: int) -> None:
        """Count a time-out, a 429 or a 503; calls started before the last halving do not count."""
        if generation >= self._reduced:
            self._halve(now)

    def _close(self, latest: Round, now: float) -> None:
        known = self._kept
        if known is None:
            self._kept = latest
            self._next(now, latest)
        elif known.limit == latest.limit:
            if latest.limit > 1 and latest.seconds > GROWN * known.seconds:
                self._halve(now)
                return
            seconds = (latest.seconds + known.seconds) / 2
            self._kept = Round(latest.limit, max(latest.rate, known.rate), seconds)
            self._next(now, self._kept)
        elif latest.rate / known.rate - 1 >= WORTH[self._fast] * (latest.limit / known.limit - 1):
            self._kept = latest
            self._next(now, latest)
        else:
            self._fast, self._hold = False, HOLD
            able = ceil(SLACK * max(latest.rate, known.rate) * known.seconds)
            limit = min(max(known.limit, able), latest.limit)
            self._kept = Round(limit, max(latest.rate, known.rate), known.seconds)
            self._change(limit, now)

    def _next(self, now: float, known: Round) -> None:
        """Another round at this limit, or the first at a higher one."""
        if self._hold > 0:
            self._hold -= 1
            self._change(self.limit, now)
            return
        higher = self.limit * FASTER if self._fast else self.limit + max(1, self.limit // 4)
        in_time = int(IN_TIME * self._timeout / known.seconds * known.limit)
        self._change(max(self.limit, min(higher, in_time)), now)

    def _halve(self, now: float) -> None:
        self._kept, self._fast, self._hold = None, False, HOLD
        self._change(max(1, self.limit // 2), now)
        self._reduced = self.generation

    def _change(self, limit: int, now: float) -> None:
        if limit != self.limit:
            self.generation += 1
        self.limit, self._seconds, self._replies, self._began = limit, [], 0, now


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
        self._in_flight = 0

    @contextmanager
    def call(self) -> Iterator[Call]:
        """Make one call; waits until the limit allows it."""
        call = Call()
        with self._change:
            self._change.wait_for(lambda: self._in_flight < self.adaptive.limit)
            self._in_flight += 1
            full = self._in_flight >= self.adaptive.limit
            generation, began = self.adaptive.generation, self._clock()
            if self._in_flight == 1:
                self.adaptive.resumed(began)
        try:
            yield call
        finally:
            with self._change:
                self._in_flight -= 1
                if is_overload(call.failure):
                    self.adaptive.overloaded(self._clock(), generation=generation)
                elif call.answered and full:
                    self.adaptive.answered(began, self._clock(), generation=generation)
                if self._in_flight == 0:
                    self.adaptive.paused(self._clock())
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
