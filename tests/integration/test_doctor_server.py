"""`doctor --server` on a real server: before and after `init`, `deploy` and a worker."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import run_warm
from servers.hidden_package import hide_package
from servers.prefect_server import LEASES, REPOSITORY, PrefectServer
from servers.prefect_services import without_services

pytestmark = pytest.mark.integration


@pytest.fixture
def foreign(tmp_path: Path) -> Iterator[PrefectServer]:
    """A server with leases in memory, as Prefect ships it, in an environment without our package."""
    home = tmp_path / "home"
    home.mkdir()
    environment = {
        "PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE": LEASES.replace("filesystem", "memory"),
        **hide_package(tmp_path / "hiding"),
        **without_services(),  # an idle server
    }
    server = PrefectServer(home, REPOSITORY, environment, cold=True, database="without-package")
    try:
        server.start_server()
        del server.environment["PYTHONPATH"]  # commands and workers have the package
        server.cold = False
        server.environment["PREFECT_FRESHQA_STORE"] = f"sqlite:///{home / 'freshqa.db'}"
        yield server
    finally:
        server.stop()


def ours(server: PrefectServer, *arguments: str, code: int = 0) -> str:
    """`prefect-freshqa …` against the server."""
    done = run_warm([*arguments], server.environment, REPOSITORY)
    assert done.code == code, done.stdout + done.stderr
    return done.stdout


def doctor(server: PrefectServer, code: int) -> dict[str, dict[str, Any]]:
    findings = json.loads(ours(server, "doctor", "--server", "--json", code=code))["findings"]
    return {finding["what"]: finding for finding in findings}


def test_a_server_without_the_package_is_prepared_step_by_step(foreign: PrefectServer) -> None:
    def slugs() -> set[str]:
        return {block["slug"] for block in foreign.post("/block_types/filter")}

    assert "freshqa-store" not in slugs()
    foreign.prefect("block", "register", "-m", "prefect_freshqa")
    assert {"freshqa-store", "freshqa-openai-model", "serpapi-search"} <= slugs()
    (store,) = (b for b in foreign.post("/block_types/filter") if b["slug"] == "freshqa-store")
    assert store["logo_url"] and store["documentation_url"]

    findings = doctor(foreign, code=1)
    assert (findings["work pool"]["works"], findings["work pool"]["remedy"]) == (
        False,
        "Run: prefect-freshqa init",
    )
    assert findings["weekly-refresh"]["seen"] == "none"
    assert findings["automation that ends dead runs"]["seen"] == "none"
    assert findings["provider slots"]["seen"].startswith("no limits")
    assert not findings["lease storage"]["works"] and "memory" in findings["lease storage"]["seen"]

    ours(foreign, "init")
    foreign.prefect("--no-prompt", "deploy", "--all")
    findings = doctor(foreign, code=1)
    assert "none online" in findings["workers"]["seen"]
    assert "prefect worker start" in findings["workers"]["remedy"]

    foreign.start_worker()
    findings = doctor(foreign, code=0)
    assert findings["workers"]["seen"] == "pool freshqa: worker-1"
    assert findings["weekly-refresh"]["seen"] == "1 active schedules"
    assert findings["automation that ends dead runs"]["seen"] == "on"
    assert "freshqa-model" in findings["provider slots"]["seen"]
    assert findings["deployment folders"]["seen"] == "none needed"

    gone = foreign.home / "gone"
    imports = foreign.get("/deployments/name/import-release/import")
    change = {
        "job_variables": {"working_dir": str(gone)},
        "pull_steps": [{"prefect.deployments.steps.set_working_directory": {"directory": "/n/o"}}],
    }
    foreign.client.patch(f"/deployments/{imports['id']}", json=change).raise_for_status()
    folders = doctor(foreign, code=0)["deployment folders"]
    assert not folders["works"]
    assert folders["seen"] == (
        "import starts in /n/o, which is not on this machine; "
        f"import starts in {gone}, which is not on this machine"
    )
    assert "pull: []" in folders["remedy"]

    assert findings["crashed runs"]["seen"] == "none in 7 days"
    run = foreign.run_deployment("import-release/import", file="release.csv")
    ended = foreign.wait_for_run(run)
    assert ended["state_type"] == "CRASHED"
    crashed = doctor(foreign, code=0)["crashed runs"]
    assert crashed["seen"].startswith(f"1 in 7 days; the newest, {ended['name']}: ")
    assert not crashed["works"]
