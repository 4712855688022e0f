"""The command line, the sheet, the form and the desk give the same words the same meaning."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from store.ledger import checked, start
from store.sheet import DAY, NOW, asked

from freshqa.checking.candidate import Candidate
from freshqa.errors import FreshQAError
from freshqa.maintaining.proposal import FieldChange, Outcome
from freshqa.maintaining.review_sheet import read_review_sheet, write_review_sheet
from freshqa.store import proposal_decisions, proposals
from freshqa.store.checks import record_check
from freshqa.store.database import Store
from freshqa.store.publishing import publish
from prefect_freshqa.cli.main import main
from prefect_freshqa.desk.application import create_application
from prefect_freshqa.desk.settings import DeskSettings
from prefect_freshqa.tasks.review_form import ProposalDecision, ReviewForm, blank_form, read_form

ROW = asked(
    "How many lighthouses does Orlune have?", "14", num_hops="one-hop", next_review="03/01/2026"
)
SUGGESTED = {"fact_type": "fast-changing", "num_hops": "multi-hop"}
Surface = Callable[[Store, str, str], str]
"""Decides proposal 1 in these words, with this answer ("" for none); returns what is wrong."""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    opened = Store.open(f"sqlite:///{tmp_path / 'freshqa.db'}", create=True)
    publish(opened, [ROW], as_of=DAY, now=NOW, parent=None)
    start(opened)
    return opened


def propose(store: Store, outcome: Outcome) -> None:
    """Proposal 1: with the value 16 when the outcome is changed, else without a value."""
    check = checked(ROW, outcome)
    assert check.proposal is not None
    changes = {"answer_0": FieldChange("14", "16")} if outcome is Outcome.changed else {}
    proposal = replace(
        check.proposal,
        changes=changes,
        candidates=(Candidate("15", 4), Candidate("17", 1)),
        suggestions={column: f"{value}? Seen." for column, value in SUGGESTED.items()},
        suggested_values=SUGGESTED,
    )
    assert record_check(store, "week-11", replace(check, proposal=proposal), now=NOW) == 1


def by_command(store: Store, words: str, answer: str) -> str:
    action, *rest = words.replace("candidate", "--candidate").split()
    options = [part.replace("with", "--with-suggestions") for part in rest if part != "suggestions"]
    options += ["--set", f"answer_0={answer}"] if answer else []
    call = ["review", action, "1", *options, "--by", "Ada", "--store", store.url, "--json"]
    printed = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(printed):
        patch.setattr(sys, "argv", ["prefect-freshqa", *call])
        with pytest.raises(SystemExit) as ended:
            main()
    error = json.loads(printed.getvalue()).get("error", {})
    assert bool(error) == bool(ended.value.code)
    return str(error.get("message", ""))


def by_sheet(store: Store, words: str, answer: str) -> str:
    pending = proposals.reviewable(store, [1])
    rows = list(
        csv.reader(io.StringIO(write_review_sheet(pending, format="csv").decode("utf-8-sig")))
    )
    line = dict(zip(rows[0], rows[1], strict=True)) | {"decision": words}
    line |= {"new answer_0": answer} if answer else {}
    filled = io.StringIO()
    csv.writer(filled).writerows([rows[0], [line[column] for column in rows[0]]])
    data = filled.getvalue().encode()
    try:
        decisions = read_review_sheet(data, pending=pending, by="Ada", now=NOW, name="s.csv")
    except FreshQAError as wrong:
        return str(wrong)
    proposal_decisions.decide_all(store, decisions)
    return ""


def by_form(store: Store, words: str, answer: str) -> str:
    form = blank_form([proposals.proposal(store, 1)])
    options = form.model_json_schema()["properties"]["decision_1"]["enum"]
    short = words.removeprefix("accept ") if "candidate" in words else words
    # The option of a candidate shows its text too; what is not offered is sent as it is.
    action = next((option for option in options if option.partition(":")[0] == short), words)
    line = ProposalDecision(proposal=1, action=action, answers=answer)
    choices, wrong = read_form(ReviewForm(reviewer="Ada", decisions=[line]), [1], at=NOW)
    if wrong:
        return "; ".join(wrong)
    try:
        proposal_decisions.review(store, choices, by="Ada", at=NOW)
    except FreshQAError as refused:
        return str(refused)
    return ""


def by_desk(store: Store, words: str, answer: str) -> str:
    client = TestClient(create_application(store, DeskSettings(local_user="Ada")))
    client = TestClient(client.app, base_url="http://127.0.0.1", follow_redirects=False)
    token = re.search(r'name="csrf" content="([^"]*)"', client.get("/proposals/1").text)
    assert token is not None
    action, _, suggestions = words.partition(" with ")
    fields = {"csrf": token[1], "action": action} | ({"answers": answer} if answer else {})
    fields |= {"with_suggestions": "1"} if suggestions else {}
    answered = client.post(
        "/proposals/1/decision", data=fields, headers={"Accept": "application/json"}
    )
    return answered.json()["error"]["message"] if answered.status_code >= 400 else ""


SURFACES = [by_command, by_sheet, by_form, by_desk]


def decided(store: Store) -> tuple[str, dict[str, Any]]:
    decision = proposals.proposal(store, 1).decision
    assert decision is not None and decision.by == "Ada"
    return decision.action.value, dict(decision.edits)


CASES = [
    (Outcome.changed, "accept", "", "accept", {}),
    (
        Outcome.changed,
        "accept with suggestions",
        "",
        "accept",
        SUGGESTED,
    ),
    (Outcome.changed, "keep", "", "keep", {"next_review": "occasionally"}),
    (Outcome.changed, "edit", "18", "edit", {"answer_0": "18"}),
    (Outcome.changed, "accept candidate 2", "", "edit", {"answer_0": "17"}),
    (Outcome.insufficient, "accept candidate 1", "", "edit", {"answer_0": "15"}),
    (Outcome.insufficient, "keep", "", "keep", {"next_review": "occasionally"}),
    (Outcome.insufficient, "edit", "18", "edit", {"answer_0": "18"}),
    (Outcome.conflicting, "accept candidate 1", "", "edit", {"answer_0": "15"}),
]


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize(("outcome", "words", "answer", "action", "edits"), CASES)
def test_the_same_words_give_the_same_decision_everywhere(
    store: Store,
    surface: Surface,
    outcome: Outcome,
    words: str,
    answer: str,
    action: str,
    edits: dict[str, str],
) -> None:
    propose(store, outcome)
    assert surface(store, words, answer) == ""
    assert decided(store) == (action, edits)


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("outcome", [Outcome.insufficient, Outcome.conflicting])
def test_accepting_a_proposal_without_a_value_is_refused_everywhere_with_a_remedy(
    store: Store, surface: Surface, outcome: Outcome
) -> None:
    propose(store, outcome)
    wrong = surface(store, "accept", "")
    assert f"Proposal 1 is {outcome.value} and has no value to accept." in wrong
    assert "\n" not in wrong
    assert proposals.proposal(store, 1).status == "pending"


@pytest.mark.parametrize("surface", SURFACES)
def test_a_candidate_that_does_not_exist_is_refused_everywhere(
    store: Store, surface: Surface
) -> None:
    propose(store, Outcome.insufficient)
    assert "Proposal 1 does not have a candidate 3." in surface(store, "accept candidate 3", "")
    assert proposals.proposal(store, 1).status == "pending"
