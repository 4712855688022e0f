"""Comparison of two runs: the difference, and whether it may be chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from freshqa.dataset.question import Question
from freshqa.errors import BadData
from freshqa.evaluation.breakdown import by_key, paired
from freshqa.evaluation.columns import COLUMNS, Column
from freshqa.evaluation.judgement import Judgement, Mode
from freshqa.evaluation.rate import PairedDifference
from freshqa.json_record import FLAT, JsonRecord


@dataclass(frozen=True)
class Compared(JsonRecord):
    """Two runs in one column, on the questions both were judged on."""

    mode: Mode
    column: Annotated[Column, FLAT]
    difference: Annotated[PairedDifference, FLAT]


def compare_runs(
    first: Sequence[Judgement], second: Sequence[Judgement], questions: Mapping[str, Question]
) -> tuple[Compared, ...]:
    """Return the exact McNemar test of two runs in every column, for every mode that both have.

    Args:
        first, second: Judgements of the two runs.
        questions: Key → question; a question that only one run has is not compared.

    Raises:
        BadData: the runs have no question and mode in common.
    """
    compared = []
    for mode in Mode:
        run, other = by_key(first, mode=mode), by_key(second, mode=mode)
        shared = [key for key in run if key in other and key in questions]
        if not shared:
            continue
        for column in COLUMNS:
            keys = {key for key in shared if column.counts(questions[key])}
            compared.append(Compared(mode, column, paired(run, other, keys)))
    if not compared:
        raise BadData(
            "The two runs share no question and mode.",
            "Compare runs of one mode over the same questions.",
        )
    return tuple(compared)


def golds_differ(first: Sequence[Judgement], second: Sequence[Judgement]) -> int:
    """Return how many shared questions the two runs judged against different rows.

    A difference between such runs may come from the gold and not from the responses.
    """
    earlier = {(judged.mode, judged.key): judged.gold for judged in first if judged.gold}
    return sum(
        bool(judged.gold) and earlier.get((judged.mode, judged.key), judged.gold) != judged.gold
        for judged in second
    )
