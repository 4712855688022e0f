"""A function that remembers its last call in each thread."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from freshqa.last_call import remembering_last


def test_the_same_call_is_made_once_and_another_one_again() -> None:
    calls: list[tuple[object, ...]] = []

    @remembering_last
    def total(numbers: list[int], *, more: int = 0) -> int:
        calls.append((*numbers, more))
        return sum(numbers) + more

    assert [total([1, 2]), total([1, 2]), total([1, 2], more=1), total([1, 2])] == [3, 3, 4, 3]
    assert calls == [(1, 2, 0), (1, 2, 1), (1, 2, 0)]


def test_a_call_without_arguments_is_made() -> None:
    assert remembering_last(lambda: 7)() == 7


def test_an_exception_is_not_remembered() -> None:
    calls: list[str] = []

    @remembering_last
    def length(text: str) -> int:
        calls.append(text)
        if not text:
            raise ValueError(text)
        return len(text)

    assert length("one") == 3
    for _ in range(2):
        with pytest.raises(ValueError):
            length("")
    assert length("one") == 3
    assert calls == ["one", "", ""]


def test_threads_do_not_see_one_another_s_calls() -> None:
    doubled = remembering_last(lambda number: 2 * number)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(doubled, list(range(50)) * 4)) == [2 * n for n in range(50)] * 4
