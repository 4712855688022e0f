"""Exact (Clopper–Pearson) bounds on a rate, in plain Python."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

_HALVINGS = 100


def upper_bound(errors: int, trials: int, delta: float) -> float:
    """Return the largest error rate that is not refuted at level `delta` by `errors` of `trials`.

    With probability 1 - delta the true rate is not above it, whatever it is. 1 without trials.

    Raises:
        ValueError: `errors` is not between 0 and `trials`, or `delta` not between 0 and 1.
    """
    _check(errors, trials, delta)
    if errors >= trials:
        return 1.0
    return _solve(lambda rate: _at_most(errors, trials, rate) - delta)


def lower_bound(errors: int, trials: int, delta: float) -> float:
    """Return the smallest error rate that is not refuted at level `delta`; 0 without errors.

    Raises:
        ValueError: As for `upper_bound`.
    """
    _check(errors, trials, delta)
    if errors == 0:
        return 0.0
    return _solve(lambda rate: delta - (1.0 - _at_most(errors - 1, trials, rate)))


def _check(errors: int, trials: int, delta: float) -> None:
    if not 0 <= errors <= trials:
        raise ValueError(f"{errors} errors in {trials} trials")
    if not 0.0 < delta < 1.0:
        raise ValueError(f"level {delta} is not between 0 and 1")


def _at_most(successes: int, trials: int, rate: float) -> float:
    """P(X <= successes) for a binomial X; summed in logarithms, so that it never underflows."""
    if rate <= 0.0:
        return 1.0
    if rate >= 1.0:
        return 0.0 if successes < trials else 1.0
    hit, miss = math.log(rate), math.log1p(-rate)
    terms = (
        ways + k * hit + (trials - k) * miss
        for k, ways in enumerate(_logarithms_of_ways(successes, trials))
    )
    return min(1.0, math.fsum(map(math.exp, terms)))


@lru_cache(maxsize=16)
def _logarithms_of_ways(successes: int, trials: int) -> tuple[float, ...]:
    """Logarithm of the number of ways to choose k of the trials, for k up to `successes`."""
    return tuple(
        math.lgamma(trials + 1) - math.lgamma(k + 1) - math.lgamma(trials - k + 1)
        for k in range(successes + 1)
    )


def _solve(falling: Callable[[float], float]) -> float:
    """Where a falling function of a rate crosses zero."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        if middle in (low, high):  # there is no number between them
            break
        if falling(middle) > 0.0:
            low = middle
        else:
            high = middle
    return high
