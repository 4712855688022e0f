"""The deployment `weekly-refresh` on a real server and worker, with the recorded sample dataset."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from servers.prefect_server import PrefectServer
from servers.using import using

from freshqa.dataset.identity import match
from freshqa.dataset.release import read_release
from freshqa.errors import UsageError
from freshqa.maintaining.proposal import Action, Decision
from freshqa.sample import path
from freshqa.store import proposal_decisions, proposals, publishing, runs, snapshots, versions
from freshqa.store.checks import checks
from freshqa.store.database import Store
from prefect_freshqa.flows.exchange import import_release, pull_snapshot

pytestmark = pytest.mark.integration

EXPECTED = json.loads(path("expected.json").read_text(encoding="utf-8"))
WEEK = EXPECTED["refreshes"][0]
LONG_AGO = datetime(2000, 1, 1, tzinfo=timezone.utc)
SETTINGS = {
    "search": f"recorded:{path(WEEK['searches'])}",
    "model": f"recorded:{path(WEEK['model'])}",
}
PICTURES = {"PREFECT_SERVER_UI_ENABLED": "true"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store with the sample release as version 1."""
    url = f"sqlite:///{tmp_path_factory.mktemp('store') / 'freshqa.db'}"
    opened = Store.open(url, create=True)
    release = read_release(path("release.csv"))
    publishing.publish(
        opened,
        match(release.questions, ()).questions,
        as_of=date.fromisoformat(EXPECTED["as_of"]),
        now=datetime.now(timezone.utc),
        parent=None,
        kind="import",
        dialect=release.dialect,
    )
    return opened


@pytest.fixture(scope="module")
def refreshed(deployed: PrefectServer, store: Store) -> dict[str, Any]:
    """The flow run of the deployment, finished."""
    settings = {**SETTINGS, "store": store.url, "every_question": True}
    run_id = deployed.run_deployment(
        "refresh-dataset/weekly-refresh",
        environment=PICTURES,
        cold=True,
        as_of=WEEK["as_of"],
        settings=settings,
    )
    run = deployed.wait_for_run(run_id)
    assert run["state_type"] == "COMPLETED", "\n".join(deployed.logs(run_id)[-30:])
    return run


def artifacts(server: PrefectServer, run_id: str) -> dict[str, Any]:
    wanted = {"flow_run_id": {"any_": [run_id]}}
    return {
        artifact["key"]: artifact for artifact in server.post("/artifacts/filter", artifacts=wanted)
    }


def test_every_deployment_of_the_file_exists(deployed: PrefectServer) -> None:
    deployments = {d["name"]: d for d in deployed.post("/deployments/filter")}
    assert {"weekly-refresh", "review", "publish", "import", "pull"} <= set(deployments)
    assert {"evaluate", "qualify"} <= set(deployments)
    weekly = deployments["weekly-refresh"]
    assert weekly["global_concurrency_limit"]["limit"] == 1
    (schedule,) = weekly["schedules"]
    assert schedule["slug"] == "monday-morning"
    assert schedule["schedule"] == {"cron": "0 6 * * 1", "timezone": "UTC", "day_or": True}


def test_deploying_again_changes_nothing(deployed: PrefectServer) -> None:
    before = {
        d["name"]: (d["id"], len(d["schedules"])) for d in deployed.post("/deployments/filter")
    }
    deployed.prefect("--no-prompt", "deploy", "--all")
    after = {
        d["name"]: (d["id"], len(d["schedules"])) for d in deployed.post("/deployments/filter")
    }
    assert after == before


def test_every_question_is_checked_and_recorded_in_the_ledger(
    refreshed: dict[str, Any], store: Store
) -> None:
    (run,) = runs.list_runs(store)
    checked = checks(store, run.key)
    assert run.state == "completed"
    assert run.flow_run_id == refreshed["id"]
    assert len(checked) == EXPECTED["questions"]
    outcomes = dict(Counter(item.outcome.value for item in checked))
    assert sum(outcomes.values()) == run.summary["checked"]
    assert outcomes == run.summary["outcomes"]


def test_artifacts_show_due_questions_proposals_and_validation(
    deployed: PrefectServer, refreshed: dict[str, Any], store: Store
) -> None:
    shown = artifacts(deployed, refreshed["id"])
    assert set(shown) == {
        "freshqa-due",
        "freshqa-progress",
        "freshqa-proposals",
        "freshqa-validation",
        "freshqa-summary",
        "freshqa-timeline",
    }
    assert shown["freshqa-timeline"]["data"].startswith("data:image/png;base64,iVBOR")
    assert shown["freshqa-progress"]["data"] == 100.0
    due = shown["freshqa-due"]["data"].splitlines()
    assert len(due) == 2 + EXPECTED["questions"]
    proposed = shown["freshqa-proposals"]["data"]
    for stored in proposals.proposals(store, status=None):
        assert f"### {stored.id}. {stored.proposal.question}" in proposed
    assert "| Mira Tolland → Idris<br>Quane |" in proposed
    assert "https://www.orlune-gov.example/president" in proposed


def test_each_question_has_a_log_line(deployed: PrefectServer, refreshed: dict[str, Any]) -> None:
    lines = deployed.logs(refreshed["id"])
    assert sum(line.startswith("Who is the president of Orlune?: changed") for line in lines) == 1


def test_every_proposal_emits_an_event(
    deployed: PrefectServer, refreshed: dict[str, Any], store: Store
) -> None:
    expected = {stored.id for stored in proposals.proposals(store, status=None)}

    def announced() -> set[int] | None:
        wanted = {"event": {"name": ["freshqa.proposal.created"]}}
        events = deployed.post("/events/filter", filter=wanted, limit=50)["events"]
        announced = {event["payload"]["proposal"] for event in events}
        return announced if announced >= expected else None

    deployed.wait_for(announced, "an event for every proposal", patience=60)


def test_nothing_is_published_before_a_proposal_is_accepted(
    deployed: PrefectServer, refreshed: dict[str, Any], store: Store
) -> None:
    assert versions.find(store).number == 1
    president = next(
        stored
        for stored in proposals.proposals(store)
        if stored.proposal.question == "Who is the president of Orlune?"
    )
    now = datetime.now(timezone.utc)
    proposal_decisions.decide(store, Decision(president.id, Action.accept, by="test", at=now))
    run_id = deployed.run_deployment(
        "publish-release/publish",
        environment=PICTURES,
        store=store.url,
        as_of=WEEK["as_of"],
        message="One change",
    )
    assert deployed.wait_for_run(run_id)["state_type"] == "COMPLETED"
    version = versions.find(store)
    changed = next(q for q in snapshots.snapshot(store, 2) if q.text == president.proposal.question)
    assert (version.number, version.message, version.rows) == (2, "One change", 45)
    assert "Idris Quane" in changed.primary
    event = materialized(deployed, "freshqa://freshqa/versions/2", version.content_hash)
    assert event["payload"]["proposals"] == 1
    assert sources(event) == {"freshqa://freshqa/versions/1"}
    assert set(artifacts(deployed, run_id)) >= {"freshqa-validation", "freshqa-timeline"}


def materialized(
    server: PrefectServer, asset: str, content_hash: str, since: datetime = LONG_AGO
) -> dict[str, Any]:
    """The event that says an asset with this content was made, as soon as the server has it."""
    wanted = {
        "occurred": {"since": since.isoformat()},
        "event": {"name": ["prefect.asset.materialization.succeeded"]},
        "resource": {"id": [asset]},
    }

    def arrived() -> dict[str, Any] | None:
        events = server.post("/events/filter", filter=wanted, limit=50)["events"]
        return next((e for e in events if e["payload"]["content_hash"] == content_hash), None)

    return server.wait_for(arrived, f"the making of {asset}")


def sources(event: dict[str, Any]) -> set[str]:
    """The assets that an asset was made of."""
    return {
        related["prefect.resource.id"]
        for related in event["related"]
        if related["prefect.resource.role"] == "asset"
    }


def test_import_creates_a_version_and_pull_a_snapshot_with_lineage(
    deployed: PrefectServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / 'freshqa.db'}"
    Store.open(url, create=True)
    monkeypatch.setenv("PREFECT_FRESHQA_SNAPSHOTS", str(tmp_path / "snapshots"))
    start = datetime.now(timezone.utc)  # another test may have made the same version on this server
    with using(f"{deployed.url}/api"):
        imported = import_release(str(path("release.csv")), as_of=date(2026, 3, 2), store=url)
        pulled = pull_snapshot("orlune.csv", store=url)
        with pytest.raises(UsageError, match="not a valid snapshot file name"):
            pull_snapshot("../orlune.csv", store=url)
    assert (imported["version"], imported["added"]) == (1, EXPECTED["questions"])
    assert Path(pulled["file"]) == tmp_path / "snapshots" / "orlune.csv"
    assert Path(pulled["file"]).read_bytes() == path("release.csv").read_bytes()
    version = materialized(deployed, "freshqa://freshqa/versions/1", pulled["content_hash"], start)
    assert sources(version) == {"freshqa://freshqa/releases/release.csv"}
    snapshot = materialized(
        deployed, "freshqa://freshqa/snapshots/orlune.csv", pulled["content_hash"], start
    )
    assert sources(snapshot) == {"freshqa://freshqa/versions/1"}
    assert snapshot["payload"]["sha256"] == pulled["sha256"]


def test_a_bad_parameter_is_refused_before_anything_runs(deployed: PrefectServer) -> None:
    deployment = deployed.get("/deployments/name/refresh-dataset/weekly-refresh")
    answer = deployed.client.post(
        f"/deployments/{deployment['id']}/create_flow_run",
        json={"parameters": {"settings": {"method": "guess"}}},
    )
    assert answer.status_code == 409
    assert "guess" in answer.text


def test_two_runs_of_one_week_give_the_figures_of_the_first(
    deployed: PrefectServer, refreshed: dict[str, Any], store: Store
) -> None:
    """The run with this key is complete, so the second flow run returns its figures."""
    assert refreshed["state_type"] == "COMPLETED"
    settings = {**SETTINGS, "store": store.url, "every_question": True}
    run_id = deployed.run_deployment(
        "refresh-dataset/weekly-refresh", as_of=WEEK["as_of"], settings=settings
    )
    assert deployed.wait_for_run(run_id)["state_type"] == "COMPLETED"
    assert len(runs.list_runs(store)) == 1


def test_a_flow_run_is_named_after_its_day(
    deployed: PrefectServer, refreshed: dict[str, Any], store: Store
) -> None:
    assert refreshed["name"] == f"refresh {WEEK['as_of']}"
    (done,) = runs.list_runs(store)
    settings = {**SETTINGS, "store": store.url}
    run_id = deployed.run_deployment(
        "refresh-dataset/weekly-refresh", key=done.key, settings=settings
    )
    of_today = deployed.wait_for_run(run_id)
    assert of_today["name"] == f"refresh {of_today['expected_start_time'][:10]}"
