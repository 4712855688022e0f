"""Check that a model, with this prompt, has the certificate that a policy requires."""

from __future__ import annotations

from datetime import date

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from freshqa.answering.settings import settings_for
from freshqa.choices import REPLAY
from freshqa.errors import Refused
from freshqa.evaluation.certificate import REMEDY, why_not_licensed
from freshqa.evaluation.prompt_identity import recipe_hash
from freshqa.store import records
from freshqa.store.database import Store
from prefect_freshqa.blocks.resolve import load_model
from prefect_freshqa.tasks.refresh_settings import RefreshSettings


def check_licence(store: Store, settings: RefreshSettings, *, on: date) -> tuple[str, ...]:
    """Check that the model is qualified, before any paid call.

    Args:
        settings: What the refresh was told; policy `hold` needs no licence.

    Returns:
        Why it is not, for policy `assisted`, which continues with a warning.

    Raises:
        Refused: policy `certified`, and no valid certificate; the message says which bound failed.
    """
    if settings.policy == "hold":
        return ()
    return look_for_licence(store, settings, on=on)


@task(cache_policy=NO_CACHE)
def look_for_licence(store: Store, settings: RefreshSettings, *, on: date) -> tuple[str, ...]:
    """`check_licence` where one is needed or missed: a task run, which `hold` is spared."""
    reasons = missing_licence(store, settings, on)
    if reasons and settings.policy == "certified":
        raise Refused(f"Policy certified is not allowed: {'; '.join(reasons)}.", REMEDY)
    if reasons:
        get_run_logger().warning("Not qualified: %s. %s", "; ".join(reasons), REMEDY)
    return reasons


def missing_licence(store: Store, settings: RefreshSettings, on: date) -> tuple[str, ...]:
    """Return why no certificate of the store covers the model of a refresh; empty when one does."""
    name: str = settings.method
    if settings.method != "search-only":
        model = load_model(settings.model)
        name = model.name if model is not None else REPLAY
    return why_not_licensed(
        records.certificates(store, model=name),
        model=name,
        recipe=recipe_hash(settings.method, settings_for(settings.profile, settings.premise_check)),
        on=on,
    )
