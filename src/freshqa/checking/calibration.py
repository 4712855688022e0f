"""The confidence of a conclusion as a probability: logistic calibration, fitted on development rows.

`benchmarks/calibration.py` fits the weights in `calibration.json` and measures them on other rows.
The order of conclusions, on which certificates rest, is still that of `confidence` and `risk`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import cast

from freshqa.checking.risk import probability

_INSIDE = 0.001
BINS = 10


def kept_right(risk: float) -> float:
    """Return the probability that a stored answer that a check keeps is right, 0 to 1.

    Args:
        risk: Probability that it is no longer right, after the response was read.
    """
    weights = _weights()["kept"]
    return probability(weights["bias"] + weights["risk"] * log_odds(risk))


def proposed_right(risk: float, confidence: float) -> float:
    """Return the probability that an answer that a check proposes is right, 0 to 1.

    Args:
        risk: Probability that the stored answer is no longer right, after the response was read.
        confidence: As the check gives it, by independent sources.
    """
    weights = _weights()["proposed"]
    return probability(
        weights["bias"]
        + weights["risk"] * log_odds(risk)
        + weights["confidence"] * log_odds(confidence)
    )


def log_odds(chance: float) -> float:
    """Return a probability in log-odds, away from 0 and 1."""
    inside = min(1.0 - _INSIDE, max(_INSIDE, chance))
    return math.log(inside / (1.0 - inside))


def expected_calibration_error(said: Sequence[float], right: Sequence[bool]) -> float:
    """Return the mean gap between predicted and observed frequency, over bins of equal width."""
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(BINS)]
    for chance, came_true in zip(said, right, strict=True):
        bins[min(BINS - 1, int(chance * BINS))].append((chance, came_true))
    total = sum(
        abs(sum(chance for chance, _ in pairs) - sum(came_true for _, came_true in pairs))
        for pairs in bins
    )
    return total / len(said) if said else 0.0


@cache
def _weights() -> Mapping[str, Mapping[str, float]]:
    text = (files("freshqa.checking") / "calibration.json").read_text(encoding="utf-8")
    return cast(Mapping[str, Mapping[str, float]], json.loads(text))
