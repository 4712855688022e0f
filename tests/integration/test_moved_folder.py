"""Deployments need no folder, and a run that cannot start logs the reason."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from servers.hidden_package import hide_package
from servers.prefect_server import PrefectServer

from freshqa.sample import path
from freshqa.store import versions
from freshqa.store.database import Store

pytestmark = pytest.mark.integration


def test_a_run_needs_no_folder_of_the_deployment(
    prefect_server: PrefectServer, tmp_path: Path, sqlite_url: str
) -> None:
    folder = tmp_path / "deployed-from"
    folder.mkdir()
    shutil.copy(prefect_server.repository / "prefect.yaml", folder)
    prefect_server.prefect("--no-prompt", "deploy", "--name", "import", cwd=folder)
    shutil.rmtree(folder)
    started_in = prefect_server.home  # of the worker
    shutil.copy(path("release.csv"), started_in / "release-of-the-test.csv")
    store = Store.open(sqlite_url, create=True)
    run = prefect_server.run_deployment(
        "import-release/import",
        supervised=True,
        file="release-of-the-test.csv",
        store=sqlite_url,
    )
    ended = prefect_server.wait_for_run(run)
    assert ended["state_type"] == "COMPLETED", "\n".join(prefect_server.logs(run))
    assert versions.find(store).rows == 45


def log_of_a_run_that_does_not_start(server: PrefectServer, job: dict[str, object]) -> str:
    """The log of a run of `review` that crashes before the flow begins."""
    deployment = server.get("/deployments/name/review-proposals/review")
    run = server.post(f"/deployments/{deployment['id']}/create_flow_run", job_variables=job)["id"]
    ended = server.wait_for_run(run, states={"CRASHED", "FAILED"})
    assert ended["state_type"] in ("CRASHED", "FAILED")
    return server.wait_for(lambda: "\n".join(server.logs(run)), f"the log of run {run}")


def test_a_package_that_the_worker_lacks_is_named_in_the_log_of_the_run(
    deployed: PrefectServer, tmp_path: Path
) -> None:
    log = log_of_a_run_that_does_not_start(deployed, {"env": hide_package(tmp_path)})
    assert "No module named 'prefect_freshqa'" in log
