"""The first calls of a refresh: made alone, while what is needed later is imported."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

from prefect.context import FlowRunContext
from prefect.task_runners import ThreadPoolTaskRunner

from freshqa.store.runs import Run
from prefect_freshqa.tasks.providers import providers_of
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

VALIDATION = (
    "prefect_freshqa.expectations.evaluate",
    "prefect_freshqa.expectations.dataset_suite",
    "prefect_freshqa.expectations.update_suite",
)
"""Great Expectations, which takes seconds to import, and the suites."""
CLIENT = "openai.resources.chat.completions"
RECORDED = ("recorded:", "replay")


def must_probe_first(settings: RefreshSettings) -> bool:
    """Return whether one question is checked alone before the others start.

    The threads of this process wait for the first call to each provider. Other processes cannot, and
    a budget has to know the price of a call.
    """
    context = FlowRunContext.get()
    threads = context is not None and isinstance(context.task_runner, ThreadPoolTaskRunner)
    return settings.pays and (settings.limited or not threads)


def import_while_waiting(settings: RefreshSettings) -> None:
    """Import in the background what the first reply and the validation need, in this order."""
    asks_model = settings.method != "search-only" and not settings.model.startswith(RECORDED)
    modules = (CLIENT, *VALIDATION) if asks_model else VALIDATION
    threading.Thread(target=_import_all, args=(modules,), daemon=True).start()


def _import_all(modules: Sequence[str]) -> None:
    for module in modules:
        with suppress(ImportError):  # raised where it is needed
            import_module(module)


def raise_first_failure(run: Run, settings: RefreshSettings) -> None:
    """Raise why the first call to a provider failed, if every other call would fail as well.

    Raises:
        CredentialsError, QuotaExhausted, UsageError: as the provider said.
    """
    failure = providers_of(run, settings).first_failure()
    if failure is not None:
        raise failure
