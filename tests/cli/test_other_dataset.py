"""The main job on a dataset with other columns: due, search, propose, validate, publish."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Run, runner

from freshqa import sample
from freshqa.dataset.release import read_release

WEEK = ("--as-of", "2026-03-09")
SEAL = ("--dataset", "seal")
CHANGED = "Who is the president of Orlune?"


def seal_rows() -> list[dict[str, Any]]:
    """The sample release in the columns of SealQA."""
    return [
        {
            "question": question.text,
            "answer": question.primary,
            "urls": list(question.sources),
            "freshness": question.fact_type,
            "question_types": ["advanced reasoning"],
            "effective_year": question.effective_year,
            "topic": "Orlune",
            "canary": "example:canary",
        }
        for question in read_release(sample.path("release.csv")).questions
    ]


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def refreshed(run: Run, file: Path, searches: Path, model: Path, name: str) -> dict[str, Any]:
    """What a refresh of a dataset printed; the store has a second dataset beside it."""
    assert run("init").code == 0
    assert run("init", "--dataset", name).code == 0
    imported = run("import", file, "--as-of", "2026-03-02", "--dataset", name, "--json")
    assert imported.code == 0, imported.stderr
    due = run("due", *WEEK, "--dataset", name, "--json").json["questions"]
    recorded = ("--search", f"recorded:{searches}", "--model", f"recorded:{model}")
    done = run("refresh", *WEEK, *recorded, "--dataset", name, "--json")
    assert done.code == 0, done.stderr
    assert done.json["due"] == len(due) == done.json["checked"] == imported.json["questions"]
    assert run("review", "list", "--json").json["proposals"] == []  # the other dataset
    return dict(done.json)


def test_the_main_job_on_a_dataset_with_other_columns(tmp_path: Path, api_url: str) -> None:
    run = runner(tmp_path, api_url)
    rows = seal_rows()
    figures = refreshed(
        run,
        lines(tmp_path / "seal.jsonl", rows),
        sample.path("searches-2026-03-09.jsonl"),
        sample.path("model-2026-03-09.jsonl"),
        "seal",
    )
    assert figures["outcomes"]["changed"] >= 5
    listed = run("review", "list", *SEAL, "--json").json["proposals"]
    assert not [p for p in listed if p["outcome"] == "unchanged"]  # nothing for a person to read
    (president,) = [p for p in listed if p["question"] == CHANGED]
    assert president["changes"]["answer_0"]["new"] == "Idris Quane"
    assert run("review", "accept", str(president["id"]), "--by", "Ada", *SEAL).code == 0
    checked = run("validate", "--draft", *SEAL, "--json").json
    assert checked["success"] is True
    assert "num-hops-present" in checked["skipped"]
    assert {v["column"] for v in checked["errors"] + checked["known"]}.isdisjoint({"num_hops"})
    published = run("publish", *WEEK, *SEAL, "--json")
    assert published.code == 0, published.stderr
    changed = run("diff", "1", "2", *SEAL, "--json").json["changed"]
    assert [change["question"] for change in changed] == [CHANGED]
    out = tmp_path / "out.jsonl"
    assert run("pull", *SEAL, "-o", out).code == 0
    after = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [list(row) for row in after] == [list(row) for row in rows]  # its own columns
    differing = [new for old, new in zip(rows, after, strict=True) if old != new]
    assert [(row["question"], row["answer"]) for row in differing] == [(CHANGED, "Idris Quane")]
    assert run("verify", "--all", *SEAL).code == 0


def test_rules_on_a_column_that_exists_are_not_skipped(tmp_path: Path) -> None:
    run = runner(tmp_path)
    rows = [{**row, "num_hops": "one-hop"} for row in seal_rows()[:3]]
    rows[1]["num_hops"] = ""
    file = lines(tmp_path / "hops.jsonl", rows)
    report = run("validate", file, *WEEK, "--json").json
    assert "num-hops-present" not in report["skipped"]
    assert [v["question"] for v in report["errors"] if v["rule"] == "num-hops-present"] == [
        rows[1]["question"]
    ]


def body(question: str, answer: str) -> dict[str, Any]:
    results = [
        {"position": n, "title": question, "snippet": f"{answer}.", "link": f"https://{n}.example/"}
        for n in (1, 2, 3)
    ]
    return {"search_metadata": {"status": "Success"}, "organic_results": results}


@pytest.mark.real_data
def test_seal_0_is_refreshed_with_recorded_searches(
    shared_data: Path, tmp_path: Path, api_url: str
) -> None:
    source = shared_data / "sealqa" / "seal-0_earlier.parquet"
    asked = read_release(source).questions
    searches = lines(
        tmp_path / "searches.jsonl",
        [{"question": q.text, "response": body(q.text, q.primary)} for q in asked],
    )
    model = lines(
        tmp_path / "model.jsonl", [{"question": q.text, "response": q.primary} for q in asked]
    )
    run = runner(tmp_path, api_url)
    figures = refreshed(run, source, searches, model, "seal")
    assert figures["outcomes"].get("failed", 0) == 0
    assert figures["outcomes"]["unchanged"] >= len(asked) * 2 // 3
    checked = run("validate", *SEAL, "--json").json
    assert "num-hops-present" in checked["skipped"]
    later = shared_data / "sealqa" / "seal-0_2026-05-28.jsonl"
    assert run("import", later, "--as-of", "2026-05-28", *SEAL).code == 0
    changed = run("diff", "1", "2", *SEAL, "--json").json["changed"]
    assert len([c for c in changed if "answer_0" in c["fields"]]) >= 8
