"""Exact (Clopper–Pearson) bounds on a rate, in plain Python."""

from __future__ import annotations

import math
from collections.abc import Callable

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
    terms = (
        math.lgamma(trials + 1)
        - math.lgamma(k + 1)
        - math.lgamma(trials - k + 1)
        + k * math.log(rate)
        + (trials - k) * math.log1p(-rate)
        for k in range(successes + 1)
    )
    return min(1.0, math.fsum(math.exp(term) for term in terms))


def _solve(falling: Callable[[float], float]) -> float:
    """Where a falling function of a rate crosses zero."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        if falling(middle) > 0.0:
            low = middle
        else:
            high = middle
    return high
