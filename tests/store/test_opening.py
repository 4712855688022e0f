"""A store that cannot be used is reported in one line with a remedy and without its password."""

from __future__ import annotations

import os
import pickle
import socket
import traceback
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text
from store.sheet import DAY, NOW, sheet

from freshqa.errors import StoreError, UsageError
from freshqa.store.database import Store
from freshqa.store.publishing import publish
from freshqa.store.snapshots import snapshot
from freshqa.store.versions import head

SECRET = "hunter2"


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "not a valid SQLAlchemy URL"),
        (f"nonsense {SECRET}", "not a valid SQLAlchemy URL"),
        (f"mysql://me:{SECRET}@host/db", "Unsupported database: 'mysql'"),
        ("sqlite://", "in-memory"),
        ("sqlite:///:memory:", "in-memory"),
    ],
)
def test_an_invalid_address_is_refused(url: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        Store.open(url, create=True)
    assert SECRET not in "".join(traceback.format_exception(caught.value))
    assert "postgresql+psycopg://" in caught.value.remedy


@pytest.mark.parametrize(
    ("url", "driver"),
    [
        ("sqlite+aiosqlite:////tmp/a.db", "sqlite"),
        ("postgresql://h/d", "postgresql+psycopg"),
        ("postgresql+asyncpg://h/d", "postgresql+psycopg"),
        ("postgres://h/d", "postgresql+psycopg"),
    ],
)
def test_addresses_with_other_drivers_are_accepted(url: str, driver: str) -> None:
    assert make_url(Store(url).url).drivername == driver


def test_a_missing_file_is_not_created(tmp_path: Path) -> None:
    file = tmp_path / "none" / "freshqa.db"
    with pytest.raises(
        StoreError, match=r"Store not found: .*freshqa\.db.*Run: prefect-freshqa init"
    ):
        Store.open(f"sqlite:///{file}")
    assert not file.parent.exists()
    Store.open(f"sqlite:///{file}", create=True).close()
    assert file.exists()


def test_a_database_without_the_freshqa_tables_is_refused(store_url: str) -> None:
    engine = create_engine(store_url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE other (id INTEGER)"))
    engine.dispose()
    with pytest.raises(StoreError, match=r"does not contain a store yet.*prefect-freshqa init"):
        Store.open(store_url)


def test_a_dataset_that_does_not_exist_is_reported(store: Store, store_url: str) -> None:
    with pytest.raises(StoreError, match="no dataset 'weather'; it has: freshqa"):
        Store.open(store_url, dataset="weather")


def test_a_file_that_is_not_a_database_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "notes.db"
    file.write_text("These are notes, and they are long enough to be read as a header." * 20)
    before = file.read_bytes()
    for create in (False, True):
        with pytest.raises(StoreError, match="file is not a database"):
            Store.open(f"sqlite:///{file}", create=create)
    assert file.read_bytes() == before


def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="Cannot create the directory"):
        Store.open(f"sqlite:///{tmp_path}/file/below/a.db", create=True)
    with pytest.raises(StoreError, match=r"unable to open database file|is a directory"):
        Store.open(f"sqlite:///{tmp_path}", create=True)


def test_a_server_that_does_not_answer_is_reported() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"postgresql+psycopg://me:{SECRET}@127.0.0.1:{port}/db"
    with pytest.raises(StoreError, match="Check that the database runs") as caught:
        Store.open(url)
    assert SECRET not in "".join(traceback.format_exception(caught.value))
    assert "me:***@127.0.0.1" in str(caught.value)


@pytest.mark.postgres
def test_a_missing_postgresql_database_is_reported(postgres_url: str) -> None:
    base = make_url(postgres_url).set(database="no_such_database")
    with pytest.raises(StoreError, match='database "no_such_database" does not exist'):
        Store.open(base.render_as_string(hide_password=False))


@pytest.mark.postgres
def test_a_lost_connection_is_replaced(postgres_url: str) -> None:
    store = Store.open(postgres_url, create=True)
    with store.read() as connection:
        ours = connection.scalar(text("SELECT pg_backend_pid()"))
    engine = create_engine(postgres_url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT pg_terminate_backend(:ours)"), {"ours": ours})
    assert head(store) is None
    engine.dispose()
    store.close()


def test_the_password_is_never_shown() -> None:
    store = Store(f"postgresql+psycopg://me:{SECRET}@host/db")
    assert SECRET not in f"{store!r} {store} {store.url} {vars(store)}"


def test_a_store_can_be_pickled_to_another_process(store: Store) -> None:
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None)
    travelled = pickle.loads(pickle.dumps(store))
    assert snapshot(travelled, 1) == tuple(sheet())
    assert travelled.dataset == store.dataset
    travelled.close()


def test_a_forked_process_opens_its_own_connection(store: Store) -> None:
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None)
    child = os.fork()
    if child == 0:
        publish(store, sheet(2), as_of=DAY, now=NOW, parent=1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert snapshot(store, 2) == tuple(sheet(2))


def test_a_closed_store_reopens_on_use(store: Store) -> None:
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None)
    store.close()
    assert snapshot(store, 1) == tuple(sheet())


def test_sqlite_is_set_up_to_survive_a_power_cut(sqlite_url: str) -> None:
    store = Store.open(sqlite_url, create=True)
    with store.read() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert pragmas == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 30000,
    }
    store.close()


@pytest.mark.postgres
def test_reads_on_postgresql_prefer_indexes_and_writes_use_the_defaults(postgres_url: str) -> None:
    store = Store.open(postgres_url, create=True)
    with store.read() as connection:
        assert connection.exec_driver_sql("SHOW random_page_cost").scalar() == "1.1"
    with store.write() as connection:
        assert connection.exec_driver_sql("SHOW random_page_cost").scalar() == "4"
    store.close()


def test_a_failed_write_leaves_no_rows(store: Store) -> None:
    with pytest.raises(RuntimeError), store.write() as connection:
        connection.execute(text("INSERT INTO fq_dataset (slug) VALUES ('half')"))
        raise RuntimeError("stop")
    with pytest.raises(StoreError, match="it has: freshqa"):
        Store.open(store._address.render_as_string(hide_password=False), dataset="half")
