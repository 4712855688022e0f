"""The deployments of another dataset change only that dataset, on a real server and worker."""

from __future__ import annotations

from datetime import date, datetime, timezone
from pathlib import Path

import pytest
from command_line import runner
from servers.prefect_server import PrefectServer

from freshqa.dataset.identity import match
from freshqa.dataset.release import read_release
from freshqa.maintaining.proposal import Action, Decision
from freshqa.sample import path
from freshqa.store import proposal_decisions, proposals, publishing, runs, snapshots, versions
from freshqa.store.database import Store

pytestmark = pytest.mark.integration

WEEK = "2026-03-09"
CHANGED = "Who is the president of Orlune?"


def filled(url: str, dataset: str) -> Store:
    """The sample release as version 1 of a dataset."""
    store = Store.open(url, dataset=dataset, create=True)
    questions = match(read_release(path("release.csv")).questions, ()).questions
    now = datetime.now(timezone.utc)
    publishing.publish(store, questions, as_of=date(2026, 3, 2), now=now, parent=None)
    return store


def test_a_deployment_of_a_dataset_touches_that_dataset_only(
    deployed: PrefectServer, tmp_path: Path
) -> None:
    """Two datasets with the same questions in one store; the deployments are those of `seal`."""
    url = f"sqlite:///{tmp_path / 'freshqa.db'}"
    first, seal = filled(url, "freshqa"), filled(url, "seal")
    file = tmp_path / "prefect-seal.yaml"
    source = deployed.repository / "prefect.yaml"
    written = runner(tmp_path)("deployments", "--dataset", "seal", "--from", source, "-o", file)
    assert written.code == 0, written.stderr
    for name in ("weekly-refresh-seal", "publish-seal"):
        deployed.prefect("--no-prompt", "deploy", "--name", name, "--prefect-file", str(file))
    settings = {
        "search": f"recorded:{path('searches-2026-03-09.jsonl')}",
        "model": f"recorded:{path('model-2026-03-09.jsonl')}",
        "store": url,
    }
    refresh = deployed.run_deployment(
        "refresh-dataset/weekly-refresh-seal", as_of=WEEK, settings=settings
    )
    assert deployed.wait_for_run(refresh)["state_type"] == "COMPLETED", deployed.logs(refresh)[-30:]
    assert [run.flow_run_id for run in runs.list_runs(seal)] == [refresh]
    assert not runs.list_runs(first) and not proposals.proposals(first, status=None)
    (president,) = [p for p in proposals.proposals(seal) if p.proposal.question == CHANGED]
    accepted = Decision(president.id, Action.accept, by="test", at=datetime.now(timezone.utc))
    proposal_decisions.decide(seal, accepted)
    published = deployed.run_deployment("publish-release/publish-seal", store=url, as_of=WEEK)
    ended = deployed.wait_for_run(published)
    assert ended["state_type"] == "COMPLETED", deployed.logs(published)[-30:]
    answers = {q.text: q.primary for q in snapshots.snapshot(seal, 2)}
    assert (versions.find(seal).number, answers[CHANGED]) == (2, "Idris Quane")
    assert versions.find(first).number == 1
