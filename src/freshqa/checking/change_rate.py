"""How often a fact changes: a Gamma–Poisson estimate from its type and its own history.

Priors as measured on eleven intervals of real releases (2.43 years, corrections and rewordings
left out): changes per question and year are 1.86 (fast), 0.21 (slow), 0.017 (slow, false premise)
and 0.004 (never).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from freshqa.dataset.question import Question


@dataclass(frozen=True, slots=True)
class ChangeHistory:
    """The number of changes of a fact while it was watched.

    Args:
        changes: Confirmed changes of the fact; corrections and rewordings do not count.
        years: How long it has been watched, in years.
        last_checked: Date of the last check with a result, or None.
    """

    changes: int
    years: float
    last_checked: date | None = None


PRIORS = {
    "never-changing": (0.01, 2.5),
    "slow-changing": (0.30, 2.0),
    "fast-changing": (1.86, 1.0),
}
"""Fact type → shape and rate (changes, years) of the Gamma prior."""
_FALSE_PREMISE = (0.04, 2.4)


def change_rate(question: Question, history: ChangeHistory | None = None) -> float:
    """Changes to be expected per year: posterior mean `(a + changes) / (b + years)`."""
    shape, years = PRIORS.get(question.fact_type, PRIORS["slow-changing"])
    if question.false_premise and question.fact_type == "slow-changing":
        shape, years = _FALSE_PREMISE
    if history is None:
        return shape / years
    return (shape + history.changes) / (years + history.years)
