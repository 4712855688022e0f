"""The commands init, log, show, pull, diff, history, tag, rollback, verify and redact."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from command_line import Run
from sqlalchemy import text
from store.sheet import DAY, NOW, WEEK, sheet, with_answer

import freshqa
from freshqa.dataset.dialect import OFFICIAL
from freshqa.dataset.question import OFFICIAL_COLUMNS
from freshqa.dataset.release import read_release
from freshqa.dataset.writing import write_release
from freshqa.store.database import Store
from freshqa.store.publishing import publish
from freshqa.store.upgrading import drop_triggers
from freshqa.store.verifying import content_hash
from freshqa.store.versions import tag
from prefect_freshqa.cli.main import main

KEY = sheet()[1].key


@dataclass(frozen=True)
class Ran:
    """What a command printed, and how it ended."""

    code: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        return json.loads(self.stdout)

    @property
    def error(self) -> dict[str, str]:
        return self.json["error"]


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., Ran]:
    """The command line in this process: these commands start no flow, and there are many."""
    monkeypatch.setenv("PREFECT_FRESHQA_STORE", f"sqlite:///{tmp_path / 'freshqa.db'}")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "prefect"))
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.chdir(tmp_path)

    def run_command(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["prefect-freshqa", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capfd.readouterr()
        assert isinstance(ended.value.code, int)
        return Ran(ended.value.code, said.out, said.err)

    return run_command


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """The store that `run` uses: two imports of a file, the second with row 1 changed."""
    opened = Store.open(f"sqlite:///{tmp_path / 'freshqa.db'}", create=True)
    for number, rows in enumerate((sheet(), with_answer(sheet(), 1, "a\nb"))):
        body = write_release(rows, "official", dialect=OFFICIAL)
        publish(
            opened,
            rows,
            as_of=DAY + number * WEEK,
            now=NOW,
            parent=number or None,
            kind="import",
            message=f"week {number}",
            dialect=OFFICIAL,
            original=body,
        )
    tag(opened, "paper", 1, now=NOW)
    return opened


def test_init_twice_leaves_one_store(run, tmp_path: Path) -> None:
    first = run("init", "--json").json
    assert (first["dataset"], first["version"]) == ("freshqa", None)
    assert first["store"].endswith("freshqa.db")
    assert "Next: prefect-freshqa import FILE" in run("init").stdout


def test_log_lists_versions_and_show_describes_one(run, store: Store) -> None:
    listed = run("log", "--json").json["versions"]
    assert [(v["version"], v["parent"], v["tags"]) for v in listed] == [
        (2, 1, []),
        (1, None, ["paper"]),
    ]
    shown = run("show", "--tag", "paper", "--json").json
    assert (shown["version"], shown["questions"], shown["as_of"]) == (1, 6, "2026-03-09")
    assert shown["content_hash"] == content_hash(sheet())
    assert shown["counts"]["fact_type"] == {"slow-changing": 6}
    assert (shown["validation"], shown["from_file"]) == (None, True)
    assert "week 1" in run("log").stdout
    assert "slow-changing 6" in run("show").stdout


def test_show_needs_an_existing_version(run, store: Store) -> None:
    missing = run("show", "--version", "9", "--json")
    assert (missing.code, missing.error["kind"]) == (1, "not-found")
    assert "versions 1 to 2" in missing.error["message"]
    both = run("show", "--version", "1", "--tag", "paper", "--json")
    assert (both.code, both.error["kind"]) == (2, "usage")


def test_pull_writes_the_imported_file_byte_for_byte(run, store: Store, tmp_path: Path) -> None:
    told = run("pull", "--as-of", "2026-03-10", "-o", "out.csv", "--json").json
    body = (tmp_path / "out.csv").read_bytes()
    assert body == write_release(sheet(), "official", dialect=OFFICIAL)
    assert (told["version"], told["format"], told["bytes"]) == (1, "official", len(body))
    assert content_hash(read_release(tmp_path / "out.csv").questions) == told["content_hash"]


@pytest.mark.parametrize("format", ["official", "csv", "jsonl", "parquet", "xlsx"])
def test_files_pulled_in_every_format_can_be_read_again(
    run, store: Store, tmp_path: Path, format: str
) -> None:
    assert run("pull", "--format", format, "-o", f"out.{format}").code == 0
    back = read_release(tmp_path / f"out.{format}")
    assert content_hash(back.questions) == content_hash(with_answer(sheet(), 1, "a\nb"))


def test_pull_writes_to_stdout_and_chooses_the_format_by_extension(
    run, store: Store, tmp_path: Path
) -> None:
    assert run("pull", "--format", "jsonl", "--version", "1").stdout.count("\n") == 6
    run("pull", "-o", "out.jsonl", "--version", "1")
    assert (tmp_path / "out.jsonl").read_text().count("\n") == 6
    refused = run("pull", "--json")
    assert (refused.code, refused.error["remedy"]) == (2, "Add -o FILE.")
    nowhere = run("pull", "-o", "none/out.csv")
    assert nowhere.code == 1
    assert "Cannot write none/out.csv" in nowhere.stderr
    assert sorted(p.name for p in tmp_path.iterdir() if "out" in p.name) == ["out.jsonl"]


def test_diff_accepts_numbers_tags_and_dates(run, store: Store) -> None:
    expected = {
        "from": 1,
        "to": 2,
        "added": [],
        "removed": [],
        "changed": [
            {
                "key": KEY,
                "question": "How many moons has planet 1?",
                "fields": {"answer_0": {"old": "1", "new": "a\nb"}},
                "kinds": ["answer_changed"],
            }
        ],
    }
    assert run("diff", "1", "2", "--json").json == expected
    assert run("diff", "paper", "2026-03-20", "--json").json == expected
    assert "answer_0: 1 → a ⏎ b" in run("diff", "1", "2").stdout
    assert run("diff", "1", "autumn", "--json").error["kind"] == "not-found"


def test_history_accepts_a_key_a_wording_or_a_part_of_it(run, store: Store) -> None:
    told = run("history", KEY, "--json").json
    assert told == run("history", "how many moons has PLANET 1", "--json").json
    assert told == run("history", "planet 1", "--json").json
    assert [(r["first"], r["last"], r["fields"]["answer_0"]) for r in told["revisions"]] == [
        (1, 1, "1"),
        (2, 2, "a\nb"),
    ]
    assert told["revisions"][1]["changes"] == {"answer_0": {"old": "1", "new": "a\nb"}}
    many = run("history", "moons", "--json")
    assert (many.code, many.error["kind"]) == (2, "usage")
    assert "6 questions match 'moons'" in many.error["message"]
    assert "and 1 more" in many.error["message"]
    assert run("history", "comets", "--json").error["kind"] == "not-found"
    assert "answer_0: 1 → a b" in run("history", KEY).stdout


def test_a_tag_names_a_version_and_rollback_publishes_an_old_one(run, store: Store) -> None:
    assert run("tag", "paper", "2", "--json").error["kind"] == "conflict"
    assert run("tag", "paper", "2", "--move", "--json").json["version"] == 2
    rolled_back = run("rollback", "1", "--as-of", "2026-04-01", "--json").json
    assert (rolled_back["version"], rolled_back["parent"], rolled_back["kind"]) == (
        3,
        2,
        "rollback",
    )
    assert rolled_back["content_hash"] == content_hash(sheet())
    again = run("rollback", "1", "--json")
    assert (again.code, again.error["kind"]) == (3, "nothing-to-do")


def test_verify_distinguishes_intact_from_corrupt_versions(run, store: Store) -> None:
    assert run("verify", "--all", "--json").json["ok"]
    assert "2 versions: 2 ok." in run("verify", "--all").stdout
    with store.write() as connection:
        drop_triggers(connection)
        connection.execute(text("UPDATE fq_revision SET note = 'x' WHERE answer_0 = '1'"))
    bad = run("verify", "--all", "--json")
    assert bad.code == 1
    assert [version["status"] for version in bad.json["versions"]] == ["corrupt", "ok"]
    assert run("verify", "--version", "2").code == 0
    assert "does not fit its hash" in run("verify", "--version", "1").stdout


def test_redact_needs_yes_and_a_reason(run, store: Store) -> None:
    revision = sheet()[0].revision_hash[:12]
    assert run("redact", revision, "--reason", "request", "--json").error["kind"] == "usage"
    assert run("redact", revision, "--yes", "--json").error["kind"] == "usage"
    done = run("redact", revision, "--column", "source", "--reason", "request", "--yes", "--json")
    assert (done.json["columns"], done.json["versions"]) == (["source"], [1, 2])
    checked = run("verify", "--all", "--json")
    assert checked.code == 0
    assert [version["status"] for version in checked.json["versions"]] == ["redacted", "redacted"]
    pulled = run("pull", "-o", "out.csv")
    assert "not those it was published with" in " ".join(pulled.stderr.split())


def test_load_returns_the_official_columns_as_text(store: Store) -> None:
    frame = freshqa.load("paper", store=store)
    assert list(frame.columns) == [*OFFICIAL_COLUMNS, "key"]
    assert frame["id"].tolist() == [0, 1, 2, 3, 4, 5]
    assert frame["false_premise"].tolist() == ["FALSE"] * 6
    assert frame["key"].tolist() == [q.key for q in sheet()]
    assert frame.attrs == {
        "version": 1,
        "as_of": "2026-03-09",
        "content_hash": content_hash(sheet()),
    }
    assert content_hash(read_release(frame).questions) == content_hash(sheet())
    assert freshqa.load(store=store).attrs["version"] == 2
    assert freshqa.load("2026-03-15", store=store).attrs["version"] == 1


def test_load_accepts_a_url_and_an_empty_version(store: Store, tmp_path: Path) -> None:
    publish(store, [], as_of=DAY + 2 * WEEK, now=NOW, parent=2)
    empty = freshqa.load(store=f"sqlite:///{tmp_path / 'freshqa.db'}")
    assert empty.shape == (0, 21)


def test_pull_original_returns_the_imported_file_unchanged(run, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.csv"
    text = write_release(sheet(), "official").decode("utf-8").replace("Is", "Ís", 1)
    damaged.write_bytes(text.encode("latin-1"))
    assert run("init").code == 0
    assert run("import", str(damaged), "--as-of", "2024-03-04").code == 0
    assert run("pull", "--original", "-o", "again.csv").code == 0
    assert (tmp_path / "again.csv").read_bytes() == damaged.read_bytes()
    store = Store.open(f"sqlite:///{tmp_path / 'freshqa.db'}")
    publish(store, with_answer(sheet(), 0, "Other"), as_of=DAY, now=NOW, parent=1)
    refused = run("pull", "--version", "2", "--original", "-o", "none.csv", "--json")
    assert (refused.code, refused.error["kind"]) == (1, "not-found")


def test_log_plots_the_changes_of_the_dataset(sample_store: Run, tmp_path: Path) -> None:
    picture = tmp_path / "timeline.svg"
    told = sample_store("log", "--plot", picture, "--as-of", "2026-03-16", "--json").json
    assert [week["on"] for week in told["staleness"]] == ["2026-03-02", "2026-03-09", "2026-03-16"]
    assert sum(told["staleness"][-1]["stale"].values()) > 0
    assert picture.read_text(encoding="utf-8").startswith("<?xml")
    refused = sample_store("log", "--plot", tmp_path / "timeline.gif", "--json")
    assert (refused.code, refused.error["kind"]) == (2, "usage")
