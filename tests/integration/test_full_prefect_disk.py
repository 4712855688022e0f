"""If the disk of the Prefect database is full, the run ends with one line and loses nothing."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import warm_address
from servers.gauges import CHECKED, Providers, make_store, providers
from servers.prefect_server import PrefectServer
from servers.prefect_services import without_services
from servers.small_disk import SmallDisk, small_disk
from servers.using import using
from servers.warm_commands import warm_words
from servers.witness import Witness, faults

pytestmark = [
    pytest.mark.integration,
    pytest.mark.small_disk,
]
SIZE, RUN = 100, "2026-W11-freshprompt"


@pytest.fixture
def on_small_disk() -> Iterator[tuple[PrefectServer, SmallDisk]]:
    """A Prefect server whose home lies on a small disk."""
    try:
        with small_disk(24) as disk:
            writers = without_services("EVENT_PERSISTER", "TASK_RUN_RECORDER")
            server = PrefectServer(disk.folder / "home", Path.cwd(), writers)
            server.home.mkdir()
            try:
                server.start_server()
                yield server, disk
            finally:
                server.stop()
    except PermissionError as refused:
        pytest.skip(f"small_disk: {refused}")


def refresh(
    server: PrefectServer, world: Providers, store_url: str, home: Path
) -> subprocess.Popen[str]:
    """Start the command, whose own home is elsewhere."""
    command = ["refresh", "--as-of", CHECKED.isoformat(), "--model", "openai:reader", "--json"]
    return subprocess.Popen(
        [
            *warm_words(warm_address(), "prefect_freshqa.cli"),
            *(*command, "--search", "serpapi-search/full"),
        ],
        env={
            **server.environment,
            **world.environment,
            "PREFECT_HOME": str(home),
            "PREFECT_FRESHQA_STORE": store_url,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def test_the_run_ends_with_one_line_and_resumes_when_space_is_freed(
    on_small_disk: tuple[PrefectServer, SmallDisk], sqlite_url: str, tmp_path: Path
) -> None:
    server, disk = on_small_disk
    with (
        using(f"{server.url}/api"),
        providers(search_seconds=0.2, model_seconds=0.2) as world,
    ):
        world.save_blocks("full")
        store = make_store(sqlite_url, SIZE)
        witness = Witness(world)
        process = refresh(server, world, sqlite_url, tmp_path)
        while not world.model.requests and process.poll() is None:
            time.sleep(0.02)
        disk.leave(0)
        printed = json.loads(process.communicate()[0].splitlines()[-1])
        assert process.returncode == 1
        assert printed["error"]["message"] == "The Prefect API returned HTTP status 500."
        assert "free disk space" in printed["error"]["remedy"]
        witness.look(store)
        disk.make_room()
        process = refresh(server, world, sqlite_url, tmp_path)
        printed = json.loads(process.communicate()[0].splitlines()[-1])
        assert (process.returncode, printed["checked"], printed["left_due"]) == (0, SIZE, 0)
        witness.look(store)
    assert (witness.calls, witness.paid_again, witness.lost) == (2 * SIZE, [], 0)
    assert faults(store, SIZE, RUN) == []
