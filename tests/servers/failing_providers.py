"""Refreshes in this process, on a real Prefect server, with providers that can be made to fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import pytest
from servers.gauges import CHECKED, Providers, providers
from servers.prefect_server import PrefectServer
from servers.provider_faults import FAULTS
from servers.using import using

from prefect_freshqa.flows.refresh import refresh_dataset
from prefect_freshqa.tasks import circuit_breaker
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

PATIENCE = {"impatient": 1.0, "patient": 120.0}
"""Block → seconds that a client waits for one reply."""
SEARCH_FAULTS = [search for search, _ in FAULTS.values()]
MODEL_FAULTS = [model for _, model in FAULTS.values()]
Refresh: TypeAlias = Callable[..., dict[str, Any]]


@contextmanager
def saved_providers(server: PrefectServer) -> Iterator[Providers]:
    """The providers, saved as blocks of clients that wait long and of those that do not."""
    with providers(search_seconds=0.0, model_seconds=0.0) as running:
        with using(f"{server.url}/api"):
            for name, seconds in PATIENCE.items():
                running.save_blocks(
                    name,
                    search={
                        "api_key": "a-marked-search-key",
                        "timeout_seconds": seconds,
                        "max_attempts": 2,
                        "longest_wait_seconds": 0.2,
                    },
                    model={
                        "api_key": "a-marked-model-key",
                        "timeout_seconds": seconds,
                        "max_retries": 1,
                        "prompt_usd_per_million": 0,
                        "completion_usd_per_million": 1000,
                    },
                )
        yield running


@contextmanager
def refreshing(
    server: PrefectServer, world: Providers, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Refresh]:
    """Run the flow here, against the server, on providers that behave until they are told not to."""
    world.search.clear()
    world.model.clear()
    monkeypatch.setenv("PREFECT_FRESHQA_STORE", store_url)
    # as many probes, sooner: how long it waits is tested with the circuit breaker
    monkeypatch.setattr(circuit_breaker, "PAUSES", [0.05] * len(circuit_breaker.PAUSES))
    with using(f"{server.url}/api"):

        def run(name: str = "patient", **settings: Any) -> dict[str, Any]:
            asked = RefreshSettings(
                search=f"serpapi-search/{name}", model=f"freshqa-openai-model/{name}", **settings
            )
            summary: dict[str, Any] = refresh_dataset(as_of=CHECKED, settings=asked)
            return summary

        yield run
