"""A seed selects the same rows everywhere, and stratified shares are within one row."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freshqa.dataset.question import Question
from freshqa.dataset.selection import Selection, allocate, select
from freshqa.errors import NothingToDo, UsageError

ROWS = tuple(
    Question(
        {
            "question": f"Question {number}?",
            "fact_type": ("never-changing", "slow-changing", "fast-changing")[number % 3],
            "num_hops": ("one-hop", "multi-hop")[number % 2],
            "false_premise": "TRUE" if number % 4 == 0 else "FALSE",
        },
        key=f"q-{number:03}",
    )
    for number in range(60)
)


def keys(selection: Selection, **window: object) -> list[str]:
    return [question.key for question in select(ROWS, selection, **window)]


def test_a_sample_is_the_same_rows_for_the_same_seed_in_any_order_of_the_version() -> None:
    drawn = keys(Selection(sample=5, seed=7))
    assert drawn == ["q-013", "q-023", "q-036", "q-045", "q-046"]
    backwards = select(ROWS[::-1], Selection(sample=5, seed=7))
    assert sorted(question.key for question in backwards) == drawn
    assert keys(Selection(sample=5, seed=8)) != drawn


def test_a_stratified_sample_keeps_the_shares() -> None:
    drawn = select(ROWS, Selection(sample=20, stratify=("fact_type", "num_hops")))
    counts = Counter((q.fact_type, q.fields["num_hops"]) for q in drawn)
    assert len(drawn) == 20 and set(counts.values()) == {3, 4}  # 20/6 = 3.33 of each


def test_types_and_time_windows_are_combined() -> None:
    assert keys(Selection(types=("false-premise",)), within={"q-004", "q-005"}) == ["q-004"]
    assert len(keys(Selection(types=("fast-changing", "slow-changing")))) == 40


def test_an_impossible_selection_is_refused() -> None:
    with pytest.raises(UsageError, match="--sample 61 exceeds the 60 matching questions"):
        keys(Selection(sample=61))
    with pytest.raises(NothingToDo, match="No question matches"):
        keys(Selection(types=("slow",)))
    with pytest.raises(UsageError, match="Unknown column 'colour'"):
        Selection(stratify=("colour",))
    with pytest.raises(UsageError, match="Invalid sample size 0"):
        Selection(sample=0)


@given(
    sizes=st.dictionaries(st.tuples(st.text(max_size=3)), st.integers(1, 500), min_size=1),
    share=st.floats(0, 1),
)
def test_the_share_of_every_stratum_is_within_one_row(
    sizes: dict[tuple[str, ...], int], share: float
) -> None:
    total = int(sum(sizes.values()) * share)
    shares = allocate(sizes, total)
    assert sum(shares.values()) == total
    for stratum, size in sizes.items():
        assert abs(shares[stratum] - total * size / sum(sizes.values())) < 1
        assert 0 <= shares[stratum] <= size


def test_only_options_that_are_set_are_described() -> None:
    assert not Selection()
    assert Selection(sample=3, stratify=("fact_type",)).to_json() == {
        "sample": 3,
        "stratify": ["fact_type"],
        "seed": 0,
    }
    assert Selection(types=("a", "b")).describe() == "types=a+b"
