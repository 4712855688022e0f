"""Which proposals are risky enough to need two decisions."""

from __future__ import annotations

from collections.abc import Collection

from freshqa.dataset.question import FactType, Question
from freshqa.maintaining.proposal import Outcome, Proposal

_FLIPS = (Outcome.premise_now_true, Outcome.premise_now_false)


def risky_classes(
    proposal: Proposal, row: Question, *, edited: Collection[str] = ()
) -> frozenset[str]:
    """Names, of `RISKY` in the settings, of the classes that a proposal belongs to.

    Args:
        edited: Columns that a reviewer has written.
    """
    touched = {*proposal.changes, *edited}
    classes = set()
    if proposal.outcome in _FLIPS or "false_premise" in touched:
        classes.add("premise")
    if row.fact_type == FactType.never_changing.value and touched - {"next_review"}:
        classes.add("never-changing")
    if touched & {"fact_type", "num_hops", "question", "split"}:
        classes.add("classification")
    return frozenset(classes)
