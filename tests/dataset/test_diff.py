"""Differences between snapshots and their kinds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freshqa.dataset.diff import FieldDiff, diff_snapshots
from freshqa.dataset.question import Question

SNAPSHOTS = st.dictionaries(st.sampled_from("abcdef"), st.text("xyz", max_size=2), max_size=6)


def snapshot(cells: dict[str, str]) -> tuple[Question, ...]:
    return tuple(
        Question({"question": f"{key}?", "answer_0": cell}, key=key) for key, cell in cells.items()
    )


@given(SNAPSHOTS, SNAPSHOTS)
def test_every_row_is_added_removed_changed_or_the_same(
    old: dict[str, str], new: dict[str, str]
) -> None:
    diff = diff_snapshots(snapshot(old), snapshot(new))
    assert {q.key for q in diff.added} == new.keys() - old.keys()
    assert {q.key for q in diff.removed} == old.keys() - new.keys()
    changed = {change.key: change.fields for change in diff.changed}
    assert changed == {
        key: {"answer_0": FieldDiff(old[key], new[key])}
        for key in old.keys() & new.keys()
        if old[key] != new[key]
    }


def test_the_json_has_the_documented_keys(make: Any) -> None:
    old = (make("Who is the chief now?", "x", key="q-1"), make("B?", key="q-2"))
    new = (make("C?", key="q-3"), make("Who is the chief?", "y", key="q-1"))
    assert diff_snapshots(old, new).to_json() == {
        "added": [{"key": "q-3", "question": "C?"}],
        "removed": [{"key": "q-2", "question": "B?"}],
        "changed": [
            {
                "key": "q-1",
                "question": "Who is the chief?",
                "fields": {
                    "question": {"old": "Who is the chief now?", "new": "Who is the chief?"},
                    "answer_0": {"old": "x", "new": "y"},
                },
                "kinds": ["answer_changed", "question_reworded"],
            }
        ],
    }


@pytest.mark.parametrize(
    ("old", "new", "kinds"),
    [
        (("Liz Truss",), ("Rishi Sunak",), ("answer_changed",)),
        (("134 years", "134"), ("134", "134 years"), ("answer_reorder",)),
        (("49", "forty nine"), ("49", "forty-nine"), ("answer_format",)),
        (("Google Deepmind", "Google"), ("Google DeepMind", "Google"), ("answer_format",)),
        (("Nov 5, 2023", "x"), ("November 5, 2023", "x"), ("answer_format",)),
        (("19",), ("19", "19 years"), ("answer_alt_added",)),
        (("Lionel Messi", "Karim Benzema"), ("Lionel Messi",), ("answer_alt_removed",)),
        (("3 years", "3.5 years"), ("3 years", "nearly 4 years"), ("answer_alt_edited",)),
        (
            ("Mayim Bialik and Ken Jennings", "Ken Jennings and Mayim Bialik"),
            ("Ken Jennings",),
            ("answer_changed",),
        ),
        (("93", "91 times"), ("94", "91 times"), ("answer_changed", "stale_alternatives_kept")),
        (("May 2024", "5/2024"), ("June 2024", "6/2024"), ("answer_changed",)),
        (("x",), ("",), ("answer_changed",)),
    ],
)
def test_answer_changes_are_classified(
    old: tuple[str, ...], new: tuple[str, ...], kinds: tuple[str, ...], make: Any
) -> None:
    (change,) = diff_snapshots([make("A?", *old, key="q")], [make("A?", *new, key="q")]).changed
    assert change.kinds == kinds


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        (
            "The city has not hosted any games so far.",
            "The city has never yet hosted any games.",
            "answer_rewording",
        ),
        (
            "As of 2023, the band has only nine albums.",
            "As of 2024, the band has only nine albums.",
            "answer_detail",
        ),
    ],
)
def test_rebuttal_changes_are_classified(old: str, new: str, kind: str, make: Any) -> None:
    before, after = (make("A?", text, key="q", false_premise="TRUE") for text in (old, new))
    assert diff_snapshots([before], [after]).changed[0].kinds == (kind,)


def test_a_new_number_that_keeps_the_premise_false_is_classified(make: Any) -> None:
    old = make(
        "When did Kestrel release Engine 5?", "Engine 5 is not out.", key="q", false_premise="TRUE"
    )
    new = make(
        "When did Kestrel release Engine 6?", "Engine 6 is not out.", key="q", false_premise="TRUE"
    )
    (change,) = diff_snapshots([old], [new]).changed
    assert change.kinds == ("answer_follows_question", "question_premise_maintained")


def test_changes_of_other_columns_are_classified(make: Any) -> None:
    changes = {"split": "DEV", "effective_year": "2025", "next_review": "N/A", "false_premise": "TRUE",
               "num_hops": "multi-hop", "fact_type": "never-changing", "source": "N/A", "note": "x"}  # fmt: skip
    (change,) = diff_snapshots([make(key="q")], [make(key="q", **changes)]).changed
    assert change.kinds == (
        "split_change", "effective_year_change", "next_review_change", "false_premise_flip",
        "num_hops_change", "fact_type_change", "source_change", "note_change",
    )  # fmt: skip


@pytest.mark.real_data
def test_the_labelled_kinds_of_change_are_found_in_real_releases(benchmark: Any) -> None:
    result = benchmark("dataset_diff").measure()
    assert len(result.notes) <= 15
    for kind in (
        "answer_changed",
        "question_reworded",
        "false_premise_flip",
        "effective_year_change",
    ):
        assert result.agreed[kind] >= 0.99 * result.labelled[kind], kind
        assert result.detected[kind] <= 1.01 * result.labelled[kind] + 1, kind
