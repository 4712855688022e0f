"""A certificate of the deployed `qualify` licenses the deployed `weekly-refresh`."""

from __future__ import annotations

import json
import re
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from evaluation.rgb_items import TOWNS, testbed
from servers.openai_server import OpenAIServer
from servers.prefect_server import PrefectServer

from freshqa.dataset.identity import match
from freshqa.dataset.release import read_release
from freshqa.evaluation.rgb.testbed import Kind, write_testbed
from freshqa.sample import path
from freshqa.store import publishing, records, runs
from freshqa.store.database import Store
from prefect_freshqa.tasks.license_check import missing_licence
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

pytestmark = pytest.mark.integration

WEEK = json.loads(path("expected.json").read_text(encoding="utf-8"))["refreshes"][0]
DAY = datetime.fromisoformat(WEEK["as_of"]).date()


def reads_well(body: Any) -> str:
    """Names every town of the evidence, and says so when there is none."""
    case = str(body["messages"][-1]["content"]).rsplit("query:", 1)[-1]
    towns = [town for town in TOWNS if re.search(rf"held in {town}", case)]
    return f"{', '.join(towns)}." if towns else "The search results do not say."


@pytest.fixture
def store(sqlite_url: str) -> Store:
    """A store with the sample release as version 1."""
    opened = Store.open(sqlite_url, create=True)
    rows = match(read_release(path("release.csv")).questions, ()).questions
    now = datetime.now(timezone.utc)
    publishing.publish(opened, rows, as_of=DAY, now=now, parent=None, kind="import")
    return opened


def settings_of(server: PrefectServer, name: str) -> dict[str, Any]:
    """The settings that a deployment runs with."""
    settings: dict[str, Any] = server.get(f"/deployments/name/{name}")["parameters"]["settings"]
    return settings


def run(server: PrefectServer, name: str, model: OpenAIServer, settings: dict[str, Any]) -> None:
    """Run a deployment with its own model, which answers from loopback; fails unless it completes."""
    keys = {"OPENAI_BASE_URL": model.base_url, "OPENAI_API_KEY": "loopback"}
    run_id = server.run_deployment(name, environment=keys, as_of=DAY.isoformat(), settings=settings)
    ended = server.wait_for_run(run_id)
    assert ended["state_type"] == "COMPLETED", "\n".join(server.logs(run_id)[-30:])


def test_a_certificate_of_the_deployed_qualify_licenses_the_deployed_weekly_refresh(
    deployed: PrefectServer,
    store: Store,
    openai_server: OpenAIServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "loopback")
    openai_server.answer = reads_well
    files = [tmp_path / f"{kind.value}.jsonl" for kind in Kind]
    for kind, file in zip(Kind, files, strict=True):
        file.write_bytes(write_testbed(testbed(kind).items))
    # Only where things lie, and a policy that needs a licence; the way of asking is the file's.
    refresh = {
        **settings_of(deployed, "refresh-dataset/weekly-refresh"),
        "store": store.url,
        "search": f"recorded:{path(WEEK['searches'])}",
        "policy": "certified",
        "limit": 1,
    }
    told = RefreshSettings(**refresh)
    assert missing_licence(store, told, DAY) == ("model gpt-4o has no certificate",)

    probe = {
        **settings_of(deployed, "qualify-model/qualify"),
        "store": store.url,
        "testbeds": [str(file) for file in files],
        "bounds": dict.fromkeys(("noise", "rejection", "integration", "conflict"), 0.5),
    }
    run(deployed, "qualify-model/qualify", openai_server, probe)
    (certificate,) = records.certificates(store, model="gpt-4o")
    assert certificate["passed"], certificate["failed_bounds"]
    assert missing_licence(store, told, DAY) == ()
    run(deployed, "refresh-dataset/weekly-refresh", openai_server, refresh)
    refreshed = next(run for run in runs.list_runs(store) if run.flow == "refresh-dataset")
    assert refreshed.summary["checked"] == 1
    assert not refreshed.summary.get("unlicensed")
