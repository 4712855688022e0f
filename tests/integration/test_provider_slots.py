"""Provider limits over several workers, on a real Prefect server."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from prefect.client.orchestration import get_client
from prefect.settings import PREFECT_API_URL, temporary_settings
from servers.prefect_server import PrefectServer

from prefect_freshqa.tasks.provider_slots import provider_slots

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("prefect")]


@pytest.fixture
def api(prefect_server: PrefectServer) -> Iterator[str]:
    """URL of the API that this process talks to."""
    url = f"{prefect_server.url}/api"
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
def test_a_limit_that_nobody_made_does_not_limit() -> None:
    with provider_slots(8, ["no-such-limit"]) as at_once:
        assert at_once == 8


def test_no_more_than_the_limit_at_once(limit: str) -> None:
    with provider_slots(8, [limit, "no-such-limit"]) as at_once:
        assert at_once == 4


def test_workers_share_it(limit: str, api: str) -> None:
    lock, held, peaks = threading.Lock(), 0, []

    def batch(_: int) -> None:
        nonlocal held
        with (
            temporary_settings({PREFECT_API_URL: api}),
            provider_slots(2, [limit]) as at_once,
        ):
            with lock:
                held += at_once
                peaks.append(held)
            time.sleep(0.5)
            with lock:
                held -= at_once

    with ThreadPoolExecutor(4) as workers:
        list(workers.map(batch, range(4)))
    assert max(peaks) == 4


def test_slots_come_back_after_a_failure(limit: str) -> None:
    with pytest.raises(ZeroDivisionError), provider_slots(4, [limit]):
        raise ZeroDivisionError
    with provider_slots(4, [limit]) as at_once:
        assert at_once == 4
