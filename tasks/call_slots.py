"""How many searches and how many completions of a refresh are in flight in this process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


class CallSlots:
    """Bounds the calls of one kind; thread-safe.

    Args:
        most: Most calls in flight; fewer while the batches of this process hold fewer slots.
    """

    def __init__(self, most: int) -> None:
        self._most, self._held, self._in_flight = most, 0, 0
        self._change = threading.Condition()

    @contextmanager
    def held(self, count: int) -> Iterator[None]:
        """Hold `count` slots until the block ends and no call uses them any more."""
        with self._change:
            self._held += count
            self._change.notify_all()
        try:
            yield
        finally:
            with self._change:
                self._held -= count
                # the provider's slots are given back next, so another batch must not use them
                self._change.wait_for(lambda: self._in_flight <= self._held)

    @contextmanager
    def call(self) -> Iterator[None]:
        """Make one call; waits until one more is allowed."""
        with self._change:
            self._change.wait_for(
                lambda: self._in_flight < min(self._held or self._most, self._most)
            )
            self._in_flight += 1
        try:
            yield
        finally:
            with self._change:
                self._in_flight -= 1
                self._change.notify_all()


@dataclass(frozen=True)
class RunSlots:
    """The slots of one run.

    Args:
        searches: Of all search engines together.
        completions: Of all models together.
    """

    searches: CallSlots
    completions: CallSlots

    @contextmanager
    def held(self, count: int) -> Iterator[None]:
        """Hold `count` slots of each kind until the block ends and no call uses them any more."""
        with self.searches.held(count), self.completions.held(count):
            yield


def run_slots(most: int) -> RunSlots:
    """Return the slots of a run that has at most `most` searches and as many completions in flight."""
    return RunSlots(CallSlots(most), CallSlots(most))
