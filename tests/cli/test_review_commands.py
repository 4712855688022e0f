"""The commands review accept, keep, edit and reject, for proposals with and without a value."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from store.ledger import checked, start
from store.sheet import DAY, NOW, asked, sheet

from freshqa.checking.candidate import Candidate
from freshqa.dataset.question import Question
from freshqa.maintaining.proposal import Outcome
from freshqa.store.checks import record_check
from freshqa.store.database import Store
from freshqa.store.publishing import publish
from prefect_freshqa.cli.main import main

ROWS = [*sheet(3), asked("When is the next eclipse?", "soon", next_review="03/01/2026")]


def propose(store: Store, row: Question, **fields: Any) -> int:
    """The number of a proposal for a row, without a value and with two candidates."""
    check = checked(row, Outcome.insufficient)
    assert check.proposal is not None
    empty = {"changes": {}, "candidates": (Candidate("Oppenheimer", 4), Candidate("Barbie", 1))}
    proposal = replace(check.proposal, **{**empty, **fields})
    number = record_check(store, "week-11", replace(check, proposal=proposal), now=NOW)
    assert number is not None
    return number


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Proposals 1 and 2 without a value, 3 for a row whose review date has passed."""
    opened = Store.open(f"sqlite:///{tmp_path / 'freshqa.db'}", create=True)
    publish(opened, ROWS, as_of=DAY, now=NOW, parent=None)
    start(opened)
    for row in (ROWS[1], ROWS[2], ROWS[3]):
        propose(opened, row)
    return opened


@pytest.fixture
def run(
    store: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Callable[..., tuple[int, Any]]:
    """`prefect-freshqa review … --json` in this process: its exit code and what it printed."""
    monkeypatch.setenv("PREFECT_FRESHQA_STORE", store.url)
    monkeypatch.chdir(tmp_path)

    def run_command(*arguments: str) -> tuple[int, Any]:
        monkeypatch.setattr(sys, "argv", ["prefect-freshqa", "review", *arguments, "--json"])
        with pytest.raises(SystemExit) as ended:
            main()
        assert isinstance(ended.value.code, int)
        return ended.value.code, json.loads(capfd.readouterr().out)

    return run_command


def test_accepting_a_proposal_without_a_value_is_refused_and_decides_nothing(run) -> None:
    code, printed = run("accept", "1")
    assert code == 3
    assert printed["error"]["kind"] == "refused"
    assert "no value to accept" in printed["error"]["message"]
    for way in ("review keep 1", "review accept 1 --candidate 1", "review edit 1"):
        assert way in printed["error"]["remedy"]
    assert len(run("list")[1]["proposals"]) == 3


def test_a_candidate_is_picked_by_its_number(run) -> None:
    shown = run("show", "2")[1]
    assert shown["candidates"][0] == {"text": "Oppenheimer", "sources": 4}
    code, printed = run("accept", "2", "--candidate", "1", "--by", "Ada")
    assert (code, printed["decided"][0]["status"]) == (0, "edited")
    decision = run("show", "2")[1]["decision"]
    assert (decision["action"], decision["edits"]) == ("edit", {"answer_0": "Oppenheimer"})
    assert run("accept", "1", "2", "--candidate", "1")[0] == 2


def test_keep_closes_a_proposal_or_advances_its_review_date(run) -> None:
    code, printed = run("keep", "1", "3", "--by", "Ada")
    assert code == 0
    assert [decision["status"] for decision in printed["decided"]] == ["kept", "accepted"]
    assert run("show", "3")[1]["decision"]["edits"] == {"next_review": "occasionally"}
    assert [proposal["id"] for proposal in run("list", "--status", "kept")[1]["proposals"]] == [1]
    again, refused = run("accept", "1", "--candidate", "1")
    assert again == 1 and "has decided it: keep" in refused["error"]["message"]


def test_suggestions_are_applied_on_request(run, store: Store) -> None:
    values = {"fact_type": "fast-changing", "num_hops": "multi-hop"}
    number = propose(store, ROWS[0], suggested_values=values)
    code, printed = run("accept", str(number), "--with-suggestions")
    assert (code, printed["decided"][0]["status"]) == (0, "accepted")
    edits = run("show", str(number))[1]["decision"]["edits"]
    assert edits == {**values, "next_review": "frequently"}


def test_the_same_proposal_twice_is_refused(run) -> None:
    code, printed = run("reject", "1", "1")
    assert code == 2 and "Proposal 1 is decided 2 times" in printed["error"]["message"]


def exported(path: Path) -> list[str]:
    """The numbers of the proposals in a sheet."""
    with path.open(encoding="utf-8-sig", newline="") as lines:
        return [row["proposal"] for row in csv.DictReader(lines)]


def test_a_sample_for_a_second_annotator_is_drawn_by_seed_and_in_proportion(
    run, store: Store, tmp_path: Path
) -> None:
    rows = [asked(f"Who leads town {n}?", f"Mayor {n}") for n in range(12)]
    publish(store, [*ROWS, *rows], as_of=DAY, now=NOW, parent=1)
    changed = [propose(store, row, outcome=Outcome.changed) for row in rows[:8]]
    every = tmp_path / "all.csv"
    assert run("export", str(every)) == (0, {"file": str(every), "proposals": 11})
    drawn = {}
    for name, seed in (("a.csv", "7"), ("b.csv", "7"), ("c.xlsx", "7"), ("d.csv", "8")):
        path = tmp_path / name
        code, told = run("export", str(path), "--sample", "4", "--seed", seed)
        assert (code, told["proposals"]) == (0, 4)
        drawn[name] = exported(path) if name.endswith("csv") else []
    assert drawn["a.csv"] == drawn["b.csv"] != drawn["d.csv"]
    assert set(drawn["a.csv"]) < set(exported(every))
    of_changed = [number for number in drawn["a.csv"] if int(number) in changed]
    assert len(of_changed) == 3, "8 of 11 are changed"
    code, told = run("export", str(every), "--sample", "99")
    assert (code, told["proposals"]) == (0, 11), "all of them when there are fewer"
    code, refused = run("export", str(tmp_path / "none.csv"), "--sample", "0")
    assert (code, refused["error"]["kind"]) == (2, "usage")
    assert "Invalid value for --sample: 0" in refused["error"]["message"]
    assert not (tmp_path / "none.csv").exists()


def fill(path: Path, decisions: dict[str, str], **cells: str) -> None:
    """Write decisions into an exported sheet, and other cells where something is edited."""
    with path.open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.DictReader(lines))
    for row in rows:
        row["decision"] = decisions.get(row["proposal"], "")
        if row["decision"] == "edit":
            row |= {f"new {column}": text for column, text in cells.items()}
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def test_two_filled_sheets_are_compared(
    run, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """By hand: kappa (2/3 - 4/9) / (5/9); alpha 1 - (1/3) / (1 - 12/30)."""
    for name in ("ada.csv", "bo.csv"):
        run("export", str(tmp_path / name), "--sample", "3", "--seed", "7")
    fill(tmp_path / "ada.csv", {"1": "keep", "2": "keep", "3": "reject"})
    fill(tmp_path / "bo.csv", {"1": "keep", "2": "Reject", "3": "reject"})

    def agreement(*arguments: str) -> tuple[int, Any]:
        monkeypatch.setattr(sys, "argv", ["prefect-freshqa", "agreement", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        assert isinstance(ended.value.code, int)
        return ended.value.code, capfd.readouterr().out

    code, printed = agreement("ada.csv", "bo.csv", "--json")
    told = json.loads(printed)
    (row,) = told["table"]
    assert (code, row["hits"], row["n"], row["left_out"]) == (0, 2, 3, 0)
    assert (row["kappa"], row["alpha"]) == (0.4, 0.444444)
    (differing,) = told["disagreements"]
    assert differing["proposal"] == 2
    assert differing["decisions"] == {"ada.csv": "keep", "bo.csv": "reject"}
    code, shown = agreement("ada.csv", "bo.csv")
    assert code == 0 and "0.44" in shown and ROWS[2].text in shown

    fill(tmp_path / "ada.csv", {"1": "edit", "2": "candidate 1"}, answer_0="Barbie")
    fill(tmp_path / "bo.csv", {"1": "edit", "2": "candidate 2", "3": "keep"}, answer_0="Ken")
    (row,) = json.loads(agreement("ada.csv", "bo.csv", "--json")[1])["table"]
    assert (row["hits"], row["n"], row["left_out"]) == (0, 2, 1), "other texts, other candidates"
    fill(tmp_path / "bo.csv", {"1": "perhaps"})
    code, printed = agreement("ada.csv", "bo.csv", "--json")
    error = json.loads(printed)["error"]
    assert (code, error["kind"]) == (1, "bad-data")
    assert "bo.csv, row 2, decision: Invalid decision 'perhaps'" in error["message"]
