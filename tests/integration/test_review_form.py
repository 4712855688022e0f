"""The deployment `review`: its form is filled in through the API that the UI uses."""

from __future__ import annotations

from datetime import date, datetime, timezone
from typing import Any

import pytest
from servers.prefect_server import PrefectServer

from freshqa.dataset.identity import match
from freshqa.dataset.release import read_release
from freshqa.maintaining.proposal import (
    Action,
    CheckedQuestion,
    Decision,
    FieldChange,
    Outcome,
    Proposal,
)
from freshqa.sample import path
from freshqa.store import proposal_decisions, proposals, publishing, runs
from freshqa.store.checks import record_check
from freshqa.store.database import Store

pytestmark = pytest.mark.integration

NOW = datetime(2026, 3, 9, 12, tzinfo=timezone.utc)


@pytest.fixture
def store(tmp_path) -> Store:
    """A store with four pending proposals, numbers 1 to 4."""
    opened = Store.open(f"sqlite:///{tmp_path / 'freshqa.db'}", create=True)
    questions = match(read_release(path("release.csv")).questions, ()).questions
    day = date(2026, 3, 2)
    publishing.publish(opened, questions, as_of=day, now=NOW, parent=None, kind="import")
    runs.start_run(opened, key="week", flow="test", as_of=day, base_version=1, settings={}, now=NOW)
    for number, question in enumerate(questions[:4], start=1):
        proposal = Proposal(
            key=question.key,
            question=question.text,
            base_revision=question.revision_hash,
            outcome=Outcome.changed,
            changes={"answer_0": FieldChange(question.primary, f"New answer {number}")},
            risk=1 - number / 10,
        )
        checked = CheckedQuestion(
            key=question.key,
            question=question.text,
            outcome=Outcome.changed,
            risk=proposal.risk,
            stored=question.answers,
            proposal=proposal,
        )
        assert record_check(opened, "week", checked, now=NOW) == number
    return opened


def start_review(server: PrefectServer, store: Store, batch_size: int) -> str:
    run_id = server.run_deployment(
        "review-proposals/review", store=store.url, batch_size=batch_size
    )
    server.wait_for_run(run_id, states={"PAUSED", "FAILED", "CRASHED"})
    return run_id


def wait_for_form(server: PrefectServer, run_id: str, number: int) -> str:
    """What the form of this number says above its fields, as soon as the run waits with it."""

    def suspended() -> dict[str, str] | None:
        run = server.get(f"/flow_runs/{run_id}")
        assert run["state_type"] not in {"FAILED", "CRASHED"}, server.logs(run_id)[-20:]
        keyset = run["state"]["state_details"].get("run_input_keyset") or {}
        waits = run["state_type"] == "PAUSED" and f"form-{number}" in str(keyset)
        return keyset if waits else None

    keyset = server.wait_for(suspended, f"form {number} of run {run_id}")

    def described() -> str:  # the state is there a moment before the form
        answer = server.client.get(f"/flow_runs/{run_id}/input/{keyset['description']}")
        return answer.text if answer.is_success else ""

    return server.wait_for(described, f"the text of form {number}")


def send(server: PrefectServer, run_id: str, reviewer: str, **fields: Any) -> Any:
    answer = server.client.post(
        f"/flow_runs/{run_id}/resume", json={"run_input": {"reviewer": reviewer, **fields}}
    )
    return answer.json()


def test_two_forms_are_decided_after_a_mistake_is_corrected(
    deployed: PrefectServer, store: Store
) -> None:
    run_id = start_review(deployed, store, batch_size=2)
    first = wait_for_form(deployed, run_id, 1)
    assert "New answer 1" in first and "Form 1 of 2" in first

    # what the schema forbids is refused at once, and the run stays suspended
    refused = send(deployed, run_id, "Ada", decision_1="maybe")
    assert refused["status"] == "REJECT"
    refused = send(deployed, run_id, "Ada", decision_3="accept")  # not on this form
    assert refused["status"] == "REJECT"

    # what only the flow can see is asked again, and nothing of that form is applied
    send(deployed, run_id, "Ada", decision_1="accept", decision_2="edit")
    assert "Proposal 2: An edit needs an answer" in wait_for_form(deployed, run_id, 2)
    assert {p.status for p in proposals.proposals(store, status=None)} == {"pending"}

    send(
        deployed,
        run_id,
        "Ada",
        accept_all=True,
        reason_1="seen",
        decision_2="accept",
        answers_2="Better | Best",
        reason_2="the site",
    )
    wait_for_form(deployed, run_id, 3)
    assert proposals.proposal(store, 1).status == "accepted"
    edited = proposals.proposal(store, 2)
    assert edited.status == "edited"
    assert edited.decision is not None
    assert (edited.decision.by, edited.decision.reason) == ("Ada", "the site")
    assert edited.decision.edits["answer_0"] == "Better"
    assert edited.decision.edits["answer_2"] == ""

    # somebody else decides number 3 on the command line while this form waits
    proposal_decisions.decide(store, Decision(3, Action.reject, by="Bob", at=NOW))
    send(deployed, run_id, "Ada", decision_3="accept")
    run = deployed.wait_for_run(run_id)
    assert run["state_type"] == "COMPLETED", deployed.logs(run_id)[-20:]
    third = proposals.proposal(store, 3)
    assert third.decision is not None
    assert (third.status, third.decision.by) == ("rejected", "Bob")
    assert proposals.proposal(store, 4).status == "pending"
    # log lines arrive a moment after the run's end
    deployed.wait_for(lambda: [x for x in deployed.logs(run_id) if "Bob" in x], "a line on Bob")
