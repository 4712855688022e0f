"""The command `prefect-freshqa import`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from command_line import Ran, run_warm

from freshqa.dataset.question import Question
from freshqa.dataset.release import read_release, write_release
from freshqa.dates.file_name import date_in_name
from freshqa.store import snapshots, verifying, versions
from freshqa.store.database import Store
from prefect_freshqa.cli.main import main

Run = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def store(sqlite_url: str) -> Store:
    return Store.open(sqlite_url, create=True)


@pytest.fixture
def run(store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command with `--json`; exit code and what it printed."""

    def command(*arguments: str) -> tuple[int, dict[str, Any]]:
        monkeypatch.setenv("PREFECT_FRESHQA_STORE", store.url)
        monkeypatch.setattr(sys, "argv", ["prefect-freshqa", "import", "--json", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        assert isinstance(left.value.code, int)
        return left.value.code, json.loads(capsys.readouterr().out)

    return command


def process(store: Store, *arguments: str) -> Ran:
    """Run the command as a process of its own."""
    environment = {**os.environ, "PREFECT_FRESHQA_STORE": store.url}
    return run_warm(["import", *arguments], environment, Path.cwd())


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """A release file with these questions."""

    def to(name: str, *questions: Question, format: str = "official") -> str:
        path = tmp_path / name
        path.write_bytes(write_release(questions, format))
        return str(path)

    return to


def test_a_first_release_becomes_version_1(run: Run, store: Store, write: Any, rows: Any) -> None:
    path = write("FreshQA_v03042024.csv", *rows[:9])
    code, result = run(path, "--message", "first")
    assert code == 0
    expected = {"version": 1, "as_of": "2024-03-04", "questions": 9, "added": 9, "changed": 0,
                "removed": 0, "unmatched": [], "repaired": 0, "warnings": []}  # fmt: skip
    assert {name: result[name] for name in expected} == expected
    version = versions.find(store)
    assert (version.kind, version.message, version.as_of) == ("import", "first", date(2024, 3, 4))
    assert [q.fields for q in snapshots.snapshot(store, 1)] == [q.fields for q in rows[:9]]
    assert snapshots.original(store, 1) == Path(path).read_bytes()
    again = write_release(snapshots.snapshot(store, 1), "official", dialect=version.dialect)
    assert again == Path(path).read_bytes()


def test_the_next_release_is_compared(run: Run, store: Store, write: Any, make: Any) -> None:
    old = [make("How many ferries call at Lower Quell?", "4"), make("Gone?"), make("Who?", "A")]
    new = [
        make("How many ferries call at Lower Quell daily?", "4"),
        make("Who?", "B"),
        make("New?"),
    ]
    run(write("a.csv", *old), "--as-of", "2024-03-04")
    code, result = run(write("b.xlsx", *new, format="xlsx"), "--as-of", "2024-03-11")
    assert code == 0
    assert [result[name] for name in ("version", "added", "changed", "removed")] == [2, 1, 2, 1]
    assert result["reworded"][0]["new"] == "How many ferries call at Lower Quell daily?"
    first, second = (snapshots.snapshot(store, number) for number in (1, 2))
    assert second[0].key == first[0].key and second[1].key == first[2].key


def test_an_unsure_pair_is_reported_and_confirmed_by_a_second_import(
    run: Run, store: Store, write: Any, make: Any
) -> None:
    old = make("Who won the latest Orlune regatta?", "Idris", source="https://example.org/1")
    new = make("Who won the latest Marrow Bay regatta?", "Tamsin", source="https://example.org/2")
    run(write("a.csv", old))
    _, asked = run(write("b.csv", new))
    (pair,) = asked["unmatched"]
    assert (pair["old"], pair["new"], asked["added"], asked["removed"]) == (
        old.text,
        new.text,
        1,
        1,
    )
    assert any(f"--confirm {pair['key']}" in warning for warning in asked["warnings"])
    code, result = run(write("b.csv", new), "--confirm", pair["key"])
    assert code == 0
    assert (result["version"], result["changed"], result["unmatched"]) == (3, 1, [])
    assert snapshots.snapshot(store, 3)[0].key == snapshots.snapshot(store, 1)[0].key
    code, result = run(write("b.csv", new))
    assert (code, result["error"]["kind"]) == (3, "nothing-to-do")


def test_two_questions_are_linked_by_hand(run: Run, store: Store, write: Any, make: Any) -> None:
    run(write("a.csv", make("What was it called?", "x")))
    key = snapshots.snapshot(store, 1)[0].key
    code, _ = run(write("b.csv", make("Its old name?", "x")), "--confirm", f"{key}=Its old name?")
    assert code == 0 and snapshots.snapshot(store, 2)[0].key == key
    code, result = run(write("c.csv", make("Other?")), "--confirm", "q-none")
    assert (code, result["error"]["kind"]) == (2, "usage")


def test_damage_is_reported_and_repaired_as_requested(
    run: Run, store: Store, write: Any, make: Any
) -> None:
    names = ("caf茅", "Jos茅", "Andr茅")
    rows = [make(f"Which {i}?", f"the {name}") for i, name in enumerate(names)]
    rows.append(make("When?", "21-Nov", next_review="1/9/2024"))
    _, result = run(write("v03042024.csv", *rows))
    assert result["repaired"] == 3
    cells = {(d["column"], d["kind"], d["undone"]) for d in result["damage"]}
    assert cells == {
        ("answer_0", "mojibake", True),
        ("answer_0", "excel-date", False),
        ("next_review", "zeros-stripped", False),
    }
    assert len(result["warnings"]) == 2 and "--repair all" in result["warnings"][0]
    assert snapshots.snapshot(store, 1)[0].primary == "the café"
    _, result = run(write("v03042024.csv", *rows), "--repair", "all")
    assert (result["repaired"], result["warnings"]) == (5, [])
    last = snapshots.snapshot(store, 2)[3]
    assert (last.primary, last.next_review) == ("November 2021", "01/09/2024")
    _, result = run(write("v03042024.csv", *rows), "--repair", "none")
    assert result["repaired"] == 0 and snapshots.snapshot(store, 3)[0].primary == "the caf茅"


@pytest.mark.parametrize(
    ("name", "body", "kind", "code"),
    [
        ("empty.csv", b"", "bad-data", 1),
        ("prose.txt", b"hello", "not-a-release", 1),
        ("cut.xlsx", b"PK\x03\x04cut", "bad-data", 1),
    ],
)
def test_a_bad_file_does_not_create_a_version(
    name: str, body: bytes, kind: str, code: int, run: Run, store: Store, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(body)
    returned, result = run(str(path))
    assert (returned, result["error"]["kind"]) == (code, kind)
    assert name in result["error"]["message"] and result["error"]["remedy"]
    assert versions.head(store) is None


def test_unusable_file_names_and_addresses_are_reported(run: Run, tmp_path: Path) -> None:
    assert run(str(tmp_path / "x.csv"))[1]["error"]["kind"] == "not-found"
    assert run("ftp://example.org/x.csv")[1]["error"]["kind"] == "usage"
    assert run("http://127.0.0.1:9/x.csv")[1]["error"]["kind"] == "provider"
    assert run(str(tmp_path), "--as-of", "yesterday")[0] != 0


def test_a_failure_is_reported_in_one_line(store: Store, tmp_path: Path) -> None:
    done = process(store, str(tmp_path / "x.csv"))
    assert (done.code, done.stdout) == (1, "")
    assert done.stderr == f"Error: File not found: {tmp_path / 'x.csv'}.\nCheck the path.\n"


def test_readable_output_reports_the_import(store: Store, write: Any, make: Any) -> None:
    done = process(store, write("a.csv", make("A?", "[bold]21-Nov[/bold]"), make("B?", "21-Nov")))
    assert done.code == 0
    assert "Version 1" in done.stdout and "2 questions, 2 added" in done.stdout
    assert "Note: excel-date: 1 cells left as they are (row 5 answer_0 '21-Nov')" in done.stdout


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("FreshQA_v03042024.csv", date(2024, 3, 4)),
        ("freshqa-04072025 (1).csv", date(2025, 4, 7)),
        ("FreshQA_v112425.csv", date(2025, 11, 24)),
        ("FreshQAv042126-freshqa.csv", date(2026, 4, 21)),
        ("FreshQA_v11.24.25.xlsx", date(2025, 11, 24)),
        ("FreshQA_v112425_exported_2025-12-01.csv", date(2025, 11, 24)),
        ("freshqa_2025-11-24.csv", date(2025, 11, 24)),
        ("freshqa 2025_11_24 (1).csv", date(2025, 11, 24)),
        ("freshqa_20251124.csv", date(2025, 11, 24)),
        ("freshqa_24112025.csv", date(2025, 11, 24)),
        ("freshqa-24.11.2025.csv", date(2025, 11, 24)),
        ("FreshQA November 24, 2025.csv", date(2025, 11, 24)),
        ("FreshQA_24_Nov_2025.csv", date(2025, 11, 24)),
        ("freshqa_2025-11-24T10-30-00.csv", date(2025, 11, 24)),
        ("freshqa_251124.csv", None),  # 2025-11-24 or 2024-11-25
        ("FreshQA_24Nov25.csv", date(2025, 11, 24)),
        ("FreshQA Nov 24 '25.csv", date(2025, 11, 24)),
        ("freshqa_20251124101500.csv", date(2025, 11, 24)),
        ("freshqa_2025年11月24日.csv", date(2025, 11, 24)),
        ("FreshQA_Nov_2025.csv", None),
        ("57 March '24 June 2026.csv", None),  # a wrong day is not passed over
        ("freshqa_mar2024.csv", None),
        ("freshqa_v1.2.24.csv", None),  # a version number
        ("freshqa_2025-11-24_2025-12-01.csv", None),
        ("freshqa_2025-11.csv", None),
        ("v13452024.csv", None),
        ("release.csv", None),
        ("123456789012024.csv", None),
    ],
)
def test_the_date_is_read_from_the_file_name(name: str, day: date | None) -> None:
    assert date_in_name(name) == day


@pytest.mark.real_data
def test_all_releases_in_order_make_one_history(run: Run, store: Store, shared_data: Path) -> None:
    """One lineage per question; every version equals its file; diffs are consistent."""
    names = ("FreshQA_v11132023.csv", "FreshQA_v11232023.csv", "FreshQA_v02052024.csv", "FreshQA_v03042024.csv",
             "FreshQA_v03112024.csv", "FreshQA_v04082024.jsonl", "FreshQA_v05272024.xlsx", "FreshQA_v04072025.csv")  # fmt: skip
    asked = 0
    for number, name in enumerate(names, start=1):
        path = shared_data / "freshqa" / name
        code, result = run(str(path))
        assert (code, result["version"], result["questions"]) == (0, number, 600)
        assert result["added"] - result["removed"] == (600 if number == 1 else 0)
        asked += len(result["unmatched"])
        stored = snapshots.snapshot(store, number)
        assert [q.fields for q in stored] == [q.fields for q in read_release(path).questions]
        if name.endswith(".csv"):
            dialect = versions.find(store, number=number).dialect
            assert write_release(stored, "official", dialect=dialect) == path.read_bytes()
    keys = {q.key for number in range(1, len(names) + 1) for q in snapshots.snapshot(store, number)}
    assert (asked, len(keys)) == (8, 608)
    assert all(check.status == "ok" for check in verifying.verify(store))


@pytest.mark.real_data
def test_a_workbook_named_csv_is_imported(store: Store, shared_data: Path) -> None:
    path = shared_data / "freshqa" / "FreshQA_v11242025_is_really_xlsx.csv"
    done = process(store, str(path), "--json")
    result = json.loads(done.stdout)
    assert done.code == 0
    assert (result["format"], result["as_of"], result["added"]) == ("xlsx", "2025-11-24", 600)
    assert len(result["damage"]) > 200 and result["repaired"] == 0


def test_without_a_date_a_warning_says_that_today_was_used(run: Run, write: Any, rows: Any) -> None:
    _, result = run(write("release.csv", *rows[:9]))
    (warning,) = result["warnings"]
    assert "'release.csv' does not contain one" in warning and str(result["as_of"]) in warning
    assert "--as-of" in warning
    _, dated = run(write("release-2.csv", *rows[:8]), "--as-of", "2026-03-02")
    assert dated["warnings"] == []


@pytest.mark.parametrize("word", ["every_time", "Every time", "EVERY-TIME"])
def test_a_new_question_that_changes_more_than_once_a_week_is_refused(
    run: Run, store: Store, write: Any, rows: Any, word: str
) -> None:
    first = [row.with_changes({"next_review": word}) for row in rows[:3]]
    code, result = run(write("FreshQA_v03042024.csv", *first))
    assert (code, result["version"]) == (0, 1), "nothing is new in a first version"
    fast = [row.with_changes({"next_review": word}) for row in rows[3:5]]
    later = write("FreshQA_v03112024.csv", *first, *fast, rows[5])
    code, result = run(later)
    assert (code, result["error"]["kind"]) == (3, "refused")
    message, remedy = result["error"]["message"], result["error"]["remedy"]
    assert "\n" not in message + remedy
    row = read_release(Path(later)).rows[3]
    assert f"FreshQA_v03112024.csv, row {row}, next_review: " in message
    assert repr(fast[0].text) in message and f"so do rows {row + 1}" in message
    assert "frequently" in remedy and "--allow-every-time" in remedy
    assert versions.find(store).number == 1

    code, result = run(later, "--allow-every-time")
    assert (code, result["added"]) == (0, 3)
    assert any(fast[0].text in warning for warning in result["warnings"])
    changed = [*first, *fast, rows[5].with_changes({"next_review": word})]
    code, result = run(write("FreshQA_v03182024.csv", *changed))
    assert (code, result["changed"]) == (0, 1), "an earlier question may change its review"


def test_a_possible_rewording_is_not_refused_as_new(run: Run, write: Any, make: Any) -> None:
    old = make("Who won the latest Orlune regatta?", "Idris", source="https://example.org/1")
    new = make("Who won the latest Marrow Bay regatta?", "Tamsin", source="https://example.org/2")
    run(write("a.csv", old))
    code, result = run(write("b.csv", new.with_changes({"next_review": "every_time"})))
    assert (code, len(result["unmatched"])) == (0, 1)
    assert any("more than once a week" in warning for warning in result["warnings"])
