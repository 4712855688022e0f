"""Triage without a model: how probable is it that a stored answer is no longer right?

Two logistic models: `prior` knows schedule and past, `evidence` adds what a search found to the
prior's score. Their weights were fitted on real transitions of the benchmark and are shipped in
`risk.json` with their origin; `benchmarks/triage.py` fits them anew.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from datetime import date
from enum import Enum
from functools import cache
from importlib.resources import files
from typing import cast

from freshqa.checking.change_rate import ChangeHistory
from freshqa.checking.risk_features import prior_features, support_features
from freshqa.dataset.question import Question
from freshqa.evidence.evidence import Evidence

_STEEPEST = 30.0


class Reading(str, Enum):
    """The effect of a method's response on the risk."""

    nothing = "nothing"  # no answer, or one that only repeats the search
    agrees = "agrees"  # it gives the stored answer
    other = "other"  # it gives another answer, which no evidence supports
    quoted = "quoted"  # it gives another answer, and evidence supports it


def prior_risk(question: Question, *, as_of: date, history: ChangeHistory | None = None) -> float:
    """Probability that the stored answer is no longer right, before any search, 0 to 1."""
    return probability(prior_score(question, as_of=as_of, history=history))


def risk(
    question: Question,
    evidence: Sequence[Evidence],
    history: ChangeHistory | None = None,
    *,
    as_of: date,
) -> float:
    """Probability that the stored answer is no longer right, given what a search found, 0 to 1.

    Args:
        evidence: Everything the search found; an empty result counts too.
        history: What is known of the question's past.
    """
    features = {
        "prior": prior_score(question, as_of=as_of, history=history),
        **support_features(question, evidence),
    }
    return probability(_score("evidence", features))


def after_reading(risk: float, reading: Reading) -> float:
    """Return the risk once a response has been read, 0 to 1."""
    odds = math.log(risk / (1.0 - risk)) if 0.0 < risk < 1.0 else math.copysign(_STEEPEST, risk - 1)
    return probability(odds + _weights()["reading"][reading.value])


def prior_score(question: Question, *, as_of: date, history: ChangeHistory | None) -> float:
    """`prior_risk` in log-odds."""
    return _score("prior", prior_features(question, as_of=as_of, history=history))


def probability(score: float) -> float:
    """Log-odds as a probability."""
    return 1.0 / (1.0 + math.exp(-max(-_STEEPEST, min(_STEEPEST, score))))


def _score(model: str, features: Mapping[str, float]) -> float:
    weights = _weights()[model]
    return weights["bias"] + sum(weights[name] * value for name, value in features.items())


@cache
def _weights() -> Mapping[str, Mapping[str, float]]:
    text = (files("freshqa.checking") / "risk.json").read_text(encoding="utf-8")
    return cast(Mapping[str, Mapping[str, float]], json.loads(text)["models"])
