"""Time windows over versions: changed since a day, valid on a day."""

from __future__ import annotations

import pytest
from store.sheet import DAY, NOW, WEEK, asked, sheet, with_answer

from freshqa.dataset.selection import Selection
from freshqa.store.changes import selected
from freshqa.store.database import Store
from freshqa.store.publishing import publish
from freshqa.store.snapshots import snapshot


@pytest.fixture
def two_versions(store: Store) -> Store:
    """Version 2: planet 1 has another answer, planet 2 another source, and planet 9 is new."""
    first = sheet(4)
    publish(store, first, parent=None, as_of=DAY, now=NOW)
    second = with_answer(first, 1, "80")
    second[2] = second[2].with_changes({"source": "https://other.example/"})
    second.append(asked("How many moons has planet 9?", "9"))
    publish(store, second, parent=1, as_of=DAY + WEEK, now=NOW + WEEK)
    return store


def numbers(store: Store, selection: Selection) -> list[str]:
    rows = selected(store, 2, snapshot(store, 2), selection)
    return [question.text.split()[-1].rstrip("?") for question in rows]


@pytest.mark.parametrize("since", ["1", DAY.isoformat()])
def test_changed_since_keeps_new_questions_and_new_answers(two_versions: Store, since: str) -> None:
    assert numbers(two_versions, Selection(changed_since=since)) == ["1", "9"]


def test_valid_on_keeps_questions_whose_answer_has_not_changed_since(two_versions: Store) -> None:
    assert numbers(two_versions, Selection(valid_on=DAY)) == ["0", "2", "3"]
