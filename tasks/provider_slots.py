"""Limits that hold over all workers: how many calls a provider gets at the same time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from prefect.client.orchestration import get_client
from prefect.concurrency.sync import concurrency
from prefect.exceptions import ObjectNotFound

SEARCH_LIMIT, MODEL_LIMIT = "freshqa-search", "freshqa-model"
"""Prefect's global concurrency limits, made by `prefect-freshqa init`; change them in its UI."""
LEASE_SECONDS = 60.0
"""How long the slots of a process that was killed stay taken; Prefect's shortest."""


@contextmanager
def provider_slots(wanted: int, limits: Sequence[str]) -> Iterator[int]:
    """Hold slots for a whole batch and say how many calls may be in flight meanwhile.

    A slot per call would cost 60 ms of CPU each time; a slot per call in flight, taken once a
    batch, costs nothing that can be seen and keeps the same promise.

    Args:
        wanted: Calls in flight that the settings ask for.
        limits: Names of the limits; one that does not exist, or is switched off, does not limit.

    Yields:
        `wanted`, or less where a limit is lower.
    """
    sizes = {}
    with get_client(sync_client=True) as client:
        for name in limits:
            try:
                limit = client.read_global_concurrency_limit_by_name(name)
            except ObjectNotFound:
                continue
            if limit.active:
                sizes[name] = limit.limit
    if not sizes:
        yield wanted
        return
    at_once = max(1, min(wanted, *sizes.values()))  # a limit of 0 is a pause: the slot is awaited
    with concurrency(
        list(sizes),
        occupy=at_once,
        lease_duration=LEASE_SECONDS,
        raise_on_lease_renewal_failure=False,  # a server that is away for a moment stops no batch
    ):
        yield at_once
