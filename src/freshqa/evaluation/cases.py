"""Cases to judge: a response, its gold row, and reasons that make judging it hard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from freshqa.answering.batch import ENDS_ALL
from freshqa.dataset.question import Question
from freshqa.errors import FreshQAError
from freshqa.evaluation.freshness import marks
from freshqa.evaluation.judgement import Judge, Judgement, Mode, Verdict
from freshqa.evidence.injection import suspicious

SUSPICIOUS = "suspicious-response"


@dataclass(frozen=True)
class Gold:
    """The row that a response is graded against.

    Args:
        version: Number of the version it was read from.
        as_of: Date on which that version was right.
    """

    question: Question
    version: int
    as_of: date


@dataclass(frozen=True)
class Case:
    """One response with its gold answer.

    Args:
        gold: The row that it is graded against.
        response: The response; "" where there is none.
        responded_on: Its date, when it is known.
        problem: Why it cannot be judged; "" when it can.
    """

    gold: Gold
    response: str = ""
    responded_on: date | None = None
    problem: str = ""


def judge_case(case: Case, judge: Judge, *, mode: Mode) -> Judgement:
    """Judge one case; a case that cannot be judged is `unrated` with the reason, never incorrect.

    Raises:
        BudgetExhausted, QuotaExhausted, CredentialsError, UsageError: the next case would meet
            the same; every other failure of the judge leaves this case unrated.
    """
    if case.problem:
        judged = unrated(case, judge, mode, case.problem)
    else:
        try:
            judged = judge.judge(case.gold.question, case.response, mode=mode)
        except FreshQAError as failure:
            if failure.kind in ENDS_ALL:
                raise
            judged = unrated(case, judge, mode, f"the judge failed: {failure.message}")
    return replace(
        judged,
        gold_version=case.gold.version,
        gold_as_of=case.gold.as_of,
        responded_on=case.responded_on,
    )


def marked(
    judgements: Sequence[Judgement],
    golds: Mapping[str, Question],
    newest: Mapping[str, Question],
) -> tuple[Judgement, ...]:
    """Return the judgements with what a reader must know of each; see `Judgement.marks`.

    Args:
        golds: Key → the row that its responses were graded against.
        newest: Key → row of the newest version.
    """
    return tuple(
        replace(
            judged,
            marks=(
                *marks(
                    golds[judged.key],
                    gold_as_of=judged.gold_as_of,
                    responded_on=judged.responded_on,
                    newest=newest,
                ),
                *(f"{SUSPICIOUS}:{name}" for name in suspicious(judged.response)),
            ),
        )
        for judged in judgements
    )


def unrated(case: Case, judge: Judge, mode: Mode, comment: str) -> Judgement:
    """Return a judgement without a verdict, with the reason."""
    question = case.gold.question
    return Judgement(
        question=question.text,
        verdict=Verdict.unrated,
        mode=mode,
        judge=judge.name,
        comment=comment,
        response=case.response,
        key=question.key,
        gold=question.revision_hash,
    )
