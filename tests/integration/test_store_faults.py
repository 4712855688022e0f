"""A refresh with a full, locked or shared store, or a wrong clock."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from command_line import warm_address
from servers.gauges import CHECKED, Providers, make_store, providers
from servers.holder import held
from servers.prefect_server import PrefectServer
from servers.scripted_server import Reply, Request
from servers.small_disk import SmallDisk
from servers.using import using
from servers.warm_commands import warm_words
from servers.witness import Witness, faults

from freshqa.errors import StoreError
from freshqa.store import connecting, versions
from freshqa.store.remedies import FULL
from prefect_freshqa.flows.refresh import refresh_dataset
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

pytestmark = pytest.mark.integration

SIZE, FEW, BATCH, AT_ONCE = 60, 30, 10, 2
"""More than the small disk holds; three batches; and how they are checked."""
PATIENCE = 250.0  # seconds until something is stuck, not slow
ROOM = {"sqlite": 384 * 1024, "postgresql": 48 * 1024}
"""Bytes: for more than one result, and for much less than a run."""
RUN = "2026-W11-freshprompt"
SEARCH, MODEL = "serpapi-search/store-faults", "freshqa-openai-model/store-faults"


@pytest.fixture(scope="module")
def world(api_server: PrefectServer) -> Iterator[Providers]:
    """The providers, saved as blocks."""
    with providers(search_seconds=0.05, model_seconds=0.05) as running:
        with using(f"{api_server.url}/api"):
            running.save_blocks("store-faults")
        yield running


@pytest.fixture
def refresh(
    api_server: PrefectServer, world: Providers, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], dict[str, Any]]]:
    """Run the flow on the store with this URL, here, against the real server."""
    world.search.clear()
    world.model.clear()
    settings = RefreshSettings(search=SEARCH, model=MODEL, batch_size=BATCH, concurrency=AT_ONCE)
    with using(f"{api_server.url}/api"):

        def run(store_url: str) -> dict[str, Any]:
            monkeypatch.setenv("PREFECT_FRESHQA_STORE", store_url)
            summary: dict[str, Any] = refresh_dataset(as_of=CHECKED, settings=settings)
            return summary

        yield run


@pytest.mark.small_disk
def test_a_full_disk_ends_the_refresh_at_once_and_it_resumes_when_space_is_freed(
    refresh: Callable[[str], dict[str, Any]],
    world: Providers,
    small_store: tuple[str, SmallDisk],
) -> None:
    store_url, disk = small_store
    store = make_store(store_url, SIZE)
    witness = Witness(world)
    disk.leave(ROOM[store.engine.dialect.name])
    with pytest.raises(StoreError) as caught:
        refresh(store_url)
    assert caught.value.remedy == FULL
    assert "\n" not in str(caught.value)
    witness.look(store)
    assert 0 < witness.calls < SIZE  # what cannot be kept is not paid for
    assert witness.lost <= 2 * AT_ONCE
    assert [version.number for version in versions.log(store)] == [1]
    disk.make_room()
    assert refresh(store_url)["resumed"]
    witness.look(store)
    assert witness.paid_again == []
    assert faults(store, SIZE, RUN) == []


def test_a_store_that_is_locked_for_too_long_ends_the_refresh_and_loses_nothing(
    refresh: Callable[[str], dict[str, Any]],
    world: Providers,
    store_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connecting, "BUSY_SECONDS", 10.0)  # a busy machine's own writes take less
    store = make_store(store_url, FEW)
    witness = Witness(world)
    wanted, holding, over = (threading.Event() for _ in range(3))
    normal = world.search.normal

    def normal_until_held(request: Request) -> Reply:
        """From a third of the searches on, answer only when the store is locked."""
        if len(world.search.requests) > FEW // 3:
            wanted.set()
            holding.wait(PATIENCE)
        return normal(request)

    def hold() -> None:
        wanted.wait(PATIENCE)
        with held(store_url):
            monkeypatch.setattr(connecting, "BUSY_SECONDS", 0.5)
            holding.set()
            over.wait(PATIENCE)

    monkeypatch.setattr(world.search, "normal", normal_until_held)
    holder = threading.Thread(target=hold)
    holder.start()
    try:
        with pytest.raises(StoreError, match="Another process has locked") as caught:
            refresh(store_url)
    finally:
        over.set()
        holder.join()
    monkeypatch.setattr(connecting, "BUSY_SECONDS", 30.0)
    assert "\n" not in str(caught.value)
    witness.look(store)
    assert FEW / 3 <= witness.calls < 2 * FEW
    assert witness.lost <= 2 * AT_ONCE
    assert refresh(store_url)["resumed"]
    witness.look(store)
    assert witness.paid_again == []
    assert faults(store, FEW, RUN) == []


def test_two_refreshes_started_together_are_one(
    api_server: PrefectServer,
    refresh: Callable[[str], dict[str, Any]],
    world: Providers,
    store_url: str,
) -> None:
    """One of two processes works; the other reports that, or returns the same figures."""
    store = make_store(store_url, FEW)
    witness = Witness(world)
    command = ["refresh", "--as-of", CHECKED.isoformat(), "--model", MODEL, "--json"]
    both = [
        subprocess.Popen(
            [*warm_words(warm_address(), "prefect_freshqa.cli"), *command, "--search", SEARCH],
            env={**api_server.environment, "PREFECT_FRESHQA_STORE": store_url},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for _ in range(2)
    ]
    printed = [json.loads(process.communicate()[0].splitlines()[-1]) for process in both]
    worked = [report for report in printed if report.get("resumed") is False]
    assert [report["checked"] for report in worked] == [FEW]
    other = next(report for report in printed if report is not worked[0])
    assert other.get("checked") == FEW or "is already in progress: " in other["error"]["message"]
    witness.look(store)
    assert (witness.calls, witness.paid_again) == (2 * FEW, [])
    assert faults(store, FEW, RUN) == []
