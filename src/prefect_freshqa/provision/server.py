"""Bring a Prefect server to the state that the deployments expect; safe to repeat."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import httpx
from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import GlobalConcurrencyLimitCreate, WorkPoolCreate
from prefect.events.schemas.automations import AutomationCore
from prefect.exceptions import ObjectAlreadyExists, ObjectNotFound
from prefect.settings import get_current_settings

from freshqa.errors import NotFound
from prefect_freshqa.blocks.saved import reachable_api
from prefect_freshqa.provision.automations import end_dead_runs, tell_people, updated
from prefect_freshqa.provision.leases import free_ownerless_slots, leases_lost_at_restart
from prefect_freshqa.tasks.provider_slots import MODEL_LIMIT, SEARCH_LIMIT

if TYPE_CHECKING:
    from prefect.client.orchestration import SyncPrefectClient

WORK_POOL = "freshqa"
CREATED, UPDATED, THERE = "created", "updated", "there already"
LIMITS = {SEARCH_LIMIT: 16, MODEL_LIMIT: 16}
"""Calls in flight at the same time, over all workers, to the search engine and to the model."""


def provision_server(
    *, notify: str = "", say: Callable[[str], None] = lambda text: None
) -> dict[str, str]:
    """Create work pool, limits and automations where they are missing.

    Pool and limits that exist are left as they are. An automation of an earlier release gets the
    scope of this one, and the notification block of `notify`.

    Args:
        notify: `slug/name` of a saved notification block that hears of failures, waiting
            proposals and budgets; "" for none.
        say: Told when something takes long.

    Returns:
        What → "created", "updated" or "there already"; freed slots, and what is wrong with
        the server's lease storage.

    Raises:
        NotFound: No such notification block.
        ProviderError: The Prefect API does not answer.
    """
    with reachable_api(), get_client(sync_client=True) as client:
        done = {f"work pool {WORK_POOL}": _work_pool(client)}
        for name, limit in LIMITS.items():
            done[f"limit {name}"] = _limit(client, name, limit)
        for automation in (end_dead_runs(), *_notifications(client, notify)):
            done[f"automation {automation.name}"] = _automation(client, automation)
        for name, slots in free_ownerless_slots(client, say=say).items():
            done[f"slots of {name}"] = f"{slots} freed that no run held"
        if problem := leases_lost_at_restart(client):
            done["lease storage"] = problem
    return done


def wait_for_server(
    *,
    patience: float = 60.0,
    say: Callable[[str], None],
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Return as soon as the Prefect API answers; after `patience` seconds return in any case."""
    url = f"{get_current_settings().api.url or ''}".rstrip("/")
    if not url:
        return
    began = clock()
    with httpx.Client(timeout=5.0) as client:
        while True:
            with suppress(httpx.HTTPError):
                if client.get(f"{url}/health").is_success:
                    return
            waited = clock() - began
            if waited >= patience:
                return
            say(f"Waiting for the Prefect server at {url} ({waited:.0f} of {patience:.0f} s).")
            sleep(2.0)


def _work_pool(client: SyncPrefectClient) -> str:
    try:
        client.create_work_pool(WorkPoolCreate(name=WORK_POOL, type="process"))
    except ObjectAlreadyExists:
        return THERE
    return CREATED


def _limit(client: SyncPrefectClient, name: str, limit: int) -> str:
    try:
        client.read_global_concurrency_limit_by_name(name)
    except ObjectNotFound:
        client.create_global_concurrency_limit(GlobalConcurrencyLimitCreate(name=name, limit=limit))
        return CREATED
    return THERE


def _automation(client: SyncPrefectClient, wanted: AutomationCore) -> str:
    known = client.read_automations_by_name(wanted.name)
    if not known:
        client.create_automation(wanted)
        return CREATED
    changes = [(there.id, updated(there, wanted)) for there in known]
    for id_, change in changes:
        if change is not None:
            client.update_automation(id_, change)
    return UPDATED if any(change for _, change in changes) else THERE


def _notifications(client: SyncPrefectClient, notify: str) -> tuple[AutomationCore, ...]:
    if not notify:
        return ()
    slug, _, name = notify.partition("/")
    try:
        block = client.read_block_document_by_name(name, slug, include_secrets=False)
    except ObjectNotFound:
        raise NotFound(
            f"Notification block '{notify}' not found.",
            "Save one in the Prefect UI (Blocks, Notification) and pass it as slug/name.",
        ) from None
    return tell_people(block.id)
