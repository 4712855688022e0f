"""A refresh whose batches run on a cluster gives the same results as one in threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from command_line import warm_processes
from servers.fingerprint import fingerprint
from servers.gauges import CHECKED, make_store, providers
from servers.prefect_server import PrefectServer
from servers.using import using

from freshqa.store import runs
from prefect_freshqa.flows.refresh import refresh_dataset
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

pytestmark = pytest.mark.integration

SIZE, BATCH = 20, 4
CLUSTERS = {
    "prefect_dask.DaskTaskRunner": {
        "cluster_kwargs": {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    },
    "prefect_ray.RayTaskRunner": {"init_kwargs": {"num_cpus": 2, "include_dashboard": False}},
}


@pytest.fixture(scope="module")
def refresh(
    prefect_server: PrefectServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str, Any], str]]:
    """Refreshes a new store with a task runner and says what it came to."""
    folder: Path = tmp_path_factory.mktemp("clusters")
    with (
        providers(search_seconds=0.0, model_seconds=0.0) as known,
        using(f"{prefect_server.url}/api"),
        warm_processes(),
    ):
        known.save_blocks("clusters")

        def refreshed(name: str, runner: Any) -> str:
            url = f"sqlite:///{folder / name}.db"
            store = make_store(url, SIZE)
            settings = RefreshSettings(
                search="clusters", model="clusters", store=url, batch_size=BATCH
            )
            flow = refresh_dataset.with_options(task_runner=runner) if runner else refresh_dataset
            summary = flow(as_of=CHECKED, settings=settings)
            assert summary["checked"] == SIZE
            (done,) = runs.list_runs(store)
            return fingerprint(store, done.key)

        yield refreshed


@pytest.fixture(scope="module")
def in_threads(refresh: Callable[[str, Any], str]) -> str:
    """What threads come to."""
    return refresh("threads", None)


@pytest.mark.parametrize("path", CLUSTERS)
def test_a_cluster_gives_the_same_results_as_threads(
    path: str, refresh: Callable[[str, Any], str], in_threads: str
) -> None:
    module, name = path.split(".")
    pytest.importorskip(module)
    runner = getattr(import_module(module), name)(**CLUSTERS[path])
    assert refresh(name, runner) == in_threads
