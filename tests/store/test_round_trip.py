"""Any text of a sheet round-trips, and its hash is the same everywhere."""

from __future__ import annotations

import itertools
import json
import unicodedata
from random import Random

import hypothesis.strategies as st
from hypothesis import HealthCheck, given, settings
from store.sheet import DAY, NOW, asked, sheet

from freshqa.dataset.question import FIELD_COLUMNS, Question
from freshqa.store.database import Store
from freshqa.store.publishing import publish
from freshqa.store.snapshots import snapshot
from freshqa.store.verifying import content_hash, verify
from freshqa.store.versions import head

TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=30)
ROW = st.dictionaries(st.sampled_from(FIELD_COLUMNS), TEXT, max_size=6)
NASTY = [
    "",
    " ",
    "N/A",
    "TRUE",
    "007",
    "1e5",
    "=1+1",
    "'",
    '"',
    "a\nb",
    "²½",
    "e\u0301",
    "😀",
    "%s",
    ":x",
    "\\",
]


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows=st.lists(ROW, max_size=8), order=st.randoms(use_true_random=False))
def test_any_text_round_trips(store: Store, rows: list[dict[str, str]], order: Random) -> None:
    questions = [Question(row, f"q-{number}") for number, row in enumerate(rows)]
    order.shuffle(questions)
    newest = head(store)
    version = publish(
        store,
        questions,
        as_of=DAY,
        now=NOW,
        parent=newest.number if newest else None,
        kind="import",
    )
    back = snapshot(store, version.number)
    assert back == tuple(questions)
    assert content_hash(back) == version.content_hash
    assert [verified.status for verified in verify(store, version.number)] == ["ok"]


def test_cells_with_unusual_characters_are_stored_in_nfc(store: Store) -> None:
    questions = [asked(f"Which? {number}", text, note=text) for number, text in enumerate(NASTY)]
    publish(store, questions, as_of=DAY, now=NOW, parent=None)
    back = snapshot(store, 1)
    assert [q.primary for q in back] == [unicodedata.normalize("NFC", text) for text in NASTY]


def test_the_content_hash_of_known_rows_never_changes() -> None:
    """A change of this value breaks every hash that users have published or cited."""
    rows = [asked("How many moons has planet 1?", "1"), asked("Naïve?", "a\r\nb", "½")]
    assert content_hash(rows) == "bb6bc203c9064a1877637fedb073f0226ab9c08d01234af84980f1253a77be34"


def test_the_content_hash_covers_cells_and_order_but_not_keys() -> None:
    base = sheet(4)
    seen = {content_hash(order) for order in itertools.permutations(base)}
    assert len(seen) == 24
    for column in FIELD_COLUMNS:
        seen.add(content_hash([base[0].with_changes({column: "other"}), *base[1:]]))
    assert len(seen) == 24 + len(FIELD_COLUMNS)
    assert content_hash([q.with_key("x") for q in base]) == content_hash(base)


def test_moving_text_between_cells_changes_the_hash() -> None:
    left = asked("Q?", "a|", "b")
    right = asked("Q?", "a", "|b")
    assert left.revision_hash != right.revision_hash
    assert json.dumps(dict(left.fields)) != json.dumps(dict(right.fields))
