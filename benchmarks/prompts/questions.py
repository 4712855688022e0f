"""Recorded questions, stored as in November 2023, with the answers of March 2024 as gold."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.checking_data import LAST_RELEASE, Case, cases, releases
from freshqa.checking.find_answer import SupportKind, find
from freshqa.dataset.question import Question
from freshqa.dataset.wording import normalised_question
from freshqa.evidence.parsing import parse
from freshqa.facts.verdicts import is_verdict

STORED_RELEASE = "2023-11-13"


@dataclass(frozen=True)
class RecordedQuestion:
    """One stored row, its recorded search, and the row of the later release.

    Args:
        case: The row of 2023-11-13 with the search of 2024-03-13.
        gold: The row of 2024-03-11.
    """

    case: Case
    gold: Question

    @property
    def stored(self) -> Question:
        """The row that a refresh checks, with a key."""
        return self.case.question

    @property
    def text(self) -> str:
        """The question as it was searched."""
        return self.gold.text

    @property
    def stratum(self) -> tuple[str, bool]:
        """Fact type and premise."""
        return (self.stored.fact_type, self.stored.false_premise)

    @property
    def evidence_holds_answer(self) -> bool:
        """True when any finding of the page states a gold answer; never for premises and yes/no."""
        if self.gold.false_premise or is_verdict(self.gold.primary):
            return False
        texts = [finding.statement for finding in parse(self.case.search)]
        hits = (find(a, text, question=self.text) for a in self.gold.answers for text in texts)
        return any(hit is not None and hit.kind is not SupportKind.soft for hit in hits)


def recorded_questions() -> list[RecordedQuestion]:
    """Return every question recorded on 2024-03-13 that both releases hold."""
    now = {normalised_question(question.text): question for question in releases()[LAST_RELEASE]}
    recorded = []
    for case in cases((STORED_RELEASE,)):
        gold = now.get(normalised_question(case.search.query))
        if gold is not None:
            recorded.append(RecordedQuestion(case, gold.with_key(case.lineage)))
    return recorded


def choose(
    questions: Sequence[RecordedQuestion], limit: int, *, seed: int = 0
) -> list[RecordedQuestion]:
    """A stratified choice; a smaller limit with the same seed gives the start of a larger one.

    Changed and unchanged questions alternate while there are both; within each, fact types and
    premises keep their shares.
    """
    changed = _spread([q for q in questions if q.case.changed], seed)
    unchanged = _spread([q for q in questions if not q.case.changed], seed)
    order = [q for pair in zip(changed, unchanged) for q in pair]  # noqa: B905
    shorter = min(len(changed), len(unchanged))
    order += changed[shorter:] + unchanged[shorter:]
    return order[:limit]


def _spread(questions: Sequence[RecordedQuestion], seed: int) -> list[RecordedQuestion]:
    """Shuffled, every stratum spread evenly over the whole list."""
    strata: dict[tuple[str, bool], list[RecordedQuestion]] = defaultdict(list)
    for question in sorted(questions, key=lambda q: q.stored.key):
        strata[question.stratum].append(question)
    placed = []
    for name, members in sorted(strata.items()):
        random.Random(f"{seed} {name}").shuffle(members)
        placed += [((i + 0.5) / len(members), name, q) for i, q in enumerate(members)]
    return [q for _, _, q in sorted(placed, key=lambda entry: entry[:2])]
