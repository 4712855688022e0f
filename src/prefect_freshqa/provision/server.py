"""Bring a Prefect server to the state that the deployments expect; safe to repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import GlobalConcurrencyLimitCreate, WorkPoolCreate
from prefect.events.schemas.automations import AutomationCore
from prefect.exceptions import ObjectAlreadyExists, ObjectNotFound

from freshqa.errors import NotFound
from prefect_freshqa.blocks.saved import reachable_api
from prefect_freshqa.provision.automations import end_dead_runs, tell_people
from prefect_freshqa.tasks.provider_slots import MODEL_LIMIT, SEARCH_LIMIT

if TYPE_CHECKING:
    from prefect.client.orchestration import SyncPrefectClient

WORK_POOL = "freshqa"
LIMITS = {SEARCH_LIMIT: 16, MODEL_LIMIT: 16}
"""Calls in flight at the same time, over all workers, to the search engine and to the model."""


def provision_server(*, notify: str = "") -> dict[str, str]:
    """Create work pool, limits and automations where they are missing; change none that exist.

    Args:
        notify: `slug/name` of a saved notification block that hears of failures, waiting
            proposals and budgets; "" for none.

    Returns:
        What → "created" or "there already".

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
    return done


def _work_pool(client: SyncPrefectClient) -> str:
    try:
        client.create_work_pool(WorkPoolCreate(name=WORK_POOL, type="process"))
    except ObjectAlreadyExists:
        return "there already"
    return "created"


def _limit(client: SyncPrefectClient, name: str, limit: int) -> str:
    try:
        client.read_global_concurrency_limit_by_name(name)
    except ObjectNotFound:
        client.create_global_concurrency_limit(GlobalConcurrencyLimitCreate(name=name, limit=limit))
        return "created"
    return "there already"


def _automation(client: SyncPrefectClient, automation: AutomationCore) -> str:
    if client.read_automations_by_name(automation.name):
        return "there already"
    client.create_automation(automation)
    return "created"


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
