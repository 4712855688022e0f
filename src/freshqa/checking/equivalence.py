"""The protocol of a judge: does a response agree with the stored answers?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from freshqa.answering.language_model import Completion
from freshqa.answering.response import Response
from freshqa.dataset.question import Question


@dataclass(frozen=True)
class Equivalence:
    """One verdict of a judge.

    Args:
        agrees: True or False, or None when the judge gave no usable verdict.
        comment: Its reasons, in its own words.
        completions: The calls it made, for the ledger and the budget.
    """

    agrees: bool | None
    comment: str = ""
    completions: tuple[Completion, ...] = ()


EquivalenceJudge = Callable[[Question, Response], Equivalence]
"""Judges a response with the question's stored answers as gold; FreshEval relaxed is one."""
