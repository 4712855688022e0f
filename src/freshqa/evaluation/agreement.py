"""Agreement of raters: percent and Cohen's kappa, as table 2 of FreshLLMs with intervals.

Krippendorff's alpha beside it takes any number of raters and labels, and missing ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated

from pydantic import Field, computed_field

from freshqa.evaluation.judgement import Judgement, Mode, Verdict
from freshqa.evaluation.rate import Rate
from freshqa.evaluation.recorded import Verdicts
from freshqa.json_record import FLAT, JsonRecord, Share

OVERALL, VALID, FALSE = "overall", "valid premise", "false premise"
BOTH = "all"


@dataclass(frozen=True)
class Kappa(JsonRecord):
    """Agreement beyond chance.

    Args:
        rate: How often the two agree.
        expected: How often they would by chance, from how often each says `correct`.

    Without cases, or when both always say the same one word, chance explains everything and there
    is no kappa (None).
    """

    rate: Annotated[Rate, FLAT]
    expected: Annotated[float, Field(exclude=True)]

    @computed_field(alias="kappa")
    @property
    def value(self) -> Share | None:
        """Cohen's kappa, at most 1."""
        return self._beyond_chance(self.rate.value)

    @property
    def interval(self) -> tuple[float | None, float | None]:
        """95 % interval: the Wilson interval of the percentage at fixed chance.

        Cohen (1960) fixes chance too; Wilson keeps the interval open when all cases agree.
        """
        if self.value is None:
            return None, None
        return self._beyond_chance(self.rate.low), self._beyond_chance(self.rate.high)

    @computed_field(alias="kappa_low")
    @property
    def low(self) -> Share | None:
        """Lower end of `interval`."""
        return self.interval[0]

    @computed_field(alias="kappa_high")
    @property
    def high(self) -> Share | None:
        """Upper end of `interval`."""
        return self.interval[1]

    def _beyond_chance(self, share: float | None) -> float | None:
        if share is None or self.expected >= 1:
            return None
        return (share - self.expected) / (1 - self.expected)

    def __str__(self) -> str:
        low, high = self.interval
        if self.value is None or low is None or high is None:
            return "-"
        return f"{self.value:.2f} [{low:.2f}, {high:.2f}]"


@dataclass(frozen=True)
class Agreement(JsonRecord):
    """Two raters on one slice.

    Args:
        raters: Their names.
        mode: relaxed, strict, or `all` for both together.
        premise: overall, valid premise or false premise.
        kappa: The figures; `kappa.rate.left_out` counts cases that one of them left unrated.
        alpha: Krippendorff's alpha of the same cases; None where it is not defined.
    """

    raters: tuple[str, str]
    mode: str
    premise: str
    kappa: Annotated[Kappa, FLAT]
    alpha: Share | None = None


def agreements(raters: Sequence[Verdicts], *, false_premise: Collection[str]) -> list[Agreement]:
    """Return every pair of raters, in every mode both rated, on every premise.

    Args:
        raters: Two or more, with verdicts under the same keys.
        false_premise: Keys of the questions with a false premise.
    """
    table = []
    for rater, other in combinations(raters, 2):
        shared = [place for place in rater.by_question if place in other.by_question]
        modes = sorted({mode for mode, _ in shared}, key=list(Mode).index)
        for mode in [*(m.value for m in modes), *([BOTH] if len(modes) > 1 else [])]:
            for premise in (OVERALL, VALID, FALSE):
                places = [
                    place
                    for place in shared
                    if mode in (BOTH, place[0].value) and _on(premise, place[1] in false_premise)
                ]
                pairs = [(rater.by_question[p], other.by_question[p]) for p in places]
                alpha = krippendorff_alpha([[j.correct for j in pair if j.rated] for pair in pairs])
                table.append(
                    Agreement((rater.name, other.name), mode, premise, kappa(pairs), alpha)
                )
    return table


def kappa(pairs: Sequence[tuple[Judgement, Judgement]]) -> Kappa:
    """The agreement of paired verdicts; pairs with an unrated one are left out and counted."""
    rated = [(a.correct, b.correct) for a, b in pairs if a.rated and b.rated]
    n = len(rated)
    rate = Rate(sum(a == b for a, b in rated), n, len(pairs) - n)
    if not n:
        return Kappa(rate, 1.0)
    first, second = sum(a for a, _ in rated) / n, sum(b for _, b in rated) / n
    return Kappa(rate, first * second + (1 - first) * (1 - second))


def cohen_kappa(labels: Sequence[tuple[str, str]]) -> float | None:
    """Agreement beyond chance of two raters (Cohen 1960); None where it is not defined."""
    if not labels:
        return None
    number = len(labels)
    same = sum(left == right for left, right in labels) / number
    names = {name for pair in labels for name in pair}
    lefts, rights = [left for left, _ in labels], [right for _, right in labels]
    chance = sum(lefts.count(name) * rights.count(name) for name in names) / number**2
    return None if chance == 1 else (same - chance) / (1 - chance)


def krippendorff_alpha(units: Sequence[Sequence[Hashable]]) -> float | None:
    """Return Krippendorff's alpha for nominal labels, at most 1.

    Args:
        units: Per case the labels that it got, in any order; a case with fewer than two is left out.

    Returns:
        1 minus observed over expected disagreement (Krippendorff 2011, "Computing Krippendorff's
        Alpha-Reliability", C); None without cases, or when all labels are the same.
    """
    paired = [Counter(labels) for labels in units if len(labels) > 1]
    totals: Counter[Hashable] = Counter()
    observed = 0.0
    for labels in paired:
        totals += labels
        given = labels.total()
        observed += sum(n * (given - n) for n in labels.values()) / (given - 1)
    everything = totals.total()
    expected = sum(n * (everything - n) for n in totals.values())
    return 1 - (everything - 1) * observed / expected if expected else None


def disagreements(rater: Verdicts, other: Verdicts) -> list[tuple[Judgement, Judgement]]:
    """Return every case two raters judge differently, for people to look at."""
    shared = [place for place in rater.by_question if place in other.by_question]
    pairs = [(rater.by_question[place], other.by_question[place]) for place in shared]
    unrated = Verdict.unrated
    return [
        (a, b)
        for a, b in pairs
        if a.verdict is not b.verdict and unrated not in (a.verdict, b.verdict)
    ]


def _on(premise: str, is_false: bool) -> bool:
    return premise == OVERALL or (premise == FALSE) == is_false
