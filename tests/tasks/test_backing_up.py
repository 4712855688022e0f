"""Backup and restore give the same verified versions, on both databases."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from store.sheet import DAY, NOW, sheet, with_answer

from freshqa.errors import Conflict, StoreError, UsageError
from freshqa.store.backup import copy_database, restore_database
from freshqa.store.connecting import parse_url
from freshqa.store.database import Store
from freshqa.store.publishing import publish
from freshqa.store.versions import log
from prefect_freshqa.tasks.backing_up import back_up, scratch_database, verify_all

AT = datetime(2026, 3, 9, 6, tzinfo=timezone.utc)


def filled(url: str) -> list[str]:
    """A store with two versions; their hashes."""
    store = Store.open(url, create=True)
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None, kind="import")
    publish(store, with_answer(sheet(), 1, "9"), as_of=DAY, now=NOW, parent=1)
    hashes = [version.content_hash for version in log(store)]
    store.close()
    return hashes


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest, sqlite_url: str):  # type: ignore[no-untyped-def]
    """URL of an empty database that may be dropped whole."""
    if request.param == "sqlite":
        yield sqlite_url
        return
    base = request.getfixturevalue("postgres_url").split("?")[0]
    with scratch_database(base) as url:
        yield url


def test_a_lost_store_is_restored_unchanged(database: str, tmp_path: Path) -> None:
    hashes = filled(database)
    copied = back_up(database, tmp_path / "copies", now=AT)
    assert copied["versions"] == 2
    with scratch_database(database) as elsewhere:
        restore_database(Path(copied["files"][0]), elsewhere)
        store = Store.open(elsewhere)
        assert [version.content_hash for version in log(store)] == hashes
        store.close()


def test_nothing_is_overwritten_without_replace(database: str, tmp_path: Path) -> None:
    filled(database)
    [copy] = map(Path, back_up(database, tmp_path, now=AT)["files"])
    with pytest.raises(Conflict):
        copy_database(database, copy)
    with pytest.raises(Conflict, match=r"not empty|already exists"):
        restore_database(copy, database)
    restore_database(copy, database, replace=True)
    assert verify_all(database) == 2


def test_a_store_that_does_not_verify_is_not_copied(sqlite_url: str, tmp_path: Path) -> None:
    filled(sqlite_url)
    engine = create_engine(parse_url(sqlite_url))
    with engine.begin() as connection:
        connection.execute(text("DROP TRIGGER fq_revision_no_update"))
        connection.execute(text("DROP TRIGGER fq_revision_only_redacted"))
        connection.execute(text("UPDATE fq_revision SET answer_0 = 'forged'"))
    engine.dispose()
    with pytest.raises(StoreError, match="failed verification"):
        back_up(sqlite_url, tmp_path / "copies", now=AT)
    assert list((tmp_path / "copies").iterdir()) == []


def test_the_prefect_database_is_included_and_old_copies_are_deleted(
    sqlite_url: str, tmp_path: Path
) -> None:
    filled(sqlite_url)
    prefect = tmp_path / "prefect.db"
    with sqlite3.connect(prefect) as connection:
        connection.execute("CREATE TABLE flow_run (id TEXT)")
    address, copies = f"sqlite+aiosqlite:///{prefect}", tmp_path / "copies"
    for week in range(3):
        now = AT + timedelta(weeks=week)
        back_up(sqlite_url, copies, now=now, prefect_database=address, keep=2)
    assert sorted(file.name for file in copies.iterdir()) == [
        "freshqa-20260316T060000Z.db",
        "freshqa-20260323T060000Z.db",
        "prefect-20260316T060000Z.db",
        "prefect-20260323T060000Z.db",
    ]


def test_a_file_that_is_not_a_copy_is_refused(sqlite_url: str, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a database")
    with pytest.raises(UsageError, match="not a copy of a sqlite database"):
        restore_database(tmp_path / "notes.txt", sqlite_url)
