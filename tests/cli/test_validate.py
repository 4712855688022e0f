"""The command `validate`, and what is recorded of a refused draft."""

from __future__ import annotations

import csv
import io
from datetime import date, datetime, timezone
from pathlib import Path

import pytest
from command_line import Run

from freshqa import sample
from freshqa.maintaining.proposal import (
    Action,
    CheckedQuestion,
    Decision,
    FieldChange,
    Outcome,
    Proposal,
)
from freshqa.store import proposal_decisions, proposals, records, snapshots, versions
from freshqa.store.checks import record_check
from freshqa.store.database import Store
from freshqa.store.runs import start_run

NOW = datetime(2026, 3, 9, 12, tzinfo=timezone.utc)


def broken_sample(folder: Path) -> Path:
    """The sample release with one answer that a spreadsheet would run."""
    text = sample.path("release.csv").read_text(encoding="utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    header = next(i for i, cells in enumerate(rows) if cells and cells[0] == "id")
    rows[header + 1][rows[header].index("answer_1")] = "=1+1"
    path = folder / "broken.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def test_a_release_file_passes_or_is_refused_with_exit_code_3(run: Run, tmp_path: Path) -> None:
    sound = run("validate", sample.path("release.csv"), "--as-of", "2026-03-02", "--json")
    assert (sound.code, sound.json["success"], sound.json["errors"]) == (0, True, [])
    assert sound.json["as_of"] == "2026-03-02"

    broken = broken_sample(tmp_path)
    refused = run("validate", broken, "--as-of", "2026-03-02", "--json", "--html", "report")
    assert (refused.code, refused.json["success"]) == (3, False)
    [error] = refused.json["errors"]
    assert (error["rule"], error["column"], error["value"]) == (
        "text-no-formula",
        "answer_1",
        "=1+1",
    )
    assert error["question"].endswith("?")
    assert (tmp_path / "report" / "index.html").is_file()

    known = run("validate", broken, "--base", broken, "--as-of", "2026-03-02", "--json")
    assert (known.code, [k["rule"] for k in known.json["known"] if k["severity"] == "error"]) == (
        0,
        ["text-no-formula"],
    )


def test_validation_of_a_version_is_printed_for_people(sample_store: Run) -> None:
    done = sample_store("validate", "--version", "1")
    assert done.code == 0
    assert "version 1 as of 2026-03-02. Passed: 0 errors" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "kind"),
    [
        (("nowhere.csv",), 1, "not-found"),
        (("nowhere.csv", "--draft"), 2, "usage"),
        (("--version", "7"), 1, "not-found"),
    ],
)
def test_bad_input_is_reported_in_one_line(
    sample_store: Run, arguments: tuple[str, ...], code: int, kind: str
) -> None:
    done = sample_store("validate", *arguments, "--json")
    assert (done.code, done.error["kind"]) == (code, kind)


def accept_a_formula(store: Store) -> str:
    """An accepted proposal whose edited answer no version may hold; its question's key."""
    question = snapshots.snapshot(store, 1)[0]
    key, run, free = question.key, "2026-W11", f"answer_{len(question.answers)}"
    start_run(
        store, key=run, flow="refresh", as_of=date(2026, 3, 9), base_version=1, settings={}, now=NOW
    )
    proposal = Proposal(
        key=key,
        question=question.text,
        base_revision=question.revision_hash,
        outcome=Outcome.alternative,
        changes={free: FieldChange("", "another form")},
    )
    checked = CheckedQuestion(
        key=key,
        question=question.text,
        outcome=Outcome.alternative,
        risk=0.1,
        stored=question.answers,
        proposal=proposal,
    )
    id = record_check(store, run, checked, now=NOW)
    assert id is not None
    edits = {free: "=HYPERLINK(1)", "next_review": "03/10/2027"}
    proposal_decisions.decide(
        store, Decision(id, Action.edit, by="Ada", at=NOW, reason="checked", edits=edits)
    )
    return key


def test_the_failing_rows_of_a_refused_draft_are_recorded(
    sample_store: Run, tmp_path: Path
) -> None:
    store = Store.open(f"sqlite:///{tmp_path / 'freshqa.db'}")
    key = accept_a_formula(store)
    docs = {"PREFECT_FRESHQA_DATA_DOCS": str(tmp_path / "docs")}
    done = sample_store("publish", "--as-of", "2026-03-09", "--json", **docs)
    assert (done.code, done.error["kind"]) == (3, "refused")
    assert "text-no-formula" in done.error["message"]
    assert "validate --draft" in done.error["remedy"]

    assert versions.find(store).number == 1
    [accepted] = proposals.proposals(store, status="edited")
    assert accepted.proposal.key == key
    [kept] = records.validations(store)
    assert kept.success is False
    failing = {(e["rule"], e["key"], e["value"]) for e in kept.report["errors"]}
    assert ("text-no-formula", key, "=HYPERLINK(1)") in failing
    assert len(list((tmp_path / "docs").glob("*/index.html"))) == 1

    draft = sample_store("validate", "--draft", "--as-of", "2026-03-09", "--json")
    assert draft.code == 3
    assert {e["rule"] for e in draft.json["errors"]} == {e["rule"] for e in kept.report["errors"]}
