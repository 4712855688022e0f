"""Versions are found by number, tag and date; the latest is the default."""

from __future__ import annotations

from datetime import date

import pytest
from store.sheet import DAY, NOW, WEEK, sheet, with_answer

from freshqa.errors import Conflict, NotFound, UsageError
from freshqa.store.database import Store
from freshqa.store.publishing import publish
from freshqa.store.schema import tag as tags
from freshqa.store.versions import VersionInfo, find, head, log, tag


@pytest.fixture
def three(store: Store) -> list[VersionInfo]:
    """Versions for day 7, day 0 (an old sheet imported late) and day 14."""
    questions = sheet()
    return [
        publish(
            store,
            with_answer(questions, 0, str(number)),
            as_of=DAY + WEEK * weeks,
            now=NOW,
            parent=number or None,
            kind="import",
        )
        for number, weeks in enumerate((1, 0, 2))
    ]


def test_the_latest_version_is_the_default(store: Store, three: list[VersionInfo]) -> None:
    assert find(store) == head(store) == three[2]
    assert log(store) == tuple(reversed(three))


def test_as_of_selects_the_last_content_up_to_that_day(
    store: Store, three: list[VersionInfo]
) -> None:
    by_days = {
        days: find(store, as_of=DAY + WEEK * days / 7).number for days in (0, 6, 7, 13, 14, 999)
    }
    assert by_days == {0: 2, 6: 2, 7: 1, 13: 1, 14: 3, 999: 3}


def test_the_later_of_two_versions_for_a_day_counts(store: Store, three: list[VersionInfo]) -> None:
    publish(store, sheet(2), as_of=DAY, now=NOW, parent=3)
    assert find(store, as_of=DAY).number == 4


def test_a_missing_item_is_reported_with_the_available_ones(
    store: Store, three: list[VersionInfo]
) -> None:
    tag(store, "spring", 2, now=NOW)
    there = "versions 1 to 3 .as of 2026-03-09 to 2026-03-23., tags spring"
    with pytest.raises(NotFound, match=f"Version 4 not found; the store has {there}"):
        find(store, number=4)
    with pytest.raises(NotFound, match=f"Tag 'autumn' not found; the store has {there}"):
        find(store, tag="autumn")
    with pytest.raises(NotFound, match="Version as of 2020-01-01 not found"):
        find(store, as_of=date(2020, 1, 1))
    with pytest.raises(UsageError, match="Give only one"):
        find(store, number=1, tag="spring")


def test_an_empty_store_is_reported_with_the_command_to_begin(store: Store) -> None:
    assert head(store) is None
    assert log(store) == ()
    with pytest.raises(
        NotFound, match=r"The store has no version\. Import a release: prefect-freshqa import"
    ):
        find(store)


def test_a_tag_moves_only_with_the_move_option_and_every_move_is_recorded(
    store: Store, three: list[VersionInfo]
) -> None:
    assert tag(store, "spring", 1, now=NOW).tags == ("spring",)
    assert tag(store, "spring", 1, now=NOW).tags == ("spring",)
    with pytest.raises(Conflict, match=r"another version\. Move it with --move"):
        tag(store, "spring", 2, now=NOW)
    assert find(store, tag="spring").number == 1
    tag(store, "spring", 2, now=NOW, move=True)
    tag(store, "gold", 2, now=NOW)
    assert find(store, tag="spring").tags == ("gold", "spring")
    assert find(store, number=1).tags == ()
    tag(store, "spring", 1, now=NOW, move=True)
    assert find(store, tag="spring").number == 1
    with store.read() as connection:
        moves = connection.execute(tags.select().where(tags.c.name == "spring")).all()
    assert [row.move for row in moves] == [1, 2, 3]


def test_an_ambiguous_name_cannot_be_a_tag(store: Store, three: list[VersionInfo]) -> None:
    for name in ("latest", "7", "2026-03-09", "a b", "", "é", "-x", "a" * 101):
        with pytest.raises(UsageError, match="cannot be a tag"):
            tag(store, name, 1, now=NOW)


def test_a_tag_needs_a_version(store: Store) -> None:
    with pytest.raises(NotFound):
        tag(store, "spring", 1, now=NOW)
