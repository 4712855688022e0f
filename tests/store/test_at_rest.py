"""A SQLite store is complete in one file, and can be read on a read-only file system."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import Run, runner, warm_address
from servers.prefect_database import give_database
from servers.small_disk import SmallDisk, read_only, small_disk
from servers.warm_commands import warm_words
from store.processes import python
from store.sheet import DAY, NOW, WEEK, sheet, with_answer

from freshqa import sample
from freshqa.errors import StoreError
from freshqa.load import load
from freshqa.store.backup import copy_database
from freshqa.store.database import Store
from freshqa.store.publishing import publish
from freshqa.store.snapshots import snapshot
from freshqa.store.verifying import verify
from freshqa.store.versions import log

LEFT_OPEN = """
import sys
from freshqa.store.database import Store
from freshqa.store.publishing import publish
from store.sheet import DAY, NOW, sheet
store = Store.open(sys.argv[1], create=True)
publish(store, sheet(), as_of=DAY, now=NOW, parent=None)
"""
WAYS_TO_END = ("", "raise ValueError('a fault')", "import sys; sys.exit(3)")
KILLED = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"


def leave_open(url: str, end: str) -> None:
    """Publish a version in a process of its own, which ends without closing the store."""
    python(LEFT_OPEN + end, url, cold=not end).communicate()


def moved(file: Path) -> Store:
    """The store in a copy of that one file."""
    copy = file.with_name("copied") / file.name
    copy.parent.mkdir(exist_ok=True)
    shutil.copy(file, copy)
    return Store.open(f"sqlite:///{copy}")


@pytest.mark.parametrize("end", WAYS_TO_END)
def test_the_file_alone_is_complete_after_a_process_has_ended(tmp_path: Path, end: str) -> None:
    file = tmp_path / "freshqa.db"
    leave_open(f"sqlite:///{file}", end)
    assert [path.name for path in tmp_path.iterdir()] == ["freshqa.db"]
    assert snapshot(moved(file), 1) == tuple(sheet())


def test_the_next_command_completes_the_file_after_a_kill(tmp_path: Path) -> None:
    file = tmp_path / "freshqa.db"
    leave_open(f"sqlite:///{file}", KILLED)
    assert (tmp_path / "freshqa.db-wal").stat().st_size
    with pytest.raises(StoreError, match=r"does not contain a store yet.*`backup`"):
        moved(file)
    assert runner(tmp_path)("log").code == 0
    assert snapshot(moved(file), 1) == tuple(sheet())


def test_the_file_alone_is_complete_after_a_command_while_others_have_it_open(
    tmp_path: Path,
) -> None:
    file = tmp_path / "freshqa.db"
    with_it_open = Store.open(f"sqlite:///{file}", create=True)
    publish(with_it_open, sheet(), as_of=DAY, now=NOW, parent=None)
    done = runner(tmp_path)("tag", "camera-ready", "1")
    assert done.code == 0, done.stderr
    assert [version.tags for version in log(moved(file))] == [("camera-ready",)]
    with_it_open.close()


def test_the_file_alone_is_complete_after_every_command(tmp_path: Path) -> None:
    run = runner(tmp_path)  # the refresh starts a temporary Prefect server
    give_database(tmp_path / "prefect")
    commands = (
        (0, "init"),
        (2, "import", sample.path("release.csv"), "--as-of", "2026-13-02"),
        (0, "import", sample.path("release.csv"), "--as-of", "2026-03-02"),
        (1, "import", sample.path("searches-2026-03-09.jsonl")),
        (3, "publish"),
        (0, "tag", "first", "1"),
        (0, "due", "--as-of", "2026-03-09"),
    )
    for code, *command in commands:
        done = run(*command)
        assert done.code == code, done.stderr
        assert not list(tmp_path.glob("freshqa.db-*")), command
        moved(tmp_path / "freshqa.db").close()
    refreshed = run(
        *("refresh", "--as-of", "2026-03-09", "--method", "search-only"),
        *("--search", f"recorded:{sample.path('searches-2026-03-09.jsonl')}", "--limit", "2"),
    )
    assert refreshed.code == 0, refreshed.stderr
    assert not list(tmp_path.glob("freshqa.db-*"))


HEEDFUL = """
import signal
from prefect_freshqa.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""
"""A shell lets what it starts in the background ignore SIGINT."""


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_the_file_alone_is_complete_after_serve(tmp_path: Path, stop: signal.Signals) -> None:
    url = f"sqlite:///{tmp_path / 'freshqa.db'}"
    Store.open(url, create=True).close()
    arguments = ["serve", "--port", "0", "--read-only", "--store", url]
    command = [*warm_words(warm_address(), "-c"), HEEDFUL, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        assert b"http://" in server.stdout.readline()
        server.send_signal(stop)
        server.wait(timeout=60)
    assert [path.name for path in tmp_path.iterdir()] == ["freshqa.db"]


@pytest.fixture
def disk() -> Iterator[SmallDisk]:
    """A file system with a store of two versions, which can be made read-only."""
    try:
        with small_disk(16) as mounted:
            store = Store.open(f"sqlite:///{mounted.folder / 'freshqa.db'}", create=True)
            publish(store, sheet(), as_of=DAY, now=NOW, parent=None)
            changed = with_answer(list(snapshot(store, 1)), 2, "12")
            publish(store, changed, as_of=DAY + WEEK, now=NOW, parent=1)
            store.close()
            yield mounted
    except PermissionError as refused:
        pytest.skip(f"small_disk: {refused}")


@pytest.fixture
def run(tmp_path: Path, disk: SmallDisk) -> Run:
    """The command line on the store of the disk, with a home elsewhere."""
    run_command = runner(tmp_path)
    url = f"sqlite:///{disk.folder / 'freshqa.db'}"
    return lambda *command: run_command(*command, PREFECT_FRESHQA_STORE=url)


@pytest.mark.small_disk
@pytest.mark.parametrize("what", ["folder", "file"])
def test_read_commands_work_on_a_read_only_store(
    run: Run, disk: SmallDisk, what: str, tmp_path: Path
) -> None:
    file = disk.folder / "freshqa.db"
    with read_only(disk.folder if what == "folder" else file):
        reading = (
            *(("log",), ("verify", "--all"), ("diff", "1", "2"), ("show", "--json"), ("cite",)),
            *(("pull", "-o", tmp_path / "a.csv"), ("due",), ("review", "list"), ("runs", "list")),
            *(("history", sheet()[2].key), ("backup", tmp_path / "copies"), ("validate",)),
        )
        for command in reading:
            done = run(*command)
            assert "read-only" not in done.stderr and "unable to open" not in done.stderr, command
        assert load(2, store=f"sqlite:///{file}")["answer_0"][2] == "12"
        assert run("log", "--json").json["versions"][0]["version"] == 2
        assert "(read-only)" in run("doctor").stdout
    assert [path.name for path in disk.folder.iterdir()] == ["freshqa.db"]


@pytest.mark.small_disk
def test_write_commands_report_a_read_only_store_in_one_line(
    run: Run, disk: SmallDisk, tmp_path: Path
) -> None:
    writing = (
        ("init",),
        ("import", sample.path("release.csv")),
        ("tag", "first", "1"),
        ("publish",),
        ("rollback", "1"),
        ("refresh", "--method", "search-only", "--search", "recorded:missing.jsonl"),
    )
    with read_only(disk.folder):
        for command in writing:
            done = run(*command)
            assert done.code == 1, command
            assert "is read-only." in done.stderr and "writable folder" in done.stderr, command
            assert len(done.stderr.splitlines()) == 2, done.stderr
    assert not [*(tmp_path / "prefect").rglob("*")]  # no server was started for it


@pytest.mark.small_disk
@pytest.mark.parametrize("index", [True, False])
def test_changes_in_the_wal_of_a_read_only_file_are_read_or_reported(
    disk: SmallDisk, index: bool
) -> None:
    file = disk.folder / "killed.db"
    leave_open(f"sqlite:///{file}", KILLED)
    if not index:
        file.with_name("killed.db-shm").unlink()
    with read_only(disk.folder):
        if index:
            assert snapshot(Store.open(f"sqlite:///{file}"), 1) == tuple(sheet())
        else:
            with pytest.raises(
                StoreError, match=r"last changes are still in killed\.db-wal"
            ) as said:
                Store.open(f"sqlite:///{file}")
            assert "Copy both files to a writable folder" in said.value.remedy
    assert snapshot(Store.open(f"sqlite:///{file}"), 1) == tuple(sheet())


@pytest.mark.small_disk
def test_a_read_only_store_opens_through_a_link_and_as_a_backup_copy(
    disk: SmallDisk, tmp_path: Path
) -> None:
    file, link = disk.folder / "freshqa.db", tmp_path / "link #%.db"
    link.symlink_to(file)
    copy_database(f"sqlite:///{file}", disk.folder / "copy.db")
    with read_only(disk.folder):
        for path in (link, disk.folder / "copy.db"):
            store = Store.open(f"sqlite:///{path}")
            assert {version.status for version in verify(store)} == {"ok"}
            with pytest.raises(StoreError, match="is read-only"):
                store.require_writable()
    assert [path.name for path in tmp_path.iterdir()] == [link.name]
