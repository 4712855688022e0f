"""How much may change in one release, measured on seven real transitions.

Between the releases of 2023-11-13 and 2025-04-07, 1 to 45 weeks apart, questions matched by
wording. Share of questions whose primary answer was replaced:

| fact type | 1 week | 4 weeks | 4 weeks | 10.6 weeks | 45 weeks | allowed, w weeks |
|---|---|---|---|---|---|---|
| fast-changing | 0.130 | 0.175 | 0.182 | 0.425 | 0.743 | 0.12 + 0.035 w, at most 0.95 |
| slow-changing | 0.000 | 0.013 | 0.009 | 0.049 | 0.149 | 0.03 + 0.005 w, at most 0.30 |
| never-changing | 0.000 | 0.000 | 0.000 | 0.013 | 0.000 | 0.03 |

`python benchmarks/expectation_rules.py` measures them again.
"""

from __future__ import annotations

import math
from datetime import date

RATES = {
    "fast-changing": (0.12, 0.035, 0.95),
    "slow-changing": (0.03, 0.005, 0.30),
    "never-changing": (0.03, 0.0, 0.03),
}
"""Fact type → share at once, more per week, at most."""
DEVIATIONS = 3.0
"""Standard deviations that chance may add: a dataset of 20 questions is not one of 600."""
ENOUGH = 100
"""From so many questions of a type on, too large a share is an error: the rates were measured on
150 to 220. In a smaller dataset, which may be about livelier things, it is a warning."""
MIX = 0.02
"""How far the share of a fact type, split or flag may move; the largest real move is 0.005."""
RECLASSIFIED = 0.02
"""Share of questions given another type, flag or hops at once; the largest real one is 0.013."""


def replaced_share(fact_type: str, since: date | None, until: date, count: int) -> float:
    """Return the largest plausible share of replaced answers among `count` questions of a type.

    Args:
        since: Date of the base; None when it is not known, and then the ceiling counts.
        until: Date of the draft.
    """
    at_once, weekly, ceiling = RATES[fact_type]
    share = ceiling
    if since is not None:
        share = min(ceiling, at_once + weekly * max(0, (until - since).days) / 7)
    return min(1.0, share + DEVIATIONS * math.sqrt(share * (1 - share) / max(1, count)))


def mix_margin(count: int) -> float:
    """How far a share may move in a dataset of `count` questions; two of them may always."""
    return max(MIX, 2 / max(1, count))
