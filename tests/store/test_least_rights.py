"""The rights stated in SECURITY.md for each role, on a real PostgreSQL server."""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pandas
import pytest
from sqlalchemy import URL, Engine, create_engine, make_url, text
from sqlalchemy.exc import IntegrityError
from store.ledger import CHECKED, start
from store.sheet import DAY, NOW, WEEK, sheet, with_answer

from freshqa.errors import StoreError
from freshqa.load import load
from freshqa.maintaining.proposal import Action, Decision
from freshqa.store import (
    changes,
    checks,
    proposal_decisions,
    publishing,
    runs,
    snapshots,
    verifying,
    versions,
)
from freshqa.store.columns import MIN_ROWS
from freshqa.store.database import Store

pytestmark = pytest.mark.postgres

SECURITY = Path(__file__).parent.parent.parent / "SECURITY.md"
DEFAULT = "postgresql+psycopg://root@127.0.0.1:5432/test"
ROLES = ("freshqa_worker", "freshqa_reader")


@dataclass(frozen=True)
class Accounts:
    """One store, opened by its owner and by both roles."""

    owner: Store
    worker: Store
    reader: Store


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """Who may make databases and roles."""
    base = make_url(os.environ.get("FRESHQA_TEST_POSTGRES_URL", DEFAULT))
    opened = create_engine(base, isolation_level="AUTOCOMMIT")
    try:
        opened.connect().close()
    except Exception as unreachable:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"postgres: {unreachable.__class__.__name__}; set FRESHQA_TEST_POSTGRES_URL")
    yield opened
    opened.dispose()


@pytest.fixture(scope="module")
def accounts(engine: Engine) -> Iterator[Accounts]:
    """A database with two versions, and the roles of the document.

    Only the names of the roles are changed, which are shared by all databases of a server.
    """
    suffix = uuid.uuid4().hex[:8]
    name = f"freshqa_rights_{suffix}"
    (statements,) = re.findall(r"```sql\n(.*?)```", SECURITY.read_text("utf-8"), flags=re.DOTALL)
    for role in ROLES:
        statements = statements.replace(role, f"{role}_{suffix}")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    url = engine.url.set(database=name)
    owner = Store.open(url.render_as_string(hide_password=False), create=True)
    publishing.publish(owner, sheet(), as_of=DAY, now=NOW, parent=None, kind="import")
    publishing.publish(owner, with_answer(sheet(), 2, "20"), as_of=DAY, now=NOW, parent=1)
    with owner.write() as connection:
        connection.exec_driver_sql(statements)
    worker, reader = (account(url, f"{role}_{suffix}") for role in ROLES)
    yield Accounts(owner, worker, reader)
    for store in (owner, worker, reader):
        store.close()
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        for role in ROLES:
            connection.execute(text(f"DROP ROLE {role}_{suffix}"))


def account(url: URL, role: str) -> Store:
    """The store as a role sees it, with the password of the document."""
    return Store.open(url.set(username=role, password="…").render_as_string(hide_password=False))


def test_a_worker_refreshes_reviews_and_publishes(accounts: Accounts) -> None:
    worker = accounts.worker
    run = start(worker)
    proposal = checks.record_check(worker, run.key, CHECKED, now=NOW)
    assert proposal is not None
    accepted = proposal_decisions.decide(worker, Decision(proposal, Action.accept, "Ada", NOW))
    after = with_answer(list(snapshots.snapshot(worker, 2)), 1, "9")
    published = publishing.publish(
        worker, after, as_of=DAY + WEEK, now=NOW, parent=2, proposals=[accepted]
    )
    versions.tag(worker, "spring", 3, now=NOW)
    runs.finish_run(worker, run.key, state=runs.COMPLETED, summary={}, now=NOW + timedelta(hours=1))
    assert published.number == 3
    assert versions.find(accounts.owner, tag="spring").number == 3


def test_a_reader_pulls_compares_and_lists(accounts: Accounts) -> None:
    reader, owner = accounts.reader, accounts.owner
    assert versions.log(reader) == versions.log(owner)
    assert snapshots.snapshot(reader, 1) == snapshots.snapshot(owner, 1)
    assert changes.diff(reader, 1, 2) == changes.diff(owner, 1, 2)
    assert len(load(1, store=reader)) == len(sheet())
    assert {checked.status for checked in verifying.verify(reader)} == {"ok"}


def test_a_reader_of_published_rows_alone_loads_a_large_version(engine: Engine) -> None:
    (sentence,) = re.findall(
        r"to published rows, grant `SELECT` on (.*?)\.", SECURITY.read_text("utf-8")
    )
    tables = ", ".join(re.findall("`(fq_[a-z_]+)`", sentence))
    name = f"freshqa_rows_{uuid.uuid4().hex[:8]}"
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
        connection.execute(text(f"CREATE ROLE {name} LOGIN PASSWORD '…'"))
    try:
        url = engine.url.set(database=name)
        owner = Store.open(url.render_as_string(hide_password=False), create=True)
        publishing.publish(owner, sheet(MIN_ROWS), as_of=DAY, now=NOW, parent=None)
        with owner.write() as connection:
            connection.exec_driver_sql(f"GRANT SELECT ON {tables} TO {name}")
        reader = account(url, name)
        frame = load(1, store=reader)
        pandas.testing.assert_frame_equal(frame, load(1, store=owner))
        assert len(frame) == MIN_ROWS
        owner.close()
        reader.close()
    finally:
        with engine.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
            connection.execute(text(f"DROP ROLE {name}"))


READER_MUST_NOT: dict[str, Callable[[Store], object]] = {
    "publish": lambda store: publishing.publish(
        store,
        with_answer(sheet(), 0, "no"),
        as_of=DAY + WEEK,
        now=NOW,
        parent=versions.log(store)[0].number,
    ),
    "tag": lambda store: versions.tag(store, "mine", 1, now=NOW),
    "roll back": lambda store: publishing.rollback(store, 1, as_of=DAY + WEEK, now=NOW),
    "start a run": lambda store: start(store, "of-a-reader"),
}


@pytest.mark.parametrize("deed", READER_MUST_NOT)
def test_a_reader_writes_nothing(deed: str, accounts: Accounts) -> None:
    before = versions.log(accounts.owner)
    with pytest.raises(StoreError, match="permission denied"):
        READER_MUST_NOT[deed](accounts.reader)
    assert versions.log(accounts.owner) == before


PAST_THE_PACKAGE = (
    "UPDATE fq_revision SET answer_0 = 'mine'",
    "UPDATE fq_revision SET answer_0 = ''",  # what a redaction may do
    "UPDATE fq_version SET message = 'mine'",
    "UPDATE fq_question SET id = id + 1000",
    "UPDATE fq_question SET key = 'mine'",
    "DELETE FROM fq_member",
    "DELETE FROM fq_version",
    "DELETE FROM fq_run",
    "TRUNCATE fq_tag CASCADE",
    "DROP TABLE fq_tag CASCADE",
    "ALTER TABLE fq_revision DISABLE TRIGGER ALL",
    "DROP TRIGGER fq_revision_no_delete ON fq_revision",
    "SET session_replication_role = replica",
    "CREATE TABLE mine (a int)",
    "UPDATE fq_alembic_version SET version_num = '0001'",
)


@pytest.mark.parametrize("role", ["worker", "reader"])
@pytest.mark.parametrize("statement", PAST_THE_PACKAGE)
def test_only_the_owner_can_change_existing_rows(
    statement: str, role: str, accounts: Accounts
) -> None:
    before = verifying.verify(accounts.owner)
    refused = pytest.raises(
        (StoreError, IntegrityError), match=r"permission denied|must be owner|is append-only"
    )
    with refused, getattr(accounts, role).write() as connection:
        connection.exec_driver_sql(statement)
    assert verifying.verify(accounts.owner) == before
