"""The paper's table for one run: accuracy in every column, with n and a 95 % Wilson interval."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from freshqa.dataset.question import Question
from freshqa.errors import BadData
from freshqa.evaluation.columns import COLUMNS, Column, unplaced
from freshqa.evaluation.judgement import Judgement, Mode
from freshqa.evaluation.rate import PairedDifference, Rate
from freshqa.json_record import FLAT, JsonRecord

MAX_NAMED = 5
"""How many questions are named for one reason; with more, as where a dataset lacks a whole column,
only the first is."""


@dataclass(frozen=True)
class Cell(JsonRecord):
    """One figure of the table; `rate.left_out` counts the unrated."""

    column: Annotated[Column, FLAT]
    rate: Annotated[Rate, FLAT]


@dataclass(frozen=True)
class Breakdown:
    """One row of the paper's table.

    Args:
        mode: relaxed or strict.
        cells: One per column, in the paper's order.
        unplaced: Questions that a group of columns does not count, and why.
    """

    mode: Mode
    cells: tuple[Cell, ...]
    unplaced: tuple[str, ...] = ()

    def cell(self, name: str) -> Rate:
        """Return the rate in the column of that name."""
        return next(cell.rate for cell in self.cells if cell.column.name == name)


@dataclass(frozen=True)
class Gap(JsonRecord):
    """Relaxed minus strict in one column, over responses with both verdicts.

    `difference.only_second` counts responses that strict mode credits and relaxed mode does not.
    Strict mode only adds conditions, so each of them is an error of the judge.
    """

    column: Annotated[Column, FLAT]
    difference: Annotated[PairedDifference, FLAT]


def breakdown(
    judgements: Sequence[Judgement], questions: Mapping[str, Question], *, mode: Mode | str
) -> Breakdown:
    """Count the judgements of one mode by column.

    Args:
        judgements: Of one run; those of the other mode are ignored.
        questions: Key → question of the version that was judged against.

    Raises:
        BadData: a judgement names a question that the version does not hold, or one twice.
    """
    mode = Mode(mode)
    judged_by_key = by_key(judgements, mode=mode)
    missing = [judged.question for key, judged in judged_by_key.items() if key not in questions]
    if missing:
        raise BadData(
            f"{len(missing)} judged questions are missing from this version; the first is {missing[0]!r}.",
            "Pass the version that the responses were judged against.",
        )
    cells = tuple(
        Cell(column, _rate([j for k, j in judged_by_key.items() if column.counts(questions[k])]))
        for column in COLUMNS
    )
    return Breakdown(mode, cells, _unplaced([questions[key] for key in judged_by_key]))


def _unplaced(questions: Sequence[Question]) -> tuple[str, ...]:
    """Why questions are in no column of a group: each by name, or many with one reason at once."""
    reasons: dict[str, list[str]] = {}
    for question in questions:
        reasons.setdefault(unplaced(question), []).append(question.text)
    reasons.pop("", None)
    said: list[str] = []
    for why, texts in reasons.items():
        if len(texts) > MAX_NAMED:
            said.append(f"{len(texts)} questions, such as {texts[0]!r}: {why}")
        else:
            said += [f"{text!r}: {why}" for text in texts]
    return tuple(said)


def by_key(judgements: Sequence[Judgement], *, mode: Mode) -> dict[str, Judgement]:
    """Return one mode's judgements by question key.

    Raises:
        BadData: a question was judged twice.
    """
    by_question: dict[str, Judgement] = {}
    for judged in judgements:
        if judged.mode is not mode:
            continue
        if judged.key in by_question:
            raise BadData(f"Judged twice in {mode.value} mode: {judged.question!r}.")
        by_question[judged.key] = judged
    return by_question


def hallucination_gap(
    judgements: Sequence[Judgement], questions: Mapping[str, Question]
) -> tuple[Gap, ...]:
    """Return relaxed minus strict accuracy in every column, paired: what hallucinations cost."""
    relaxed = by_key(judgements, mode=Mode.relaxed)
    strict = by_key(judgements, mode=Mode.strict)
    return tuple(
        Gap(column, paired(relaxed, strict, _keys(questions, column))) for column in COLUMNS
    )


def paired(
    first: Mapping[str, Judgement],
    second: Mapping[str, Judgement],
    keys: Collection[str],
) -> PairedDifference:
    """Compare two sets of judgements on those of the keys that both hold and rate."""
    both = [key for key in first if key in second and key in keys]
    rated = [key for key in both if first[key].rated and second[key].rated]
    return PairedDifference(
        only_first=sum(first[k].correct and not second[k].correct for k in rated),
        only_second=sum(second[k].correct and not first[k].correct for k in rated),
        n=len(rated),
        left_out=len(both) - len(rated),
    )


def _keys(questions: Mapping[str, Question], column: Column) -> set[str]:
    return {key for key, question in questions.items() if column.counts(question)}


def judge_errors(judgements: Sequence[Judgement]) -> tuple[str, ...]:
    """Return the questions that strict mode credits and relaxed mode does not: errors of the judge."""
    relaxed = by_key(judgements, mode=Mode.relaxed)
    strict = by_key(judgements, mode=Mode.strict)
    return tuple(
        judged.question
        for key, judged in strict.items()
        if judged.correct and key in relaxed and relaxed[key].rated and not relaxed[key].correct
    )


def _rate(judgements: Sequence[Judgement]) -> Rate:
    rated = [judged for judged in judgements if judged.rated]
    return Rate(sum(j.correct for j in rated), len(rated), len(judgements) - len(rated))
