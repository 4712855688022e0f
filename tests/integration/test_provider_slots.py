"""Provider limits over several workers, on a real Prefect server."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from prefect import flow
from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import GlobalConcurrencyLimitUpdate
from prefect.runtime import flow_run
from prefect.settings import PREFECT_API_URL, temporary_settings
from servers.prefect_server import PrefectServer

from freshqa.errors import ProviderError
from prefect_freshqa.tasks.provider_slots import SURE_AFTER, Patience, provider_slots

pytestmark = pytest.mark.integration


@pytest.fixture
def api(api_server: PrefectServer) -> Iterator[str]:
    """URL of the API that this process talks to."""
    url = f"{api_server.url}/api"
    with temporary_settings({PREFECT_API_URL: url}):
        yield url


@pytest.fixture
def limit(api: str) -> str:
    """Name of a limit of four calls."""
    name = f"test-{uuid.uuid4()}"
    with get_client(sync_client=True) as client:
        client.upsert_global_concurrency_limit_by_name(name, 4)
    return name


@pytest.mark.usefixtures("api")
def test_a_missing_limit_does_not_restrict_calls() -> None:
    with provider_slots(8, ["no-such-limit"]) as at_once:
        assert at_once == 8


def test_calls_in_progress_never_exceed_the_limit(limit: str) -> None:
    with provider_slots(8, [limit, "no-such-limit"]) as at_once:
        assert at_once == 4


def test_workers_share_the_limit(limit: str, api: str) -> None:
    lock, held, peaks = threading.Lock(), 0, []
    pair = threading.Barrier(2, timeout=120)

    def batch(_: int) -> None:
        nonlocal held
        with (
            temporary_settings({PREFECT_API_URL: api}),
            provider_slots(2, [limit], patience=Patience(between=0.1)) as at_once,
        ):
            with lock:
                held += at_once
                peaks.append(held)
            pair.wait()  # two hold their slots at the same time
            with lock:
                held -= at_once

    with ThreadPoolExecutor(4) as workers:
        list(workers.map(batch, range(4)))
    assert max(peaks) == 4


def test_slots_are_released_after_a_failure(limit: str) -> None:
    with pytest.raises(ZeroDivisionError), provider_slots(4, [limit]):
        raise ZeroDivisionError
    with provider_slots(4, [limit]) as at_once:
        assert at_once == 4


class FastClock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def patience(self, **changes: float) -> Patience:
        return Patience(between=30.0, clock=lambda: self.now, sleep=self.sleep, **changes)

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def take(limit: str, slots: int) -> None:
    """Take slots without a lease, as a restarted server that kept leases in memory has them."""
    with get_client(sync_client=True) as client:
        client.update_global_concurrency_limit(
            limit, GlobalConcurrencyLimitUpdate(active_slots=slots)
        )


def taken(limit: str) -> int:
    with get_client(sync_client=True) as client:
        return client.read_global_concurrency_limit_by_name(limit).active_slots


@contextmanager
def refresh_under_way(server: PrefectServer, labels: dict[str, int]) -> Iterator[str]:
    """A running refresh that says what it holds; its name."""
    flow = server.post("/flows/", name="refresh-dataset")
    run = server.post("/flow_runs/", flow_id=flow["id"], state={"type": "RUNNING"})
    with get_client(sync_client=True) as client:
        client.update_flow_run_labels(run["id"], labels)
        yield run["name"]
        client.delete_flow_run(run["id"])


def test_slots_without_an_owner_are_freed_after_every_lease_expired(limit: str) -> None:
    take(limit, 4)
    clock = FastClock()
    with provider_slots(3, [limit], patience=clock.patience()) as at_once:
        assert (at_once, taken(limit)) == (3, 3)
    assert SURE_AFTER <= clock.now <= SURE_AFTER + 60
    assert taken(limit) == 0


def test_slots_of_a_live_run_are_not_freed(
    limit: str, api_server: PrefectServer, caplog: pytest.LogCaptureFixture
) -> None:
    take(limit, 4)
    clock = FastClock()
    held = {f"freshqa-slots/{limit}/host-1": 3}
    with (
        refresh_under_way(api_server, held) as name,
        pytest.raises(ProviderError, match="No provider slot was free for 10 minutes") as raised,
        provider_slots(4, [limit], patience=clock.patience(limit=600)),
    ):
        raise AssertionError("it got slots")
    assert taken(limit) == 3
    assert f"3 of 4 taken (3 by {name})" in raised.value.message
    assert "prefect-freshqa doctor" in raised.value.remedy
    waits = [r.getMessage() for r in caplog.records if "Waiting for provider slots" in r.message]
    assert len(waits) == 10  # one a minute
    assert f"4 of 4 taken (3 by {name}, 1 without an owner)" in waits[0]


def test_no_slot_is_freed_while_a_run_has_not_recorded_its_slots(
    limit: str, api_server: PrefectServer
) -> None:
    take(limit, 4)
    clock = FastClock()
    with (
        refresh_under_way(api_server, {}),
        pytest.raises(ProviderError, match="perhaps"),
        provider_slots(4, [limit], patience=clock.patience(limit=300)),
    ):
        raise AssertionError("it got slots")
    assert taken(limit) == 4


def test_a_run_records_the_slots_it_holds_and_releases_them(limit: str) -> None:
    labels = []

    @flow(name="refresh-dataset")
    def refresh() -> None:
        with get_client(sync_client=True) as client:
            for _ in range(2):
                with provider_slots(2, [limit]), provider_slots(1, [limit]):
                    labels.append(client.read_flow_run(flow_run.id).labels)
            labels.append(client.read_flow_run(flow_run.id).labels)

    refresh()
    said = [[v for k, v in each.items() if k.startswith("freshqa-slots/")] for each in labels]
    assert said == [[3], [3], [0]]


def test_a_limit_of_zero_pauses_calls(limit: str) -> None:
    clock = FastClock()
    with get_client(sync_client=True) as client:
        client.upsert_global_concurrency_limit_by_name(limit, 0)
        original = clock.sleep

        def sleep(seconds: float) -> None:
            original(seconds)
            if clock.now >= 60:
                client.upsert_global_concurrency_limit_by_name(limit, 2)

        clock.sleep = sleep  # type: ignore[method-assign]
        with provider_slots(4, [limit], patience=clock.patience()) as at_once:
            assert at_once == 2 and clock.now >= 60
