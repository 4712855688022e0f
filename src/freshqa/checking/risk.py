"""Triage without a model: how probable is it that a stored answer is no longer right?

Two logistic models with the same shape: one knows only schedule and past, the other also what the
search found. Coefficients were fitted on real transitions of the benchmark and are shipped in
`risk.json` together with their origin.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from importlib.resources import files
from typing import cast

from freshqa.checking.history import ChangeHistory
from freshqa.checking.risk_features import prior_features, support_features
from freshqa.dataset.question import Question
from freshqa.evidence.evidence import Evidence


def prior_risk(question: Question, *, as_of: date, history: ChangeHistory | None = None) -> float:
    """Probability that the stored answer is no longer right, before any search, 0 to 1."""
    return _logistic("prior", prior_features(question, history, as_of))


def risk(
    question: Question,
    evidence: Sequence[Evidence],
    history: ChangeHistory | None = None,
    *,
    as_of: date,
) -> float:
    """Probability that the stored answer is no longer right, given what a search found, 0 to 1."""
    features = {
        **prior_features(question, history, as_of),
        **support_features(question, evidence),
    }
    return _logistic("evidence", features)


def _logistic(model: str, features: Mapping[str, float]) -> float:
    weights = _coefficients()[model]
    score = weights["bias"] + sum(weights.get(name, 0.0) * x for name, x in features.items())
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, score))))


@cache
def _coefficients() -> Mapping[str, Mapping[str, float]]:
    text = (files("freshqa.checking") / "risk.json").read_text(encoding="utf-8")
    return cast(Mapping[str, Mapping[str, float]], json.loads(text)["models"])
