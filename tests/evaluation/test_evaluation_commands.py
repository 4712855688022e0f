"""The commands evaluate, agreement, testbed and qualify, also with bad input."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from evaluation.town import RESPONSES, responses_file, write_lines

BY_WORDS = ("--judge", "lexical")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return responses_file(tmp_path)


def test_evaluate_prints_the_documented_json(
    cli, prefect_api, file: Path, no_slot_for_the_tag
) -> None:
    done = cli("evaluate", "--responses", file, *BY_WORDS, "--version", "1", "--json")
    assert done.code == 0, done.err
    result = done.json
    assert {name: result[name] for name in ("mode", "judge", "version")} == {
        "mode": "relaxed",
        "judge": "lexical",
        "version": 1,
    }
    assert [cell["column"] for cell in result["table"]][:3] == ["all", "valid", "valid_fast"]
    judged = {j["question"]: (j["verdict"], j["comment"]) for j in result["judgements"]}
    assert judged["Who is the mayor?"] == (
        "correct",
        "the response holds 'Ada Berg' as 'Ada Berg'",
    )


def test_readable_output_shows_the_table_and_what_was_left_out(
    cli, prefect_api, file: Path
) -> None:
    shown = cli("evaluate", "--responses", file, *BY_WORDS)
    assert "95 % interval" in shown.out and "valid premise: fast" in shown.out
    assert "Unrated in relaxed mode, not counted in percentages: 1." in shown.out
    markdown = cli("evaluate", "--responses", file, *BY_WORDS, "--format", "markdown")
    assert markdown.out.startswith("**Accuracy, relaxed**\n\n| questions | % |")
    table = cli("evaluate", "--responses", file, *BY_WORDS, "--format", "csv")
    rows = list(csv.DictReader(table.out.splitlines()))
    assert (rows[0]["column"], rows[0]["hits"], rows[0]["n"]) == ("all", "1", "3")


def test_judgements_and_chart_are_written_to_files(
    cli, prefect_api, file: Path, tmp_path: Path
) -> None:
    written = ("--plot", "a.svg", "--output", "judged.csv")
    done = cli("evaluate", "--responses", file, *BY_WORDS, *written)
    assert done.code == 0, done.err
    assert (tmp_path / "a.svg").read_text().startswith("<?xml")
    cli("evaluate", "--responses", file, *BY_WORDS, "--output", "judged.jsonl")
    with (tmp_path / "judged.csv").open() as sheet:
        rows = list(csv.DictReader(sheet))
    lines = [json.loads(line) for line in (tmp_path / "judged.jsonl").read_text().splitlines()]
    assert [row["verdict"] for row in rows] == [line["verdict"] for line in lines]


@pytest.mark.parametrize(
    ("arguments", "code", "kind", "message"),
    [
        (["--responses", "none.jsonl"], 1, "not-found", "File not found: none.jsonl."),
        (
            ["--version", "9"],
            1,
            "not-found",
            "Version 9 not found; the store has versions 1 to 2",
        ),
        (["--mode", "strict"], 2, "usage", "The lexical judge supports only relaxed mode"),
        (["--as-of", "March"], 2, "usage", "Invalid date 'March' for --as-of."),
        (
            ["--as-of", "response", "--version", "1"],
            2,
            "usage",
            "--as-of response requires --responses",
        ),
        (["--plot", "a.gif"], 2, "usage", "Unknown image format 'gif'."),
        (["--judge", "recorded:none.jsonl"], 1, "not-found", "File not found: none.jsonl."),
        (["--compare", "nothing"], 1, "not-found", "Finished evaluation not found: 'nothing'"),
        (["--since", "7"], 1, "not-found", "Version 7 not found"),
        (["--version", "0"], 1, "not-found", "Version 0 not found"),
        (["--key", "k" * 200], 2, "usage", "--key is 200 characters long."),
        (["--split", "TRAIN"], 1, "bad-data", "responses.jsonl does not match any question"),
        (["--budget-usd", "much"], 2, "usage", "--budget-usd 'much' is not a number."),
    ],
)
def test_bad_input_is_reported_in_one_line_with_a_remedy(
    cli, file: Path, arguments: list[str], code: int, kind: str, message: str
) -> None:
    done = cli("evaluate", "--responses", file, *BY_WORDS, *arguments, "--json")
    assert (done.code, done.json["error"]["kind"]) == (code, kind)
    assert done.json["error"]["message"].startswith(message)
    assert "\n" not in done.json["error"]["message"] and done.json["error"]["remedy"]


def test_a_judge_without_a_key_is_reported_at_once(cli, file: Path, monkeypatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    done = cli("evaluate", "--responses", file)
    assert done.code == 1
    assert done.err.startswith("Error: 'openai:gpt-4o' needs a key")


def sheet(folder: Path, name: str, **verdicts: str) -> Path:
    rows = [{"question": q, "verdict": verdicts[v]} for q, v in zip(RESPONSES, "abcd", strict=True)]
    return write_lines(folder / name, rows)


def test_raters_and_evaluations_are_compared_by_premise(
    cli, prefect_api, file: Path, tmp_path: Path
) -> None:
    ada = sheet(tmp_path, "ada.jsonl", a="correct", b="correct", c="incorrect", d="correct")
    name = cli("evaluate", "--responses", file, *BY_WORDS, "--json").json["evaluation"]
    done = cli("agreement", ada, name, "--json")
    assert done.code == 0, done.err
    cells = {row["premise"]: row for row in done.json["table"]}
    assert (cells["overall"]["hits"], cells["overall"]["n"]) == (2, 3)
    assert (cells["false premise"]["n"], cells["false premise"]["left_out"]) == (0, 1)
    assert [d["verdicts"] for d in done.json["disagreements"]] == [
        {"ada": "correct", name: "incorrect"}
    ]
    assert "kappa" in cli("agreement", ada, name).out


def test_questions_and_rows_that_do_not_match_are_named(cli, tmp_path: Path) -> None:
    ada = sheet(tmp_path, "ada.jsonl", a="correct", b="correct", c="maybe", d="correct")
    rows = [{"question": "Who is the king?", "verdict": "correct"}]
    bob = write_lines(tmp_path / "bob.jsonl", rows)
    result = cli("agreement", ada, bob, "--json").json
    assert result["unknown"] == {"bob": ["Who is the king?"]}
    assert result["unreadable"] == {"ada": ["row 3: 'maybe' is not a verdict"]}


@pytest.mark.parametrize(
    ("raters", "code", "message"),
    [
        (["ada.jsonl"], 2, "Agreement needs two raters."),
        (["ada.jsonl", "x/ada.jsonl"], 2, "Two raters are named ada."),
        (
            ["ada.jsonl", "nobody"],
            1,
            "File not found: nobody. Finished evaluation not found: 'nobody'",
        ),
        (["ada.jsonl", "ada.jsonl", "--mode", "lax"], 2, "Unknown mode 'lax'."),
    ],
)
def test_raters_that_cannot_be_compared_are_refused(
    cli, tmp_path: Path, raters: list[str], code: int, message: str
) -> None:
    (tmp_path / "x").mkdir()
    for folder in (tmp_path, tmp_path / "x"):
        sheet(folder, "ada.jsonl", a="correct", b="correct", c="correct", d="correct")
    done = cli("agreement", *raters, "--json")
    assert done.code == code
    assert done.json["error"]["message"].startswith(message)


def test_testbeds_of_the_store_qualify_a_method(
    cli, prefect_api, tmp_path: Path, no_slot_for_the_tag
) -> None:
    printed = cli("testbed", "-o", "beds", "--json")
    assert printed.code == 0, printed.err
    beds = {bed["kind"]: bed for bed in printed.json["testbeds"]}
    assert {kind: bed["items"] for kind, bed in beds.items()} == {
        "base": 4,
        "integration": 2,
        "counterfactual": 4,
    }
    assert (
        cli("testbed", "-o", "again", "--json").json["testbeds"][0]["sha256"]
        == (beds["base"]["sha256"])
    )
    options = [part for bed in beds.values() for part in ("--testbed", bed["file"])]
    done = cli("qualify", *options, "--method", "search-only", "--as-of", "2026-03-09", "--json")
    assert done.code == 0, done.err
    certificate = done.json
    assert (certificate["model"], certificate["passed"]) == ("search-only", False)
    assert certificate["expires_on"] == "2026-06-07"
    assert certificate["rates"]["rejection"]["hits"] == 0
    refused = cli("refresh", "--as-of", "2026-03-10", "--method", "search-only", "--search",
                  "replay", "--policy", "certified", "--json")  # fmt: skip
    assert refused.code == 3, refused.err
    assert "rejection" in refused.json["error"]["message"]
    shown = cli("qualify", *options, "--method", "search-only", "--as-of", "2026-03-09")
    assert "search-only asked by search-only does not qualify" in shown.out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--testbed", "none.jsonl"], 1, "Testbed not found: none.jsonl."),
        (["--testbed", "empty.jsonl"], 1, "empty has no testbed items"),
        (
            ["--testbed", "none.jsonl", "--bound", "noise"],
            2,
            "--bound 'noise' is not a valid limit.",
        ),
        ([], 2, "Missing option '--testbed'"),
    ],
)
def test_invalid_testbeds_and_bounds_are_refused(
    cli, tmp_path: Path, arguments: list[str], code: int, message: str
) -> None:
    (tmp_path / "empty.jsonl").write_text('{"id": 1}\n')
    done = cli("qualify", *arguments, "--method", "search-only", "--json")
    assert done.code == code
    assert done.json["error"]["message"].startswith(message)


def test_a_testbed_needs_two_questions(cli) -> None:
    done = cli("testbed", "-o", "beds", "--new", "7", "--json")
    assert (done.code, done.json["error"]["kind"]) == (1, "not-found")
