"""Features of a round for learned policies."""

from __future__ import annotations

import math
from collections.abc import Sequence

from freshqa.checking.round import Round
from freshqa.checking.support import support
from freshqa.dataset.question import FactType, Question
from freshqa.evidence.evidence import Evidence

NAMES = tuple(
    (
        "bias round risk findings stored_share stored_domains proposed_domains agrees "
        "disagrees quoted guarded conflict answer_recall fast never unsearched unanswered"
    ).split()
)
LATER = 2
"""Names at the end that earlier versions did not log: their rounds were searched and answered."""


def policy_features(
    current: Round, question: Question, risk: float, max_rounds: int
) -> tuple[float, ...]:
    """Numbers by the names of `NAMES`, each of the order of one.

    Args:
        current: The round.
        risk: Probability that the stored answer is no longer right, given the round's evidence.
        max_rounds: Maximum number of rounds.
    """
    stored, proposed = current.weighed.stored, current.weighed.proposed
    return (
        1.0,
        current.number / max_rounds,
        _log_odds(risk),
        stored.read / 10.0,
        len(stored.firm) / stored.read if stored.read else 0.0,
        math.log1p(len(stored.independent_domains)),
        math.log1p(len(proposed.independent_domains)),
        float(current.comparison.agrees is True),
        float(current.comparison.agrees is False),
        float(current.utility.quoted),
        float(all(guard.passed for guard in current.guards)),
        float(current.weighed.conflict),
        current.utility.answer_recall,
        float(question.fact_type == FactType.fast_changing.value),
        float(question.fact_type == FactType.never_changing.value),
        float(not current.response.searches and not current.response.evidence),
        0.0,
    )


def acquisition_features(
    question: Question, evidence: Sequence[Evidence], risk: float, *, searched: bool
) -> tuple[float, ...]:
    """Return what is known before the first answer, by the names of `NAMES`.

    Args:
        evidence: What was found; nothing before the first search.
        risk: Probability that the stored answer is no longer right, given the evidence.
        searched: Whether there was a search.
    """
    stored = support(question.answers, evidence, question=question.text)
    known = {
        "bias": 1.0,
        "risk": _log_odds(risk),
        "findings": len(evidence) / 10.0,
        "stored_share": len(stored.firm) / stored.read if stored.read else 0.0,
        "stored_domains": math.log1p(len(stored.independent_domains)),
        "fast": float(question.fact_type == FactType.fast_changing.value),
        "never": float(question.fact_type == FactType.never_changing.value),
        "unsearched": float(not searched),
        "unanswered": 1.0,
    }
    return tuple(known.get(name, 0.0) for name in NAMES)


def risk_of(features: Sequence[float]) -> float:
    """Return the risk that a state was decided on, 0.001 to 0.999."""
    return 1.0 / (1.0 + math.exp(-3.0 * features[NAMES.index("risk")]))


def _log_odds(risk: float) -> float:
    inside = min(0.999, max(0.001, risk))
    return math.log(inside / (1.0 - inside)) / 3.0
