"""A published version reads back unchanged, in order, and never overwrites other work."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select
from store.sheet import DAY, NOW, WEEK, asked, sheet, with_answer

from freshqa.dataset.dialect import OFFICIAL
from freshqa.dataset.question import Question
from freshqa.errors import BadData, Conflict, NothingToDo
from freshqa.store import schema
from freshqa.store.database import Store
from freshqa.store.publishing import publish
from freshqa.store.snapshots import original, snapshot
from freshqa.store.verifying import content_hash
from freshqa.store.versions import find, head, log


def count(store: Store, table: str) -> int:
    with store.read() as connection:
        query = select(func.count()).select_from(schema.metadata.tables[table])
        return int(connection.execute(query).scalar_one())


def test_a_version_reads_back_as_it_was_published(store: Store) -> None:
    questions = sheet(600)
    version = publish(store, questions, as_of=DAY, now=NOW, parent=None, message="first", run="w1")
    assert snapshot(store, 1) == tuple(questions)
    assert version == find(store) == head(store)
    assert (version.number, version.parent, version.rows, version.as_of) == (1, None, 600, DAY)
    assert (version.published_at, version.message, version.run, version.kind) == (
        NOW,
        "first",
        "w1",
        "publish",
    )
    assert version.content_hash == content_hash(questions)


def test_only_changed_rows_make_revisions_and_renumbering_makes_none(store: Store) -> None:
    questions = sheet(50)
    publish(store, questions, as_of=DAY, now=NOW, parent=None)
    publish(store, with_answer(questions, 7, "77"), as_of=DAY, now=NOW, parent=1)
    assert count(store, "fq_revision") == 51
    shuffled = list(reversed(questions))
    publish(store, shuffled, as_of=DAY, now=NOW, parent=2)
    assert count(store, "fq_revision") == 51
    assert snapshot(store, 3) == tuple(shuffled)


def test_rows_are_removed_and_added_again(store: Store) -> None:
    questions = sheet(5)
    publish(store, questions, as_of=DAY, now=NOW, parent=None)
    fewer = [questions[0], questions[4], asked("Which comet came last?", "Oda")]
    publish(store, fewer, as_of=DAY + WEEK, now=NOW, parent=1)
    back = [*questions, fewer[2]]
    publish(store, back, as_of=DAY + 2 * WEEK, now=NOW, parent=2)
    assert [snapshot(store, n) for n in (1, 2, 3)] == [tuple(questions), tuple(fewer), tuple(back)]
    assert (count(store, "fq_question"), count(store, "fq_revision")) == (6, 6)


def test_publishing_the_same_rows_is_refused_except_by_an_import(store: Store) -> None:
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None)
    with pytest.raises(NothingToDo, match="Version 1 already contains exactly these rows"):
        publish(store, sheet(), as_of=DAY + WEEK, now=NOW, parent=1)
    again = publish(store, sheet(), as_of=DAY + WEEK, now=NOW, parent=1, kind="import")
    first, second = find(store, number=1), again
    assert first.content_hash == second.content_hash
    assert first.chain_hash != second.chain_hash


def test_publishing_on_an_outdated_version_is_refused(store: Store) -> None:
    questions = sheet()
    publish(store, questions, as_of=DAY, now=NOW, parent=None)
    publish(store, with_answer(questions, 0, "9"), as_of=DAY, now=NOW, parent=1)
    for parent in (None, 1, 3):
        with pytest.raises(Conflict, match="version 2 is the newest; nothing was written"):
            publish(store, with_answer(questions, 1, "9"), as_of=DAY, now=NOW, parent=parent)
    assert len(log(store)) == 2


def test_the_first_version_has_no_parent(store: Store) -> None:
    with pytest.raises(Conflict, match="the store is empty"):
        publish(store, sheet(), as_of=DAY, now=NOW, parent=1)


BAD_ROWS = {
    "Row 2 .* has no key": Question({"question": "Who?"}),
    "Row 2 .* has the key .* of row 0": sheet()[0],
    "Row 2 .*column question: a NUL": asked("Who\0?", "A"),
    "Row 2 .*column answer_0: an unpaired surrogate character": asked("Who?", "\ud83d"),
}


def test_a_row_that_the_database_cannot_store_is_named(store: Store) -> None:
    for said, bad in BAD_ROWS.items():
        with pytest.raises(BadData, match=said):
            publish(store, [*sheet(2), bad], as_of=DAY, now=NOW, parent=None)
    assert log(store) == ()


def test_the_imported_file_and_its_dialect_are_kept(store: Store) -> None:
    body = b"\xef\xbb\xbfid,split\r\n" * 100
    publish(
        store,
        sheet(),
        as_of=DAY,
        now=NOW,
        parent=None,
        kind="import",
        dialect=OFFICIAL,
        original=body,
    )
    publish(store, sheet(3), as_of=DAY, now=NOW, parent=1)
    assert original(store, 1) == body
    assert original(store, 2) is None
    assert (find(store, number=1).dialect, find(store, number=2).dialect) == (OFFICIAL, None)


def test_datasets_in_one_database_do_not_see_each_other(store: Store, store_url: str) -> None:
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None)
    other = Store.open(store_url, dataset="weather", create=True)
    assert head(other) is None
    publish(other, sheet(2), as_of=DAY, now=NOW, parent=None)
    assert (head(store).rows, head(other).rows) == (6, 2)
    other.close()


def test_an_empty_version_can_be_published(store: Store) -> None:
    publish(store, sheet(2), as_of=DAY, now=NOW, parent=None)
    publish(store, [], as_of=DAY, now=NOW, parent=1)
    assert snapshot(store, 2) == ()
