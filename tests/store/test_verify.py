"""Changes made outside the package are found, with their location."""

from __future__ import annotations

import pytest
from sqlalchemy import text
from store.sheet import DAY, NOW, WEEK, sheet, with_answer

from freshqa.errors import NotFound
from freshqa.store.database import Store
from freshqa.store.publishing import publish
from freshqa.store.upgrading import drop_triggers
from freshqa.store.verifying import verify


@pytest.fixture
def three(store: Store) -> Store:
    """Three versions; row 0 changes in the second, row 1 in the third."""
    questions = sheet()
    second = with_answer(questions, 0, "90")
    third = with_answer(second, 1, "91")
    for number, rows in enumerate((questions, second, third)):
        publish(
            store,
            rows,
            as_of=DAY + number * WEEK,
            now=NOW,
            parent=number or None,
            kind="import",
            original=f"file {number}".encode(),
        )
    return store


def tamper(store: Store, *statements: str) -> None:
    """What only the owner of the database can do."""
    with store.write() as connection:
        drop_triggers(connection)
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
        for statement in statements:
            connection.execute(text(statement))


def states(store: Store) -> list[str]:
    return [verified.status for verified in verify(store)]


def problems(store: Store) -> str:
    return " ".join(problem for verified in verify(store) for problem in verified.problems)


def test_unmodified_versions_verify(three: Store) -> None:
    assert states(three) == ["ok", "ok", "ok"]
    assert [verified.number for verified in verify(three, 2)] == [2]


def test_an_edited_answer_is_found_in_the_versions_that_hold_it(three: Store) -> None:
    tamper(three, "UPDATE fq_revision SET answer_0 = 'forged' WHERE answer_0 = '0'")
    assert states(three) == ["corrupt", "ok", "ok"]
    assert "Row 0 (q-" in problems(three)
    assert "the text does not fit its hash" in problems(three)


def test_swapped_rows_are_found(three: Store) -> None:
    swap = "UPDATE fq_member SET position = {to} WHERE version_id = 2 AND position = {at}"
    tamper(three, *(swap.format(at=at, to=to) for at, to in ((2, 99), (3, 2), (99, 3))))
    assert states(three) == ["ok", "corrupt", "ok"]
    assert "or their order" in problems(three)


def test_a_dropped_row_is_found(three: Store) -> None:
    tamper(three, "DELETE FROM fq_member WHERE version_id = 3 AND position = 5")
    assert states(three) == ["ok", "ok", "corrupt"]
    assert "It has 5 rows and was published with 6" in problems(three)


def test_a_row_replaced_by_an_older_revision_is_found(three: Store) -> None:
    old = "SELECT revision_id FROM fq_member WHERE version_id = 1 AND position = 0"
    tamper(
        three, f"UPDATE fq_member SET revision_id = ({old}) WHERE version_id = 2 AND position = 0"
    )
    assert states(three) == ["ok", "corrupt", "ok"]


def test_a_forged_date_or_key_is_found(three: Store) -> None:
    tamper(three, "UPDATE fq_version SET as_of = '2020-01-01' WHERE number = 3")
    assert states(three) == ["ok", "ok", "corrupt"]
    tamper(three, "UPDATE fq_question SET key = 'q-forged' WHERE id = 6")
    assert states(three) == ["corrupt", "corrupt", "corrupt"]
    assert "Its date, keys or history" in problems(three)


def test_a_consistently_forged_version_breaks_the_chain_of_later_versions(three: Store) -> None:
    """Forging the hashes of one version as well is detected through the next version."""
    tamper(three, "UPDATE fq_version SET chain_hash = content_hash WHERE number = 1")
    assert states(three) == ["corrupt", "corrupt", "ok"]


def test_a_changed_file_is_found(three: Store) -> None:
    tamper(three, "UPDATE fq_artifact SET sha256 = 'other' WHERE version_id = 1")
    body = "(SELECT body FROM (SELECT body FROM fq_artifact WHERE version_id = 3) AS b)"
    tamper(three, f"UPDATE fq_artifact SET body = {body} WHERE version_id = 2")
    assert states(three) == ["corrupt", "corrupt", "ok"]
    assert "The original file does not fit its hash" in problems(three)


def test_a_missing_version_cannot_be_verified(three: Store) -> None:
    with pytest.raises(NotFound, match="Version 4 not found"):
        verify(three, 4)
