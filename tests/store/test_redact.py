"""Redaction removes a text everywhere and keeps the chain of versions intact."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text
from store.ledger import checked, start
from store.sheet import DAY, NOW, asked, sheet, with_answer

from freshqa.answering.language_model import Completion, Message
from freshqa.dataset.question import FIELD_COLUMNS
from freshqa.errors import NotFound, UsageError
from freshqa.evidence.search_engine import SearchResult
from freshqa.evidence.web_page import WebPage
from freshqa.maintaining.proposal import Action, Decision
from freshqa.store.cache import EVER
from freshqa.store.calls import record_completion, record_search
from freshqa.store.checks import checks, record_check
from freshqa.store.database import Store
from freshqa.store.history import history
from freshqa.store.known_calls import find_completion, find_search
from freshqa.store.ledger_schema import TABLES
from freshqa.store.pages import record_page
from freshqa.store.proposal_decisions import decide
from freshqa.store.proposals import proposals
from freshqa.store.publishing import publish, rollback
from freshqa.store.records import (
    judgements,
    record_judgements,
    record_validation,
    validations,
)
from freshqa.store.redacting import Redaction, redact
from freshqa.store.snapshots import original, snapshot
from freshqa.store.verifying import verify
from freshqa.store.versions import find

PRIVATE = "https://people.example/Åse-Lund"
SECRET = asked("Who found the ninth moon?", "Åse Lund", source=f"https://a.example/\n{PRIVATE}")


@pytest.fixture
def store(store: Store) -> Store:
    """The secret row in versions 1 and 2, gone in 3; a run that read it; two calls about it."""
    rows = [*sheet(), SECRET]
    publish(store, rows, as_of=DAY, now=NOW, parent=None, kind="import", original=PRIVATE.encode())
    publish(store, with_answer(rows, 0, "9"), as_of=DAY, now=NOW, parent=1)
    publish(store, sheet(), as_of=DAY, now=NOW, parent=2, kind="import", original=b"clean")
    rollback(store, 2, as_of=DAY, now=NOW)
    start(store)
    id_ = record_check(store, "week-11", checked(SECRET, answer="Someone"), now=NOW)
    record_check(store, "week-11", checked(sheet()[1]), now=NOW)
    assert id_ is not None
    decide(store, Decision(id_, Action.edit, "Ada", NOW, PRIVATE, edits={"source": PRIVATE}))
    for name, body in (("a", {"url": PRIVATE}), ("b", {"url": "https://other.example"})):
        record_search(store, "week-11", SearchResult("serpapi", "moons", body, NOW), name * 64)
        message = Message("user", f"question: {body['url']}")
        record_page(
            store, "week-11", WebPage(body["url"], NOW, name, title=name), as_of=DAY, now=NOW
        )
        record_completion(store, "week-11", Completion("x", "m", name * 64, NOW), [message])
    quoting = WebPage("https://quote.example", NOW, f"It says {PRIVATE}")
    record_page(store, "week-11", quoting, as_of=DAY, now=NOW)
    record_validation(store, None, 1, {"success": True, "warnings": [{"value": PRIVATE}]}, NOW)
    record_validation(store, None, 2, {"success": True, "warnings": []}, NOW)
    told = [{"verdict": "correct", "comment": PRIVATE}, {"verdict": "incorrect", "comment": ""}]
    record_judgements(store, "e", told, version=1, mode="strict", judge="j", now=NOW)
    return store


def redacted(store: Store, *columns: str) -> Redaction:
    return redact(store, SECRET.revision_hash[:12], now=NOW, reason="request 7", columns=columns)


def everything(store: Store) -> str:
    """All that the database holds, as text."""
    with store.read() as connection:
        rows = [
            repr(row) for table in TABLES.values() for row in connection.execute(table.select())
        ]
    return "\n".join(rows)


def test_a_redacted_text_is_removed_everywhere_and_nothing_else(store: Store) -> None:
    assert PRIVATE in everything(store)
    done = redacted(store)
    assert done.to_json() == {
        "revision": SECRET.revision_hash,
        "key": SECRET.key,
        "columns": list(FIELD_COLUMNS),
        "versions": [1, 2, 4],
        "ledger": {
            "checks": 1,
            "proposals": 1,
            "decisions": 1,
            "searches": 1,
            "pages": 2,
            "completions": 1,
            "validations": 1,
            "judgements": 1,
        },
    }
    kept = everything(store)
    assert PRIVATE not in kept
    assert "Åse Lund" not in kept
    assert "ninth moon?" not in kept
    assert original(store, 1) is None
    assert original(store, 3) == b"clean"
    assert find_search(store, "a" * 64, since=EVER) is None
    assert find_search(store, "b" * 64, since=EVER) is not None
    assert find_completion(store, "a" * 64, None, since=EVER) is None
    assert find_completion(store, "b" * 64, None, since=EVER) is not None
    assert [validation.report for validation in validations(store)] == [
        {"success": True, "warnings": []},
        {},
    ]
    assert judgements(store, "e") == (
        {"verdict": "correct"},
        {"verdict": "incorrect", "comment": ""},
    )


def test_no_page_of_the_database_file_contains_the_text(sqlite_url: str, tmp_path: Path) -> None:
    store = Store.open(sqlite_url, create=True)
    publish(store, [*sheet(), SECRET], as_of=DAY, now=NOW, parent=None)
    files = [path for path in tmp_path.iterdir() if path.name.startswith("freshqa.db")]
    assert any(PRIVATE.encode() in path.read_bytes() for path in files)
    redacted(store)
    assert not any(PRIVATE.encode() in path.read_bytes() for path in files)
    store.close()


def test_verify_reports_redacted_versions_as_redacted(store: Store) -> None:
    hashes = [
        (find(store, number=n).content_hash, find(store, number=n).chain_hash) for n in (1, 4)
    ]
    redacted(store)
    verified = verify(store)
    assert [(version.status, version.redacted) for version in verified] == [
        ("redacted", (SECRET.key, "original")),
        ("redacted", (SECRET.key,)),
        ("ok", ()),
        ("redacted", (SECRET.key,)),
    ]
    assert [
        (find(store, number=n).content_hash, find(store, number=n).chain_hash) for n in (1, 4)
    ] == hashes


def test_tampering_next_to_a_redaction_is_still_reported_as_corrupt(store: Store) -> None:
    redacted(store)
    with store.write() as connection:
        for name in ("fq_revision_no_update", "fq_revision_only_redacted"):
            on = "" if connection.dialect.name == "sqlite" else " ON fq_revision"
            connection.execute(text(f"DROP TRIGGER {name}{on}"))
        connection.execute(text("UPDATE fq_revision SET answer_0 = '7' WHERE answer_0 = '1'"))
    assert {version.status for version in verify(store)} == {"corrupt"}


def test_single_columns_can_be_redacted(store: Store) -> None:
    redacted(store, "source", "answer_0")
    row = snapshot(store, 4)[-1]
    assert row == SECRET.with_changes({"source": "", "answer_0": ""})
    last = history(store, SECRET.key)[-1]
    assert (last.redacted, last.revision_hash) == (True, SECRET.revision_hash)
    assert last.revision_hash != last.question.revision_hash


def test_a_redacted_check_is_still_counted(store: Store) -> None:
    redacted(store)
    first, second = checks(store, "week-11")
    assert (first.key, first.outcome.value, first.error) == (
        SECRET.key,
        "changed",
        "redacted by request",
    )
    assert second == checked(sheet()[1])
    assert [stored.proposal.key for stored in proposals(store)] == [sheet()[1].key]


def test_the_next_version_holds_the_remaining_text(store: Store) -> None:
    redacted(store, "source")
    rows = list(snapshot(store, 4))
    publish(store, rows, as_of=DAY, now=NOW, parent=4)
    assert snapshot(store, 5) == tuple(rows)
    assert verify(store, 5)[0].status == "ok"


def test_an_unclear_redaction_is_refused(store: Store) -> None:
    with pytest.raises(NotFound, match="Revision not found"):
        redact(store, "0" * 64, now=NOW, reason="r")
    with pytest.raises(NotFound, match="Revision not found"):
        redact(store, SECRET.revision_hash[:7], now=NOW, reason="r")
    with pytest.raises(UsageError, match="Missing reason"):
        redact(store, SECRET.revision_hash, now=NOW, reason=" ")
    with pytest.raises(UsageError, match="Unknown columns: url"):
        redact(store, SECRET.revision_hash, now=NOW, reason="r", columns=["url"])
    assert PRIVATE in everything(store)
