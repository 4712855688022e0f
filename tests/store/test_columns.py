"""Large versions are read by columns: the DataFrame equals that by rows, and redactions apply."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zlib

import pandas
import pytest
from sqlalchemy import select, text, update
from store.sheet import DAY, NOW, asked, sheet, with_answer
from store.test_redact import everything

from freshqa.dataset.question import Question
from freshqa.dataset.writing import to_frame
from freshqa.load import load
from freshqa.store.columns import ADDED, ALL, KINDS, MAX_ADDED, MIN_ROWS, read_columns
from freshqa.store.database import Store
from freshqa.store.publishing import publish, rollback
from freshqa.store.redacting import redact
from freshqa.store.schema import artifact
from freshqa.store.snapshots import snapshot
from freshqa.store.upgrading import drop_triggers
from freshqa.store.verifying import verify
from freshqa.store.versions import find_row

SIZE = MIN_ROWS + 50
PRIVATE = "https://people.example/Åse-Lund"
SECRET = asked("Who found the ninth moon?", "Åse Lund", source=f"https://a.example/\n{PRIVATE}")


def mixed(rows: int = SIZE) -> list[Question]:
    """A large sheet with cells that are long, empty, of several lines, outside of ASCII, or JSON."""
    questions = sheet(rows)
    changes = (
        {"answer_9": "zehn 🌕"},
        {"source": ""},
        {"note": "a\n,\t\x1f|b"},
        {"split": "é" * 900},
    )
    for place, change in enumerate(changes):
        questions[place * 7] = questions[place * 7].with_changes(change)
    asked_elsewhere = questions[3]
    questions[3] = Question(asked_elsewhere.fields, asked_elsewhere.key, '{"level":"hard"}')
    return questions


def published(store: Store, rows: list[Question], number: int) -> list[Question]:
    publish(store, rows, as_of=DAY, now=NOW, parent=number - 1 or None)
    return rows


def changed(rows: list[Question], count: int, answer: str) -> list[Question]:
    return [row.with_changes({"answer_0": answer}) for row in rows[:count]] + rows[count:]


def kinds(store: Store) -> list[tuple[int, str]]:
    """Version id → what is kept beside its rows."""
    query = select(artifact.c.version_id, artifact.c.kind).order_by(artifact.c.version_id)
    with store.read() as connection:
        return [(row.version_id, row.kind) for row in connection.execute(query)]


def by_columns(store: Store, number: int) -> bool:
    with store.read() as connection:
        return (
            read_columns(connection, find_row(connection, store.dataset_id, number=number))
            is not None
        )


def assert_as_by_rows(store: Store, number: int) -> None:
    frame = load(number, store=store)
    by_rows = to_frame(snapshot(store, number))
    pandas.testing.assert_frame_equal(frame, by_rows[frame.columns])
    assert list(frame.columns) == list(by_rows.columns)
    assert {type(cell) for cell in frame["source"]} == {str}


def test_every_version_reads_the_same_by_columns_and_by_rows(store: Store) -> None:
    rows = published(store, mixed(), 1)
    rows = [*rows[9:40], asked("A new one?", "yes"), *rows[:9], *rows[50:]]  # moved, added, removed
    rows = published(store, changed(rows, 12, "new"), 2)
    rows = published(store, changed(rows, round(SIZE * MAX_ADDED / 2), "more"), 3)
    rows = published(store, changed(rows, round(SIZE * MAX_ADDED), "most"), 4)
    rollback(store, 1, as_of=DAY, now=NOW)
    published(store, sheet(), 6)
    published(store, rows, 7)
    assert kinds(store) == [(1, ALL), (2, ADDED), (3, ADDED), (4, ALL), (5, ALL), (7, ALL)]
    for number in range(1, 8):
        assert by_columns(store, number) == (number != 6)
        assert_as_by_rows(store, number)
    assert {version.status for version in verify(store)} == {"ok"}


def test_a_version_that_only_reorders_rows_stores_no_cells_again(store: Store) -> None:
    rows = published(store, mixed(), 1)
    published(store, rows[::-1], 2)
    with store.read() as connection:
        first, second = connection.execute(select(artifact.c.size).order_by("version_id")).scalars()
    assert second < first / 10
    assert_as_by_rows(store, 2)


WITHOUT_PYARROW = """
import sys
sys.modules["pyarrow"] = None
from freshqa.load import load
print(load(1, store=sys.argv[1]).to_json(orient="split"))
"""


def test_without_pyarrow_the_rows_are_read(store: Store, store_url: str) -> None:
    published(store, mixed(), 1)
    command = [sys.executable, "-c", WITHOUT_PYARROW, store_url]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert printed.strip() == load(1, store=store).to_json(orient="split")


def test_a_redaction_removes_the_columns_of_every_version_with_the_text(store: Store) -> None:
    rows = [*mixed(), SECRET]
    published(store, rows, 1)
    published(store, with_answer(rows, 0, "9"), 2)
    published(store, mixed(), 3)
    assert kinds(store) == [(1, ALL), (2, ADDED), (3, ADDED)]
    redact(store, SECRET.revision_hash, now=NOW, reason="request 7")
    kept = everything(store)
    assert PRIVATE not in kept
    assert "Åse Lund" not in kept
    for number in (1, 2, 3):
        assert not by_columns(store, number)  # 3 is read with the files before it
        assert_as_by_rows(store, number)
    assert [(version.status, version.redacted) for version in verify(store)] == [
        ("redacted", (SECRET.key,)),
        ("redacted", (SECRET.key,)),
        ("ok", ()),
    ]


def test_versions_after_a_redaction_have_columns_again_without_the_text(store: Store) -> None:
    published(store, [*mixed(), SECRET], 1)
    published(store, mixed(), 2)
    redact(store, SECRET.revision_hash, now=NOW, reason="request 7")
    rollback(store, 1, as_of=DAY, now=NOW)
    published(store, changed(mixed(), 3, "new"), 4)
    assert PRIVATE not in everything(store)
    assert kinds(store)[2:] == [(3, ALL), (4, ADDED)]
    for number in (3, 4):
        assert by_columns(store, number)
        assert_as_by_rows(store, number)
    assert [version.status for version in verify(store)] == ["redacted", "ok", "redacted", "ok"]


def replace_body(store: Store, body: bytes, packed: bytes | None = None) -> None:
    """Exchange the columns of version 1, as the owner of the database can."""
    stored = {"sha256": hashlib.sha256(body).hexdigest(), "size": len(body)}
    with store.write() as connection:
        drop_triggers(connection)
        connection.execute(update(artifact).values(body=body, **stored))
        if packed is not None:
            connection.execute(text("UPDATE fq_artifact SET body = :body"), {"body": packed})


def columns_of(store: Store) -> bytes:
    with store.read() as connection:
        query = select(artifact.c.body).where(artifact.c.kind.in_(KINDS))
        return bytes(connection.execute(query).scalar_one())


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (b"almanac.example", b"forgery.example", "Row 0 (q-"),
        (b"q-", b"Q-", "its columns differ from its text"),
        (b"\n", b" ", "Its columns cannot be read"),
    ],
)
def test_columns_that_differ_from_the_rows_are_corrupt(
    store: Store, old: bytes, new: bytes, problem: str
) -> None:
    published(store, sheet(SIZE), 1)
    replace_body(store, columns_of(store).replace(old, new, 1))
    (version,) = verify(store)
    assert version.status == "corrupt"
    assert problem in " ".join(version.problems)


def test_columns_in_another_order_are_corrupt(store: Store) -> None:
    published(store, sheet(SIZE), 1)
    body = columns_of(store)
    start = body.index(b"\n") + 1
    ids = [body[start + at : start + at + 8] for at in (0, 8)]
    replace_body(store, body[:start] + ids[1] + ids[0] + body[start + 16 :])
    (version,) = verify(store)
    assert version.problems == ("Its columns are in another order than its rows.",)


def test_a_damaged_column_file_is_reported_and_not_used(store: Store) -> None:
    rows = published(store, sheet(SIZE), 1)
    body = columns_of(store)
    replace_body(store, body, zlib.compress(body)[:-20])
    assert not by_columns(store, 1)
    assert_as_by_rows(store, 1)
    assert verify(store)[0].problems == ("The columns file does not fit its hash.",)
    published(store, with_answer(rows, 0, "9"), 2)
    assert kinds(store) == [(1, ALL), (2, ALL)]
    assert_as_by_rows(store, 2)
