"""The gold row of each response: from one version, or from the version in force on its date."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from freshqa.dataset.question import Question
from freshqa.evaluation.cases import Case, Gold
from freshqa.evaluation.freshness import in_force
from freshqa.evaluation.responses import Paired


@dataclass(frozen=True)
class Measure:
    """A version to grade against.

    Args:
        as_of: Date on which it is right.
        rows: Key → row.
    """

    version: int
    as_of: date
    rows: Mapping[str, Question]

    def gold(self, key: str) -> Gold:
        """Return the row of a question that the version holds."""
        return Gold(self.rows[key], self.version, self.as_of)


ChooseGold = Callable[[Question, date | None], tuple[Gold, str]]
"""A question and the date of its response to its gold, and why that is none ("" when it is one)."""


def one_measure(measure: Measure) -> ChooseGold:
    """Return the choice that grades every response against the same version."""
    return lambda question, day: (measure.gold(question.key), "")


def measure_in_force(measures: Sequence[Measure]) -> ChooseGold:
    """Return the choice that grades each response against the version in force on its date."""
    dated = [(measure.version, measure.as_of) for measure in measures]
    by_number = {measure.version: measure for measure in measures}

    def choose(question: Question, day: date | None) -> tuple[Gold, str]:
        newest = max((m for m in measures if question.key in m.rows), key=lambda m: m.version)
        fallback = newest.gold(question.key)
        if day is None:
            return fallback, "the response tells no date"
        number = in_force(dated, day)
        if number is None:
            return fallback, f"no version describes {day}"
        if question.key not in by_number[number].rows:
            return fallback, f"version {number}, in force on {day}, does not hold the question"
        return by_number[number].gold(question.key), ""

    return choose


def cases_of(paired: Paired, choose: ChooseGold, *, day: date | None = None) -> tuple[Case, ...]:
    """Return the responses of a file as cases.

    Args:
        paired: The file beside the questions.
        choose: Picks the gold row.
        day: Date of the responses that do not tell theirs.
    """
    cases = []
    for question, given in paired.pairs:
        gold, problem = choose(question, given.responded_on or day)
        cases.append(Case(gold, given.text, given.responded_on or day, problem))
    for question, why in paired.unclear:
        gold, _ = choose(question, day)
        cases.append(Case(gold, problem=why))
    return tuple(cases)
