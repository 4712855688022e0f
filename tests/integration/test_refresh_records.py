"""What a refresh leaves on a Prefect server that keeps everything: task runs without tags, no key."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from prefect import tags
from servers.failing_providers import (
    MODEL_FAULTS,
    SEARCH_FAULTS,
    Refresh,
    refreshing,
    saved_providers,
)
from servers.gauges import Providers, make_store
from servers.prefect_server import PrefectServer
from servers.provider_faults import sprinkle

pytestmark = pytest.mark.integration

SIZE = 30


@pytest.fixture(scope="module")
def world(prefect_server: PrefectServer) -> Iterator[Providers]:
    with saved_providers(prefect_server) as running:
        yield running


@pytest.fixture
def refresh(
    prefect_server: PrefectServer,
    world: Providers,
    sqlite_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Refresh]:
    with refreshing(prefect_server, world, sqlite_url, monkeypatch) as run:
        yield run


def test_tasks_do_not_have_the_tag_of_the_flow_run(
    refresh: Refresh, prefect_server: PrefectServer, sqlite_url: str
) -> None:
    make_store(sqlite_url, 1)
    with tags("a-tag-of-this-test"):
        refresh()
    (run,) = prefect_server.post(
        "/flow_runs/filter", flow_runs={"tags": {"all_": ["a-tag-of-this-test"]}}
    )
    tasks = prefect_server.wait_for(
        lambda: prefect_server.post(
            "/task_runs/filter", flow_runs={"id": {"any_": [run["id"]]}}, limit=200
        ),
        "the server to record task runs",
    )
    assert {tuple(task["tags"]) for task in tasks} == {()}


def test_the_key_is_not_stored_anywhere(
    refresh: Refresh,
    world: Providers,
    sqlite_url: str,
    prefect_server: PrefectServer,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Logs, artifacts, results, run states, the ledger, exceptions and the process list."""
    make_store(sqlite_url, SIZE)
    sprinkle(world.search, SEARCH_FAULTS, 0.5, seed=6)
    sprinkle(world.model, MODEL_FAULTS, 0.5, seed=6)
    refresh("impatient")
    captured = capfd.readouterr()
    seen = {
        "log": caplog.text + captured.out + captured.err,
        "ledger": b"".join(file.read_bytes() for file in tmp_path.glob("freshqa.db*")),
        "run logs": str(prefect_server.post("/logs/filter", limit=200, sort="TIMESTAMP_DESC")),
        "artifacts": str(prefect_server.post("/artifacts/filter", limit=200)),
        "flow runs": str(prefect_server.post("/flow_runs/filter", limit=200)),
        "task runs": str(prefect_server.post("/task_runs/filter", limit=200)),
    }
    seen["exceptions"] = "".join(
        "".join(traceback.format_exception(record.exc_info[1]))
        for record in caplog.records
        if record.exc_info and record.exc_info[1]
    )
    seen["process list"] = b"".join(processes_command_lines())
    results = [f for f in (prefect_server.home / "storage").rglob("*") if f.is_file()]
    seen["results"] = b"".join(file.read_bytes() for file in results)
    for where, content in seen.items():
        text = content.decode("latin-1") if isinstance(content, bytes) else content
        assert "a-marked-" not in text, where


def processes_command_lines() -> Iterator[bytes]:
    """The arguments of every process that this user may see."""
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended meanwhile
            yield file.read_bytes()
