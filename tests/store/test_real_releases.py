"""Real releases in date order give one lineage per question and correct diffs."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from store.sheet import NOW

from freshqa.dataset.diff import QuestionChange
from freshqa.dataset.importing import prepare_import
from freshqa.dataset.release import Release, read_release
from freshqa.dataset.writing import write_release
from freshqa.dates.file_name import date_in_name
from freshqa.store.changes import diff
from freshqa.store.database import Store
from freshqa.store.history import aliases
from freshqa.store.publishing import publish
from freshqa.store.snapshots import original, snapshot
from freshqa.store.verifying import content_hash, verify
from freshqa.store.versions import VersionInfo, head, log

pytestmark = pytest.mark.real_data
DAMAGED = ("FreshQA_v11232023_excel_gbk.csv", "FreshQA_v11242025_is_really_xlsx.csv")
"""Second copies of a release that stands beside them."""
LABELS = {
    "source": "source_change",
    "next_review": "next_review_change",
    "effective_year": "effective_year_change",
    "false_premise": "false_premise_flip",
    "num_hops": "num_hops_change",
    "fact_type": "fact_type_change",
}
"""Column → what the labels call a change of it."""


def import_file(store: Store, path: Path) -> tuple[VersionInfo, Release]:
    """What `prefect-freshqa import --confirm all` does."""
    newest = head(store)
    base = snapshot(store, newest.number) if newest else ()
    confirm = ["all"] if newest else []
    prepared = prepare_import(read_release(path), base, aliases=aliases(store), confirm=confirm)
    day = date_in_name(path.name)
    assert day is not None
    version = publish(
        store,
        prepared.questions,
        as_of=day,
        now=NOW,
        parent=newest.number if newest else None,
        kind="import",
        message=path.name,
        dialect=prepared.release.dialect,
        original=prepared.release.original,
    )
    return version, prepared.release


def files(shared_data: Path) -> list[Path]:
    """Every release, in date order; of two copies of one day the clean one first."""
    files = (shared_data / "freshqa").iterdir()
    return sorted(files, key=lambda path: (date_in_name(path.name), len(path.name), path.name))


def transitions(shared_data: Path) -> list[dict[str, Any]]:
    """What maintainers changed from release to release, labelled."""
    path = shared_data / "truth" / "transitions_2023-11_to_2024-05.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_all_releases_in_one_store(store: Store, shared_data: Path) -> None:
    for path in files(shared_data):
        version, read = import_file(store, path)
        kept = snapshot(store, version.number)
        assert [row.fields for row in kept] == [row.fields for row in read.questions]
        assert version.content_hash == content_hash(read.questions)
        assert original(store, version.number) == path.read_bytes()
        if version.dialect is not None and path.name not in DAMAGED:
            assert write_release(kept, "official", dialect=version.dialect) == path.read_bytes()
    assert len(log(store)) == 11
    assert {verified.status for verified in verify(store)} == {"ok"}
    compare_with_labels(store, shared_data)


def compare_with_labels(store: Store, shared_data: Path) -> None:
    """One key per labelled lineage, and a diff that says what the labels say."""
    numbers = {v.as_of.isoformat(): v.number for v in log(store) if v.message not in DAMAGED}
    rows = transitions(shared_data)
    snapshots = {day: snapshot(store, numbers[day]) for day in {r["to_version"] for r in rows}}
    snapshots["2023-11-13"] = snapshot(store, numbers["2023-11-13"])
    keys, lineages = defaultdict(set), defaultdict(set)
    for row in rows:
        for day, position in ((row["from_version"], row["old_id"]), (row["to_version"], row["id"])):
            key = snapshots[day][position].key
            keys[row["lineage"]].add(key)
            lineages[key].add(row["lineage"])
    assert (len(keys), len(lineages)) == (600, 600)
    assert {len(each) for each in (*keys.values(), *lineages.values())} == {1}
    changes = {
        (old, new): {c.key: c for c in diff(store, numbers[old], numbers[new]).changed}
        for old, new in {(r["from_version"], r["to_version"]) for r in rows}
    }
    disagreements = Counter[str]()
    for row in rows:
        change = changes[row["from_version"], row["to_version"]].get(min(keys[row["lineage"]]))
        disagreements.update(set(kinds(change)) ^ set(labelled(row)))
    # the labels do not name the new answers of 2 replaced questions; they count an N/A that the
    # JSON lines lost (repaired on import) 2 times 2, and a date that the workbook shows otherwise
    assert disagreements == {"answer": 2, "source_change": 4, "next_review_change": 1}


def kinds(change: QuestionChange | None) -> Iterator[str]:
    """What a diff says, in the words of the labels."""
    for column in change.fields if change is not None else ():
        if column.startswith("answer_"):
            yield "answer"
        else:
            yield LABELS.get(column, column)


def labelled(row: dict[str, Any]) -> Iterator[str]:
    """What the labels say, all kinds of change of an answer as one, and of a question too."""
    for kind in row["kind"]:
        if kind not in ("none", "id_renumbered"):
            yield kind if kind in LABELS.values() else kind.split("_")[0]
