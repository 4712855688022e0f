"""Leases of a Prefect server: where they are kept, and slots that no run holds any more."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from prefect.exceptions import ObjectNotFound

from prefect_freshqa.tasks import slot_owners
from prefect_freshqa.tasks.provider_slots import MODEL_LIMIT, SEARCH_LIMIT, SURE_AFTER

if TYPE_CHECKING:
    from prefect.client.orchestration import SyncPrefectClient

STORAGE = "prefect.server.concurrency.lease_storage."
VARIABLE = "PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE"
LIMITS = (SEARCH_LIMIT, MODEL_LIMIT)
LEASES_REMEDY = (
    f"Start the server with {VARIABLE}={STORAGE}filesystem and a PREFECT_HOME that outlives it."
)


def lease_storage(client: SyncPrefectClient) -> str:
    """Where the server keeps leases: `memory`, `filesystem`, a module; "" when it does not say."""
    try:
        settings = client.request("GET", "/admin/settings").json()
    except ObjectNotFound:  # Prefect Cloud
        return ""
    kept = str(settings.get("server", {}).get("concurrency", {}).get("lease_storage", ""))
    return kept.removeprefix(STORAGE)


def leases_lost_at_restart(client: SyncPrefectClient) -> str:
    """Return what is wrong with the server's lease storage, in one line; "" when nothing is."""
    if lease_storage(client) != "memory":
        return ""
    return (
        "The Prefect server keeps concurrency leases in memory. After a restart the slots of a "
        f"refresh stay taken until they are freed. {LEASES_REMEDY}"
    )


def free_ownerless_slots(
    client: SyncPrefectClient,
    *,
    say: Callable[[str], None],
    sleep: Callable[[float], None] = time.sleep,
) -> dict[str, int]:
    """Free slots of the provider limits that no run under way holds.

    It looks twice, so far apart that every lease of a dead process is over in between: what it
    frees is not released a second time.

    Args:
        client: Client of the server.
        say: Told when it has to wait.
        sleep: Waits.

    Returns:
        Limit → slots that were freed; empty when every slot has an owner.
    """
    before = {name: limit.ownerless for name, limit in slot_owners.look(client, LIMITS).items()}
    if not any(before.values()):
        return {}
    say(
        f"Slots without an owner: {before}. They are freed in {SURE_AFTER:.0f} s if no run claims them."
    )
    sleep(SURE_AFTER)
    freed = {}
    for name, limit in slot_owners.look(client, LIMITS).items():
        if slots := min(limit.ownerless, before.get(name, 0)):
            slot_owners.free(client, name, slots)
            freed[name] = slots
    return freed
