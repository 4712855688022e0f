"""What a model knows without documents: RGB tests counterfactual robustness only on what it knows.

The paper (section 4.5) keeps models whose closed-book accuracy is above 70 %, and builds the false
documents from facts that the model answers rightly: only then can it notice that they are false.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from freshqa.evaluation.rate import Rate
from freshqa.evaluation.rgb.accuracy import AccuracyJudge
from freshqa.evaluation.rgb.probe import ProbeResult
from freshqa.evaluation.rgb.reader import Reader
from freshqa.evaluation.rgb.sampling import Mixture
from freshqa.evaluation.rgb.scoring import holds
from freshqa.evaluation.rgb.testbed import Item, Kind, Testbed

CLOSED_BOOK = Mixture(documents=0)
ABOVE = 0.7
"""Closed-book accuracy that a model has to exceed, as in the paper."""


class KnownFacts:
    """Determine and count the items that a model answers correctly from memory.

    Args:
        reader: The model; it is asked without documents.
        language: Of the items.
        judge: Reads whether an answer is right; by its words without one.
    """

    def __init__(
        self, reader: Reader, *, language: str = "en", judge: AccuracyJudge | None = None
    ) -> None:
        self._reader, self._language, self._judge = reader, language, judge
        self.asked = self.known = 0

    def __call__(self, item: Item) -> bool:
        """Return True when the model gives every part of the answer without documents.

        An unreadable verdict counts as not known.
        """
        reply = self._reader.read(item.query, (), language=self._language)
        if self._judge is None:
            knows = all(holds(part, reply.answer) for part in item.parts)
        else:
            knows = bool(self._judge.correct(item, reply.text))
        self.asked += 1
        self.known += knows
        return knows

    def to_json(self) -> dict[str, Any]:
        """Return how many questions were asked and how many the model knew."""
        return {"asked": self.asked, "known": self.known, "accuracy": _share(self.rate)}

    @property
    def rate(self) -> Rate:
        """Closed-book accuracy."""
        return Rate(self.known, self.asked)


def closed_book_gate(
    results: Sequence[ProbeResult], testbeds: Sequence[Testbed]
) -> Mapping[str, Any] | None:
    """Return whether the counterfactual figures count as the paper counts them.

    Returns:
        Accuracy without documents, and whether it is above the paper's limit; None where no
        counterfactual testbed was probed without documents.
    """
    counterfactual = {bed.name for bed in testbeds if bed.kind is Kind.counterfactual}
    rates = [
        result.rates["ACC"]
        for result in results
        if result.testbed in counterfactual and result.probe.mixture == CLOSED_BOOK
    ]
    if not rates:
        return None
    rate = Rate(
        sum(rate.hits for rate in rates),
        sum(rate.n for rate in rates),
        sum(rate.left_out for rate in rates),
    )
    passed = rate.value is not None and rate.value > ABOVE
    return {"accuracy": rate.to_json(), "above": ABOVE, "passed": passed}


def gate_note(gate: Mapping[str, Any]) -> str:
    """Describe the gate in one line."""
    rate = Rate.from_json(gate["accuracy"])
    limit = f"{100 * gate['above']:.0f} %"
    if gate["passed"]:
        return f"Without documents {rate} % are right, above the paper's {limit}."
    return (
        f"Without documents {rate} % are right, not above {limit}: the paper leaves such a model"
        " out of its counterfactual table."
    )


def _share(rate: Rate) -> float | None:
    return None if rate.value is None else round(rate.value, 4)
