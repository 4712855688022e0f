"""Several datasets in one store, each with its own questions, versions and tags."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import runner
from store.sheet import DAY, NOW, sheet, with_answer

from freshqa.errors import StoreError
from freshqa.store import publishing, verifying, versions
from freshqa.store.backup import datasets
from freshqa.store.database import Store

CSV = "question,answer\nWhere is Orlune?,north\n"


def test_each_dataset_has_its_own_versions_and_tags(store_url: str) -> None:
    first = Store.open(store_url, create=True)
    second = Store.open(store_url, dataset="seal", create=True)
    publishing.publish(first, sheet(), as_of=DAY, now=NOW, parent=None)
    publishing.publish(first, with_answer(sheet(), 0, "9"), as_of=DAY, now=NOW, parent=1)
    publishing.publish(second, sheet()[:1], as_of=DAY, now=NOW, parent=None)
    versions.tag(second, "paper", 1, now=NOW)
    assert [version.number for version in versions.log(first)] == [2, 1]
    assert [(version.number, version.tags) for version in versions.log(second)] == [(1, ("paper",))]
    assert [version.tags for version in versions.log(first)] == [(), ()]
    assert [(dataset.name, dataset.versions, dataset.questions) for dataset in datasets(first)] == [
        ("freshqa", 2, len(sheet())),
        ("seal", 1, 1),
    ]
    assert [
        verified.status for store in (first, second) for verified in verifying.verify(store)
    ] == ["ok"] * 3


def test_a_missing_dataset_is_reported_with_a_remedy(sqlite_url: str) -> None:
    Store.open(sqlite_url, create=True)
    with pytest.raises(StoreError, match=r"no dataset 'seal'; it has: freshqa\.") as missing:
        Store.open(sqlite_url, dataset="seal")
    assert missing.value.remedy == "Run: prefect-freshqa init --dataset seal"


def test_the_command_line_keeps_datasets_apart(tmp_path: Path) -> None:
    run = runner(tmp_path)
    (tmp_path / "towns.csv").write_text(CSV, encoding="utf-8")
    assert run("init", "--json").code == 0
    assert run("init", "--dataset", "towns", "--json").json["dataset"] == "towns"
    file = str(tmp_path / "towns.csv")
    imported = run("import", file, "--dataset", "towns", "--as-of", "2025-06-01", "--json").json
    assert imported["columns"] == {"question": "question", "answer": "answer_0"}
    assert run("tag", "paper", "1", "--dataset", "towns").code == 0
    assert run("show", "--tag", "paper", "--dataset", "towns", "--json").json["questions"] == 1
    assert run("log", "--json").json["versions"] == []
    listed = run("datasets", "--json").json["datasets"]
    assert [(dataset["name"], dataset["versions"]) for dataset in listed] == [
        ("freshqa", 0),
        ("towns", 1),
    ]
    assert "towns" in run("cite", "--dataset", "towns").stdout
    assert run("pull", "--dataset", "towns").stdout == CSV
    pulled = run("pull", "--dataset", "towns", "-o", str(tmp_path / "out.csv"), "--cff", "--json")
    cited = (tmp_path / "out.csv.cff").read_text(encoding="utf-8")
    assert 'title: "towns, version 1 (as of 2025-06-01)"' in cited
    assert f"sha256:{pulled.json['content_hash']}" in cited
    refused = run("log", "--dataset", "a b", "--json")
    assert (refused.code, refused.error["message"]) == (
        2,
        "Invalid value for --dataset: 'a b'.",
    )
