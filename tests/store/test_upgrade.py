"""An empty database and every earlier schema with data are upgraded to the latest schema."""

from __future__ import annotations

import zlib
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, select, text
from store.ledger import COLUMNS, start
from store.processes import start_together
from store.sheet import DAY, NOW, sheet, with_answer

from freshqa.errors import StoreError
from freshqa.store import schema
from freshqa.store.database import Store
from freshqa.store.ledger_schema import TABLES, metadata
from freshqa.store.publishing import publish
from freshqa.store.snapshots import snapshot
from freshqa.store.upgrading import current_revision, drop_triggers, guards, trigger_names, upgrade
from freshqa.store.verifying import verify
from freshqa.store.versions import tag

SCRIPTS = ScriptDirectory("src/freshqa/store/migrations")
EARLIER = [script.revision for script in reversed(list(SCRIPTS.walk_revisions()))][:-1]


def differences(store: Store) -> list[Any]:
    """What the database lacks or has beyond the tables that the code declares."""

    def ours(name: str | None, kind: str, parents: Any) -> bool:
        return kind != "table" or name in TABLES

    options = {"include_name": ours, "compare_type": True, "compare_server_default": True}
    with store.read() as connection:
        return list(
            compare_metadata(MigrationContext.configure(connection, opts=options), metadata)
        )


def test_the_latest_migration_is_the_one_the_code_needs() -> None:
    assert SCRIPTS.get_current_head() == schema.SCHEMA_REVISION


def test_the_migrations_make_exactly_the_declared_tables(store: Store) -> None:
    assert differences(store) == []


def test_upgrading_again_changes_nothing(store: Store) -> None:
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None)
    store.upgrade()
    assert snapshot(store, 1) == tuple(sheet())


@pytest.mark.parametrize("revision", EARLIER)
def test_data_of_an_earlier_schema_survives(store_url: str, revision: str) -> None:
    old = Store(store_url)
    upgrade(old.engine, dataset="freshqa", revision=revision)
    with pytest.raises(StoreError, match=f"schema is '{revision}', this release needs"):
        Store.open(store_url)
    fill(old)
    store = Store.open(store_url, create=True)
    assert snapshot(store, 1) == tuple(sheet())
    assert snapshot(store, 2) == tuple(with_answer(sheet(), 0, "9"))
    assert [verified.status for verified in verify(store)] == ["ok", "ok"]
    assert differences(store) == []
    with store.read() as connection:
        decided = connection.execute(text("SELECT decided_by, sequence FROM fq_decision")).all()
        assert decided == ([] if revision == "0001" else [("Ada", 1)])
        assert {guard.name for guard in guards(COLUMNS)} <= set(trigger_names(connection))
    old.close()
    store.close()


def fill(old: Store) -> None:
    """Two versions and a tag, and a decided proposal where this schema has them."""
    with old.read() as connection:
        tables = set(inspect(connection).get_table_names())
        old._dataset_id = connection.execute(select(schema.dataset.c.id)).scalar_one()
    publish(old, sheet(), as_of=DAY, now=NOW, parent=None, kind="import", original=b"file")
    publish(old, with_answer(sheet(), 0, "9"), as_of=DAY, now=NOW, parent=1)
    tag(old, "spring", 1, now=NOW)
    if "fq_run" in tables:
        start(old)
        with old.write() as connection:
            for statement in DECIDED:
                connection.execute(text(statement), {"now": NOW, "body": zlib.compress(b"{}")})


DECIDED = [
    "\nINSERT INTO fq_check (run_id, question_id, outcome, risk, cost_usd, checked_at, body)\nVALUES (1, 1, 'changed', 0.5, '0.01', :now, :body)",
    "\nINSERT INTO fq_proposal (check_id, run_id, question_id, base_revision, outcome, risk,\nconfidence, created_at, body) VALUES (1, 1, 1, :body, 'changed', 0.5, 0.5, :now, :body)",
    "\nINSERT INTO fq_decision (proposal_id, action, decided_by, decided_at, reason, edits)\nVALUES (1, 'reject', 'Ada', :now, 'no', '{}')\n",
]


def test_a_store_of_a_newer_release_is_not_changed(store: Store, store_url: str) -> None:
    with store.write() as connection:
        connection.execute(text(f"UPDATE {schema.VERSION_TABLE} SET version_num = '9999'"))
    with pytest.raises(StoreError, match=r"schema is '9999'.*update prefect-freshqa"):
        Store.open(store_url)
    with pytest.raises(StoreError, match="'9999' is unknown to this release"):
        Store.open(store_url, create=True)
    with store.read() as connection:
        assert trigger_names(connection)


def test_a_failed_migration_leaves_nothing_behind(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(connection: Any) -> None:
        raise RuntimeError("power cut")

    monkeypatch.setattr("freshqa.store.upgrading.create_triggers", stop)
    store = Store(store_url)
    with pytest.raises(RuntimeError):
        store.upgrade()
    with store.engine.connect() as connection:
        assert inspect(connection).get_table_names() == []
    store.close()


def test_a_database_shared_with_others_keeps_their_tables(store_url: str) -> None:
    store = Store(store_url)
    with store.write() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32))"))
        connection.execute(text("INSERT INTO alembic_version VALUES ('theirs')"))
    store.upgrade()
    with store.read() as connection:
        revisions = (
            connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
        )
        assert revisions == ["theirs"]
        assert current_revision(connection) == schema.SCHEMA_REVISION
    assert differences(store) == []
    store.close()


def test_triggers_dropped_by_a_table_rebuild_are_restored_by_the_next_upgrade(
    store_url: str,
) -> None:
    store = Store(store_url)
    upgrade(store.engine, dataset="freshqa", revision=EARLIER[-1])
    with store.write() as connection:
        drop_triggers(connection)
    store.upgrade()
    with store.read() as connection:
        assert {guard.name for guard in guards(COLUMNS)} <= set(trigger_names(connection))
    store.close()


OPEN = """
import sys
from freshqa.store.database import Store
print("ready", flush=True)
sys.stdin.readline()
print(Store.open(sys.argv[1], create=True).dataset_id, flush=True)
"""


def test_processes_that_upgrade_at_once_all_succeed(store_url: str) -> None:
    processes = start_together(OPEN, *[[store_url]] * 3)
    assert [process.communicate()[0] for process in processes] == ["1\n"] * 3
    store = Store.open(store_url)
    assert differences(store) == []
    store.close()
