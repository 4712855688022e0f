"""Deployments work without the folder that `prefect deploy` was called in."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from servers.prefect_server import PrefectServer

from freshqa.sample import path
from freshqa.store import versions
from freshqa.store.database import Store

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("prefect")]


def test_a_run_needs_no_folder_of_the_deployment(
    prefect_server: PrefectServer, tmp_path: Path, sqlite_url: str
) -> None:
    folder = tmp_path / "deployed-from"
    folder.mkdir()
    shutil.copy(prefect_server.repository / "prefect.yaml", folder)
    prefect_server.prefect("--no-prompt", "deploy", "--all", cwd=folder)
    shutil.rmtree(folder)
    started_in = prefect_server.home  # of the worker
    shutil.copy(path("release.csv"), started_in / "release-of-the-test.csv")
    store = Store.open(sqlite_url, create=True)
    run = prefect_server.run_deployment(
        "import-release/import", file="release-of-the-test.csv", store=sqlite_url
    )
    ended = prefect_server.wait_for_run(run)
    assert ended["state_type"] == "COMPLETED", "\n".join(prefect_server.logs(run))
    assert versions.find(store).rows == 45
