import pytest
from hypothesis import given
from hypothesis import strategies as st

from freshqa.evaluation.rate import PairedDifference, Rate, mcnemar, wilson


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        (48, 50, 0.865, 0.989),  # the paper's agreement of 96 % on 50 answers
        (0, 10, 0.0, 0.278),
        (10, 10, 0.722, 1.0),
        (81, 263, 0.2553, 0.3662),  # Newcombe 1998, table I, method 3
    ],
)
def test_wilson_intervals_equal_published_values(
    hits: int, n: int, low: float, high: float
) -> None:
    assert wilson(hits, n) == pytest.approx((low, high), abs=0.0005)


def test_a_rate_without_cases_has_no_value() -> None:
    nothing = Rate(0, 0, left_out=3)
    assert (nothing.value, nothing.low, nothing.high, str(nothing)) == (None, 0.0, 1.0, "-")


@given(st.integers(0, 400), st.integers(0, 400))
def test_the_interval_contains_the_rate(hits: int, more: int) -> None:
    rate = Rate(hits, hits + more)
    if rate.value is not None:
        assert 0 <= rate.low <= rate.value <= rate.high <= 1
    assert Rate.from_json(rate.to_json()) == rate


def test_more_hits_than_cases_is_refused() -> None:
    with pytest.raises(ValueError, match="invalid rate"):
        Rate(3, 2)


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [(0, 0, 1.0), (5, 5, 1.0), (0, 6, 0.03125), (9, 1, 0.021484375)],
)
def test_the_exact_mcnemar_test_equals_known_values(first: int, second: int, p: float) -> None:
    assert mcnemar(first, second) == pytest.approx(p, rel=0.01)
    assert mcnemar(second, first) == mcnemar(first, second)


def test_a_paired_difference_counts_both_directions() -> None:
    difference = PairedDifference(only_first=30, only_second=10, n=200)
    assert difference.value == pytest.approx(0.1)
    low, high = difference.interval
    assert 0.03 < low < 0.1 < high < 0.17
    assert str(PairedDifference(0, 0, 0)) == "-"
