"""A share of cases with its 95 % Wilson interval."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, sqrt
from statistics import NormalDist

from pydantic import computed_field

from freshqa.json_record import JsonRecord, Share

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Rate(JsonRecord):
    """`hits` of `n` cases.

    Args:
        hits: Cases that count, at most `n`.
        n: Cases looked at.
        left_out: Cases without a result (unrated, failed): not part of the figures, but counted.

    With `n` = 0 there is no value (None) and the interval is all of 0 to 1: nothing is known.
    """

    hits: int
    n: int
    left_out: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.hits <= self.n or self.left_out < 0:
            raise ValueError(f"invalid rate: {self.hits} of {self.n}, {self.left_out} left out")

    @computed_field
    @property
    def value(self) -> Share | None:
        """The share, 0 to 1; None without cases."""
        return self.hits / self.n if self.n else None

    @computed_field
    @property
    def low(self) -> Share:
        """Lower end of the 95 % Wilson interval."""
        return wilson(self.hits, self.n)[0]

    @computed_field
    @property
    def high(self) -> Share:
        """Upper end of the 95 % Wilson interval."""
        return wilson(self.hits, self.n)[1]

    def __str__(self) -> str:
        if self.value is None:
            return "-"
        return f"{100 * self.value:.1f} [{100 * self.low:.1f}, {100 * self.high:.1f}]"


def wilson(hits: int, n: int, *, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Two-sided Wilson score interval of a share (Wilson 1927); (0, 1) without cases."""
    if n == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share, square = hits / n, z * z
    centre = (share + square / (2 * n)) / (1 + square / n)
    half = z / (1 + square / n) * sqrt(share * (1 - share) / n + square / (4 * n * n))
    low = 0.0 if hits == 0 else max(0.0, centre - half)
    high = 1.0 if hits == n else min(1.0, centre + half)
    return low, high


def mcnemar(only_first: int, only_second: int) -> float:
    """Two-sided exact McNemar test of two paired shares: the probability of a split this uneven.

    Args:
        only_first: Pairs in which only the first is right.
        only_second: Pairs in which only the second is right.

    Returns:
        The p value, 0 to 1; 1.0 when the two never differ.
    """
    n = only_first + only_second
    tail = sum(comb(n, k) for k in range(min(only_first, only_second) + 1))
    return min(1.0, 2 * tail / (1 << n))  # a division of integers, exact for any size


@dataclass(frozen=True)
class PairedDifference(JsonRecord):
    """The difference of two on the same cases.

    Args:
        only_first: Cases in which only the first is right.
        only_second: Cases in which only the second is right.
        n: Cases in which both were looked at.
        left_out: Cases in which one of them could not be: in no figure, but named.
    """

    only_first: int
    only_second: int
    n: int
    left_out: int = 0

    @computed_field(alias="difference")
    @property
    def value(self) -> Share | None:
        """Share of the first minus share of the second, -1 to 1; None without cases."""
        return (self.only_first - self.only_second) / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval (Agresti and Min 2005: half a case added to each cell); (-1, 1) without."""
        if not self.n:
            return -1.0, 1.0
        first, second, n = self.only_first + 0.5, self.only_second + 0.5, self.n + 2
        z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
        half = z * sqrt(first + second - (first - second) ** 2 / n) / n
        centre = (first - second) / n
        return max(-1.0, centre - half), min(1.0, centre + half)

    @computed_field
    @property
    def low(self) -> Share:
        """Lower end of `interval`."""
        return self.interval[0]

    @computed_field
    @property
    def high(self) -> Share:
        """Upper end of `interval`."""
        return self.interval[1]

    @computed_field
    @property
    def p_value(self) -> float:
        """Exact McNemar test of "no difference"."""
        return mcnemar(self.only_first, self.only_second)

    def __str__(self) -> str:
        if self.value is None:
            return "-"
        low, high = self.interval
        return f"{100 * self.value:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]"
