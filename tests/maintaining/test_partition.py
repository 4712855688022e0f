"""Batches start with the most urgent questions and are of even size."""

from __future__ import annotations

import pytest

from freshqa.maintaining.plan import partition


def test_every_worker_gets_the_most_urgent_questions_first() -> None:
    assert list(partition(range(10), 3, workers=2)) == [
        range(0, 6, 2),
        range(1, 6, 2),
        range(6, 10, 2),
        range(7, 10, 2),
    ]


@pytest.mark.parametrize("count", [0, 1, 2, 45, 299, 300, 301, 650])
def test_every_question_is_in_one_batch_and_batches_are_even(count: int) -> None:
    batches = list(partition(list(range(count)), 150, workers=2))
    assert sorted(number for batch in batches for number in batch) == list(range(count))
    assert all(1 <= len(batch) <= 150 for batch in batches)
    first, second = (sum(map(len, batches[hand::2])) for hand in range(2))
    assert 0 <= first - second <= (len(batches) + 1) // 2  # one a round
