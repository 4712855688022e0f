"""Statements on the driver's cursor, on SQLite and PostgreSQL: as SQLAlchemy executes them."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import bindparam, insert, select, text, update
from sqlalchemy.exc import IntegrityError
from store.ledger import start
from store.sheet import DAY, NOW, sheet

from freshqa.errors import StoreError
from freshqa.store.database import Store
from freshqa.store.direct import InsertInto, Statement, inside
from freshqa.store.ledger_schema import check, reservation, run, search
from freshqa.store.publishing import publish

HERE = datetime(2026, 3, 9, 8, 30, 1, 123456, tzinfo=timezone(timedelta(hours=2)))
VALUES: dict[str, Any] = {
    "run_id": None,
    "engine": "serpapi",
    "request_hash": "ab" * 32,
    "query_hash": "cd" * 32,
    "as_of": DAY,
    "fetched_at": HERE,
    "recorded_at": HERE.astimezone(timezone.utc),
    "cost_usd": Decimal("0.0150"),
    "seconds": 0.1 + 0.2,
    "body": {"query": "Wo? 😀 \ud83d", "response": {"a": [1, None, "\0"]}},
}
NEW = InsertInto(search)
OF_ENGINE = (
    select(search)
    .where(search.c.engine == bindparam("engine"), search.c.request_hash != "none")
    .order_by(search.c.id)
)


def test_rows_are_those_of_sqlalchemy(store: Store) -> None:
    with store.write_directly() as direct:
        first = NEW.id(direct, VALUES)
    with store.write() as connection:
        second = connection.execute(insert(search), VALUES).inserted_primary_key
    with store.read() as connection:
        rows = [tuple(row) for row in connection.execute(OF_ENGINE, {"engine": "serpapi"})]
    with store.read_directly() as direct:
        same = [tuple(row) for row in Statement(OF_ENGINE).rows(direct, {"engine": "serpapi"})]
    assert second is not None and [row[0] for row in rows] == [first, second[0]]
    assert same == rows
    assert rows[0][1:] == rows[1][1:] == tuple(VALUES.values())


def test_what_a_block_that_fails_has_written_is_not_kept(store: Store) -> None:
    with pytest.raises(LookupError), store.write_directly() as direct:
        NEW.execute(direct, VALUES)
        raise LookupError
    with store.read() as connection:
        assert connection.execute(select(search)).all() == []


def test_a_violated_constraint_is_sqlalchemy_s_error_and_the_connection_remains_usable(
    store: Store,
) -> None:
    new = InsertInto(check)
    values = {name: 1 for name in ("run_id", "question_id")} | {
        "outcome": "changed",
        "risk": 0.5,
        "cost_usd": Decimal(1),
        "checked_at": NOW,
        "body": {},
    }
    with pytest.raises(IntegrityError), store.write_directly() as direct:
        new.id(direct, values)
    with pytest.raises(IntegrityError), store.write() as connection, inside(connection) as direct:
        new.id(direct, values)
    with store.write_directly() as direct:
        assert NEW.id(direct, VALUES) == 1


def test_a_failure_is_one_line_with_a_remedy(store: Store) -> None:
    broken = Statement(select(reservation.c.id).where(reservation.c.id == bindparam("id")))
    with store.write() as connection:
        reservation.drop(connection)
    with pytest.raises(StoreError, match="failed") as raised, store.read_directly() as direct:
        broken.first(direct, {"id": 1})
    assert "SELECT" not in str(raised.value)


def test_an_update_finds_the_row_by_its_values(store: Store) -> None:
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None)
    start(store)
    renew = update(run).where(run.c.key == bindparam("wanted"), run.c.state == "running")
    renewed = Statement(renew.values(lease_until=bindparam("until")))
    with store.write_directly() as direct:
        renewed.execute(direct, {"wanted": "week-11", "until": HERE})
        renewed.execute(direct, {"wanted": "none", "until": NOW})
    with store.read() as connection:
        assert connection.execute(select(run.c.lease_until)).scalars().all() == [HERE]


def test_a_connection_that_the_server_has_ended_is_not_used_again(store: Store) -> None:
    if store.engine.dialect.name != "postgresql":
        pytest.skip("a SQLite file has no server")
    others = text("SELECT pg_terminate_backend(:process)")
    with (
        pytest.raises(StoreError, match="terminating connection"),
        store.write_directly() as direct,
    ):
        direct.cursor.execute("SELECT pg_backend_pid()")
        (process,) = direct.cursor.fetchone()
        with store.read() as connection:
            connection.execute(others, {"process": process})
        NEW.execute(direct, VALUES)
    with store.write_directly() as direct:
        assert NEW.id(direct, VALUES) == 1
