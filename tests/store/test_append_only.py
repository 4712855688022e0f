"""The database itself refuses to change or delete published and recorded rows."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from store.ledger import CHECKED, COLUMNS, start
from store.sheet import DAY, NOW, sheet, with_answer

from freshqa.answering.language_model import Completion, Message
from freshqa.evidence.search_engine import SearchResult
from freshqa.evidence.web_page import WebPage
from freshqa.maintaining.proposal import Action, Decision
from freshqa.store.calls import record_completion, record_search
from freshqa.store.checks import record_check
from freshqa.store.database import Store
from freshqa.store.ledger_schema import TABLES
from freshqa.store.pages import record_page
from freshqa.store.proposal_decisions import decide
from freshqa.store.publishing import publish
from freshqa.store.records import record_certificate, record_judgements, record_validation
from freshqa.store.upgrading import guards, trigger_names
from freshqa.store.verifying import verify
from freshqa.store.versions import log, tag


@pytest.fixture
def full(store: Store) -> Store:
    """A store with at least one row in every table."""
    questions = sheet()
    publish(store, questions, as_of=DAY, now=NOW, parent=None, kind="import", original=b"file")
    tag(store, "spring", 1, now=NOW)
    start(store)
    id_ = record_check(store, "week-11", CHECKED, now=NOW)
    assert id_ is not None
    decision = Decision(id_, Action.accept, "Ada", NOW, edits={"note": "seen"}, reason="so")
    decided = decide(store, decision)
    publish(
        store, with_answer(questions, 1, "9"), as_of=DAY, now=NOW, parent=1, proposals=[decided]
    )
    record_search(store, "week-11", SearchResult("serpapi", "moons", {"a": 1}, NOW), "h" * 64)
    page = WebPage("https://moons.example", NOW, "Nine moons.")
    record_page(store, "week-11", page, as_of=DAY, now=NOW)
    record_completion(
        store, "week-11", Completion("nine", "m", "p" * 64, NOW), [Message("user", "moons")]
    )
    record_validation(store, "week-11", 1, {"success": True}, NOW)
    record_judgements(
        store, "e", [{"verdict": "correct"}], version=1, mode="strict", judge="j", now=NOW
    )
    record_certificate(store, "m", {}, issued_at=NOW, expires_at=NOW + timedelta(days=1))
    return store


def accepted(store: Store, statements: list[str]) -> list[str]:
    """The statements that the database did not refuse as it should."""
    passed = []
    for statement in statements:
        try:
            with store.write() as connection:
                connection.execute(text(statement))
            passed.append(statement)
        except IntegrityError as refusal:
            assert "append-only" in str(refusal)
    return passed


def test_every_table_of_the_test_store_has_rows(full: Store) -> None:
    with full.read() as connection:
        empty = [
            name
            for name, table in TABLES.items()
            if connection.execute(table.select()).first() is None
        ]
    assert empty == []


def test_no_row_is_deleted(full: Store) -> None:
    assert accepted(full, [f"DELETE FROM {name}" for name in TABLES]) == []


def test_no_cell_is_changed(full: Store) -> None:
    """Not even to its present value."""
    changing = {"state", "finished_at", "summary", "lease_owner", "lease_until"}
    changing |= {"flow_run_id"}
    statements = [
        f"UPDATE {name} SET {column.name} = {column.name}"
        for name, table in TABLES.items()
        for column in table.columns
        if name != "fq_run" or column.name not in changing
    ]
    assert len(statements) > 120
    assert accepted(full, statements) == []


def test_a_published_version_cannot_be_extended(full: Store) -> None:
    with full.write() as connection:
        connection.execute(text("INSERT INTO fq_question (dataset_id, key) VALUES (1, 'late')"))
        digest = (
            "zeroblob(32)"
            if connection.dialect.name == "sqlite"
            else "decode(repeat('00', 32), 'hex')"
        )
        connection.execute(
            text(
                f"INSERT INTO fq_revision (question_id, content_hash) SELECT id, {digest} FROM fq_question WHERE key = 'late'"
            )
        )
    late = (
        "INSERT INTO fq_member (version_id, question_id, revision_id, position)"
        " SELECT 2, question_id, id, {position} FROM fq_revision ORDER BY id DESC LIMIT 1"
    )
    assert accepted(full, [late.format(position=position) for position in (6, -1)]) == []


@pytest.mark.postgres
def test_no_table_is_truncated(postgres_url: str) -> None:
    store = Store.open(postgres_url, create=True)
    assert accepted(store, [f"TRUNCATE {name} CASCADE" for name in TABLES]) == []
    store.close()


def test_a_redaction_can_only_empty_cells(full: Store) -> None:
    rewritten = "UPDATE fq_revision SET redacted_at = CURRENT_TIMESTAMP, answer_0 = 'forged'"
    unmarked = "UPDATE fq_revision SET answer_0 = ''"
    rehashed = "UPDATE fq_revision SET redacted_at = CURRENT_TIMESTAMP, content_hash = content_hash"
    refilled = "UPDATE fq_decision SET reason = 'forged'"
    assert accepted(full, [rewritten, unmarked, rehashed, refilled]) == []


def test_all_triggers_exist_and_all_versions_verify(full: Store) -> None:
    with full.read() as connection:
        names = set(trigger_names(connection))
    assert {guard.name for guard in guards(COLUMNS)} <= names
    assert "fq_member_seal" in names
    assert {verified.status for verified in verify(full)} == {"ok"}
    assert len(log(full)) == 2
