"""Commands with nothing to do, or with a closed output, end at once and leave no server running."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import Ran, Run, copy_store, runner, warm_address
from servers.prefect_database import give_database
from servers.warm_commands import warm_words
from store.ledger import checked, start
from store.sheet import DAY, NOW, sheet

from freshqa import sample
from freshqa.maintaining.proposal import Action, Decision
from freshqa.store import proposal_decisions, proposals
from freshqa.store.checks import record_check
from freshqa.store.database import Store
from freshqa.store.publishing import publish
from freshqa.store.snapshots import snapshot

RECORDED = (
    *("--method", "search-only"),
    *("--search", f"recorded:{sample.path('searches-2026-03-09.jsonl')}"),
)


def said_in_one_line(done: Ran, code: int) -> str:
    """The error of a command, which has one line and one remedy."""
    assert done.code == code, done.stderr
    assert done.stdout == ""
    error, remedy = done.stderr.splitlines()
    assert error.startswith("Error: ") and remedy
    return error


def started_a_server(folder: Path) -> bool:
    """Whether a Prefect server has written its database."""
    return bool(list(folder.rglob("prefect.db")))


def left_running(folder: Path) -> list[str]:
    """Command lines of the processes whose Prefect home is in the folder."""
    command_lines = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            environment = (process / "environ").read_bytes()
            command = (process / "cmdline").read_bytes()
        except OSError:  # it ended while we looked, or is not ours
            continue
        if f"PREFECT_HOME={folder}".encode() in environment:
            command_lines.append(command.replace(b"\0", b" ").decode())
    return command_lines


@pytest.fixture
def accepted(tmp_path: Path) -> Run:
    """The command line on a store with one accepted proposal, which no expectation allows."""
    store = Store.open(f"sqlite:///{tmp_path / 'freshqa.db'}", create=True)
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None)
    run = start(store)
    record_check(store, run.key, checked(snapshot(store, 1)[1]), now=NOW)
    (pending,) = proposals.proposals(store)
    edit = Decision(pending.id, Action.edit, "Ada", NOW, edits={"effective_year": "someday"})
    proposal_decisions.decide(store, edit)
    store.close()
    return runner(tmp_path)


def test_an_empty_publication_is_reported_before_anything_starts(
    imported: Path, tmp_path: Path
) -> None:
    copy_store(imported, tmp_path)
    run = runner(tmp_path, cold=True)  # a warm process has imported Prefect
    error = said_in_one_line(run("publish", "--message", "x"), 3)
    assert "no accepted proposals" in error
    assert not (tmp_path / "prefect").exists()


def test_a_refused_publication_starts_no_server(accepted: Run, tmp_path: Path) -> None:
    error = said_in_one_line(accepted("publish"), 3)
    assert "Validation refused the draft" in error and "effective" in error
    assert not started_a_server(tmp_path)
    with Store.open(f"sqlite:///{tmp_path / 'freshqa.db'}").read() as connection:
        reports = connection.exec_driver_sql("SELECT count(*) FROM fq_validation").scalar()
    assert reports == 1


def test_a_refresh_with_nothing_due_starts_no_server(tmp_path: Path) -> None:
    later = [question.with_changes({"next_review": "12/31/2099"}) for question in sheet()]
    store = Store.open(f"sqlite:///{tmp_path / 'freshqa.db'}", create=True)
    publish(store, later, as_of=DAY, now=NOW, parent=None)
    store.close()
    done = runner(tmp_path)("refresh", "--as-of", DAY.isoformat(), *RECORDED)
    assert said_in_one_line(done, 3) == f"Error: No question is due on {DAY}."
    assert not started_a_server(tmp_path)


def test_a_review_without_pending_proposals_prints_one_line(
    sample_store: Run, tmp_path: Path
) -> None:
    listed = sample_store("review", "list")
    assert (listed.code, listed.stdout) == (0, "There are no proposals (pending).\n")
    error = said_in_one_line(sample_store("review", "export", tmp_path / "sheet.csv"), 3)
    assert error == "Error: There are no proposals (pending)."
    assert not (tmp_path / "sheet.csv").exists()


@pytest.mark.parametrize(
    "command",
    [
        ("log",),
        ("--help",),
        ("pull", "-o", "-"),
        ("refresh", "--as-of", "2026-03-09", "--limit", "1", *RECORDED),
    ],
    ids=["log", "help", "pull", "refresh"],
)
def test_a_closed_pipe_ends_a_command_quietly_and_leaves_no_server(
    sample_store: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    environment = {
        **os.environ,
        "PREFECT_FRESHQA_STORE": f"sqlite:///{tmp_path / 'freshqa.db'}",
        "PREFECT_HOME": str(tmp_path / "prefect"),
    }
    environment.pop("PREFECT_API_URL", None)
    give_database(tmp_path / "prefect")
    cold = [sys.executable, "-m", "prefect_freshqa.cli"]  # Python writes the rest when it ends
    warm = warm_words(warm_address(), "prefect_freshqa.cli")
    program = [*(warm if "refresh" in command else cold), *map(str, command)]
    with (tmp_path / "stderr").open("w+") as errors:
        with subprocess.Popen(
            program, env=environment, stdout=subprocess.PIPE, stderr=errors
        ) as started:
            assert started.stdout is not None
            started.stdout.close()  # as `head` does when it has enough
            started.wait(timeout=280)
        errors.seek(0)
        said = errors.read()
    assert "Traceback" not in said and "BrokenPipe" not in said and "fault" not in said
    until = time.monotonic() + 180
    while (running := left_running(tmp_path / "prefect")) and time.monotonic() < until:
        time.sleep(0.2)
    assert running == []


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no device that is always full")
@pytest.mark.parametrize("command", ["log", "log --json", "pull -o -", "--help"])
def test_output_that_finds_the_disk_full_is_reported_in_one_line(
    sample_store: Run, tmp_path: Path, command: str
) -> None:
    environment = {**os.environ, "PREFECT_FRESHQA_STORE": f"sqlite:///{tmp_path / 'freshqa.db'}"}
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "prefect_freshqa.cli", *command.split()],
            env=environment,
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=280,
        )
    said = ["Error: Cannot write the output: the disk is full.", "Free disk space; then run again."]
    assert (done.returncode, done.stderr.splitlines()) == (1, said)
