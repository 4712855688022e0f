"""What a learned policy looks at after a round."""

from __future__ import annotations

import math

from freshqa.checking.round import Round
from freshqa.dataset.question import FactType, Question

NAMES = (
    "bias",
    "round",
    "risk",
    "findings",
    "stored_share",
    "stored_domains",
    "proposed_domains",
    "agrees",
    "disagrees",
    "quoted",
    "guarded",
    "conflict",
    "answer_recall",
    "fast",
    "never",
)


def policy_features(
    one: Round, question: Question, risk: float, max_rounds: int
) -> tuple[float, ...]:
    """Numbers by the names of `NAMES`, each of the order of one.

    Args:
        one: The round.
        question: The stored row.
        risk: Probability that the stored answer is no longer right, given the round's evidence.
        max_rounds: Most rounds there may be.
    """
    stored, proposed = one.weighed.stored, one.weighed.proposed
    inside = min(0.999, max(0.001, risk))
    return (
        1.0,
        one.number / max_rounds,
        math.log(inside / (1.0 - inside)) / 3.0,
        stored.read / 10.0,
        len(stored.firm) / stored.read if stored.read else 0.0,
        math.log1p(len(stored.independent_domains)),
        math.log1p(len(proposed.independent_domains)),
        float(one.comparison.agrees is True),
        float(one.comparison.agrees is False),
        float(one.utility.quoted),
        float(all(guard.passed for guard in one.guards)),
        float(one.weighed.conflict),
        one.utility.answer_recall,
        float(question.fact_type == FactType.fast_changing.value),
        float(question.fact_type == FactType.never_changing.value),
    )
