"""`pull` of a selection, `cite`, and the canary of an export."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet
from command_line import Run
from openpyxl import load_workbook

from freshqa.dataset.release import read_release
from freshqa.store.verifying import content_hash


def test_a_sample_is_cited_by_the_hash_of_its_rows(sample_store: Run, tmp_path: Path) -> None:
    chosen = ("--sample", "10", "--stratify", "fact_type,num_hops", "--seed", "7")
    file = tmp_path / "sample.jsonl"
    pulled = sample_store("pull", *chosen, "-o", str(file), "--json").json
    cited = sample_store("cite", "1", *chosen, "--json").json
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert pulled["questions"] == len(lines) == 10
    assert pulled["selection"] == cited["selection"]
    assert pulled["content_hash"] == cited["content_hash"]
    assert cited["content_hash"] == content_hash(read_release(file).questions)
    assert cited["content_hash"] in cited["bibtex"] and cited["content_hash"] in cited["cff"]


def test_parquet_and_workbook_metadata_state_the_selection(
    sample_store: Run, tmp_path: Path
) -> None:
    for ending in ("parquet", "xlsx"):
        sample_store("pull", "--type", "fast-changing", "-o", str(tmp_path / f"some.{ending}"))
    schema = pyarrow.parquet.read_schema(tmp_path / "some.parquet")
    book = load_workbook(tmp_path / "some.xlsx")
    said = {prop.name: prop.value for prop in book.custom_doc_props.props}
    for metadata in ({k.decode(): v.decode() for k, v in schema.metadata.items()}, said):
        assert metadata["freshqa.selection"] == "types=fast-changing"
        assert metadata["freshqa.version"] == "1"


def test_a_window_of_time_is_cited_by_its_day(sample_store: Run) -> None:
    cited = sample_store("cite", "--valid-on", "2026-03-02", "--json").json
    assert cited["selection"] == {"valid_on": "2026-03-02"}


def test_a_canary_is_in_every_row_and_changes_no_hash(sample_store: Run, tmp_path: Path) -> None:
    plain, marked = tmp_path / "plain.jsonl", tmp_path / "marked.jsonl"
    sample_store("pull", "-o", str(plain))
    sample_store("pull", "--canary", "-o", str(marked))
    text = sample_store("cite", "--json").json["canary"]
    rows = [json.loads(line) for line in marked.read_text().splitlines()]
    assert {row["canary"] for row in rows} == {text}
    assert read_release(marked).questions == read_release(plain).questions


def test_an_impossible_selection_is_refused(sample_store: Run) -> None:
    refused = sample_store("pull", "--sample", "9999")
    assert (refused.code, refused.stdout) == (2, "")
    assert "exceeds the" in refused.stderr
    no_date = sample_store("pull", "--valid-on", "March")
    assert no_date.code == 2 and "Invalid date 'March' for --valid-on." in no_date.stderr
    assert sample_store("pull", "--type", "slow").code == 3
    assert sample_store("pull", "--sample", "3", "--original").code == 2
    assert sample_store("pull", "--canary", "--original").code == 2


def test_a_copy_is_found_by_its_canary(sample_store: Run, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "prose.txt").write_text("Nothing of ours.")
    clean = sample_store("canary", "check", str(corpus), "--json")
    assert (clean.code, clean.json) == (0, {"files": 1, "found": []})
    text = sample_store("cite", "--json").json["canary"]
    (corpus / "scraped.txt").write_text(f"Where? There. {text}")
    done = sample_store("canary", "check", str(corpus), "--json")
    assert done.code == 1
    file = str(corpus / "scraped.txt")
    assert done.json["found"] == [
        {"file": file, "canary": text, "dataset": "freshqa", "version": 1}
    ]
    nowhere = sample_store("canary", "check", file, PREFECT_FRESHQA_STORE="sqlite:///none.db")
    assert nowhere.code == 1 and "store" in nowhere.stderr and text in nowhere.stdout
