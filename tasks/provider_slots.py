"""Limits on the number of simultaneous calls to a provider, across all workers."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from uuid import UUID

import httpx
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.exceptions import MissingContextError
from prefect.logging import get_logger, get_run_logger
from prefect.runtime import flow_run

from freshqa.errors import ProviderError
from prefect_freshqa.tasks import slot_owners
from prefect_freshqa.tasks.slot_owners import Slots
from prefect_freshqa.tasks.threads import every

SEARCH_LIMIT, MODEL_LIMIT = "freshqa-search", "freshqa-model"
"""Prefect's global concurrency limits, made by `prefect-freshqa init`; change them in its UI."""
LEASE_SECONDS = 60.0
"""Seconds for which the slots of a killed process stay occupied; Prefect's shortest lease."""
SURE_AFTER = 2 * LEASE_SECONDS
"""Slots without an owner for this long are not released by themselves: every lease has ended."""
REMEDY = (
    "Run: prefect-freshqa doctor. Raise the limit in the Prefect UI (Concurrency), or start the "
    "run again later; it resumes where it stopped."
)


@dataclass(frozen=True)
class Patience:
    """Waiting times for slots, in seconds; tests pass their own clock.

    Args:
        limit: Longest wait; then the run fails instead of hanging.
        between: Between two tries.
        say_every: Between two messages that it waits, and for what.
        sure_after: Slots without an owner are freed after so long.
    """

    limit: float = 1_800.0
    between: float = 5.0
    say_every: float = 60.0
    sure_after: float = SURE_AFTER
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


@contextmanager
def provider_slots(
    wanted: int, limits: Sequence[str], *, patience: Patience = Patience()
) -> Iterator[int]:
    """Hold slots for a whole batch and say how many calls may be in flight in the meantime.

    A slot per call would cost 60 ms of CPU each time; a slot per call in flight, taken once a
    batch, costs almost nothing and keeps the same limit.

    Args:
        wanted: Calls in flight that the settings ask for.
        limits: Names of the limits; one that does not exist, or is switched off, does not limit.
        patience: How long to wait, and when to say so.

    Yields:
        `wanted`, or less where a limit is lower.

    Raises:
        ProviderError: No slots within `patience.limit`; the message names who holds them.
    """
    with get_client(sync_client=True) as client, ExitStack() as held:
        run = UUID(str(flow_run.id)) if flow_run.id else None
        queue = _Queue(client, run, wanted, limits, patience)
        names, at_once = queue.wait(held)
        if names:
            held.enter_context(_until_released(client, run, names, at_once))
        yield at_once


class _Queue:
    """One wait for slots: tries, logs what it waits for, frees ownerless slots."""

    def __init__(
        self,
        client: SyncPrefectClient,
        run: UUID | None,
        wanted: int,
        limits: Sequence[str],
        patience: Patience,
    ) -> None:
        self._client, self._run = client, run
        self._wanted, self._limits, self._patience = wanted, limits, patience
        self._began = self._looked = patience.clock()
        self._said = float("-inf")
        self._ownerless: Mapping[str, int] = {}

    def wait(self, held: ExitStack) -> tuple[list[str], int]:
        """Return the limits that were entered and the slots of each; `held` gives them back."""
        while True:
            try:
                slots = slot_owners.look(self._client, self._limits)
                if not slots:
                    return [], self._wanted
                at_once = min(self._wanted, *(slot.limit for slot in slots.values()))
                if at_once > 0 and (lease := _leased(self._client, list(slots), at_once)):
                    held.enter_context(_kept(self._client, lease))
                    return list(slots), at_once
                seen = "; ".join(str(slot) for slot in slots.values())
                self._free_ownerless(slots)
            except (httpx.TransportError, httpx.HTTPStatusError) as failed:
                seen = f"the Prefect server does not answer ({type(failed).__name__})"
            self._say(seen)
            self._patience.sleep(self._patience.between)

    def _say(self, seen: str) -> None:
        now = self._patience.clock()
        waited = now - self._began
        if waited >= self._patience.limit:
            raise ProviderError(
                f"No provider slot was free for {waited / 60:.0f} minutes. {seen}.", REMEDY
            )
        if now - self._said >= self._patience.say_every:
            self._said = now
            _logger().warning("Waiting for provider slots since %.0f s. %s", waited, seen)

    def _free_ownerless(self, slots: Mapping[str, Slots]) -> None:
        """Free the slots that had no owner at any look for `sure_after`."""
        with suppress(httpx.HTTPError):  # the wait continues without freeing them
            slot_owners.say_nothing_held(self._client, self._run)
        seen = {name: slot.ownerless for name, slot in slots.items()}
        if not self._ownerless:
            self._ownerless, self._looked = seen, self._patience.clock()
        self._ownerless = {
            name: min(count, self._ownerless.get(name, 0)) for name, count in seen.items()
        }
        if self._patience.clock() - self._looked < self._patience.sure_after:
            return
        for name, count in self._ownerless.items():
            if count:
                slot_owners.free(self._client, name, count)
                _logger().warning("Freed %d slots of %s that no run holds.", count, name)
        self._ownerless = {}


def _leased(client: SyncPrefectClient, names: list[str], slots: int) -> UUID | None:
    """Take the slots of all limits at once; the lease, or None when they are taken."""
    try:
        answer = client.increment_concurrency_slots_with_lease(
            names=names, slots=slots, mode="concurrency", lease_duration=LEASE_SECONDS
        )
    except httpx.HTTPStatusError as refused:
        if refused.response.status_code in (httpx.codes.LOCKED, httpx.codes.UNPROCESSABLE_ENTITY):
            return None  # occupied, or the limit was lowered after it was read
        raise
    return UUID(answer.json()["lease_id"])


@contextmanager
def _kept(client: SyncPrefectClient, lease: UUID) -> Iterator[None]:
    """Renew the lease until the block ends, then give the slots back.

    A short outage of the server does not stop a batch; the limit may be exceeded meanwhile.
    """
    trouble: set[str] = set()

    def renew() -> None:
        try:
            client.renew_concurrency_lease(lease, LEASE_SECONDS)
        except httpx.HTTPError as failed:
            if not trouble:
                _logger().warning(
                    "The lease of the provider slots was not renewed (%s). The batch continues.",
                    type(failed).__name__,
                )
            trouble.add(type(failed).__name__)

    with every(LEASE_SECONDS / 3, renew):
        try:
            yield
        finally:
            try:
                client.release_concurrency_slots_with_lease(lease)
            except httpx.HTTPError as failed:
                _logger().warning(
                    "The provider slots were not given back (%s). They are free in a minute.",
                    type(failed).__name__,
                )


@contextmanager
def _until_released(
    client: SyncPrefectClient, run: UUID | None, names: Sequence[str], slots: int
) -> Iterator[None]:
    """Claim the slots; if the server refuses the claim, the batch continues."""
    with ExitStack() as claim:
        with suppress(httpx.HTTPError):
            claim.enter_context(slot_owners.claimed(client, run, names, slots))
        try:
            yield
        finally:
            with suppress(httpx.HTTPError):
                claim.close()


def _logger() -> logging.Logger | logging.LoggerAdapter[logging.Logger]:
    try:
        return get_run_logger()
    except MissingContextError:
        return get_logger("freshqa")
