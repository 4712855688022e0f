"""Memorisation against freshness: accuracy by whether the answer has changed.

A model that only remembers does well on facts that have not changed since it learnt them and gives the
former answer to those that moved. Both are counted here, against any earlier version.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from pydantic import Field

from freshqa.dataset.question import Question
from freshqa.evaluation.breakdown import by_key
from freshqa.evaluation.freshness import fact_changed
from freshqa.evaluation.golds import Measure
from freshqa.evaluation.judgement import Judgement, Mode, Verdict
from freshqa.evaluation.lexical import lexical_verdict
from freshqa.evaluation.rate import Rate
from freshqa.json_record import JsonRecord


@dataclass(frozen=True)
class Memory(JsonRecord):
    """One mode's accuracy by whether the answer has changed since an earlier version.

    Args:
        since_version, since: The earlier version and its date.
        changed, unchanged: Accuracy where the fact has changed since, and where it has not.
        added: Accuracy on questions that the earlier version does not hold.
        repeats: Of the responses to changed questions, those that hold the former answer and not
            the present one, by words; long answers and false premises are left out.
    """

    mode: Mode
    since_version: int
    since: date
    changed: Rate
    unchanged: Rate
    added: Rate
    repeats: Annotated[Rate, Field(serialization_alias="repeats_former_answer")]


def memory(
    judgements: Sequence[Judgement],
    questions: Mapping[str, Question],
    *,
    mode: Mode,
    since: Measure,
) -> Memory:
    """Split one mode's judgements by whether the answer has changed since an earlier version.

    Args:
        judgements: Of one run; those of the other mode are passed over.
        questions: Key → gold row of every judgement.
    """
    judged_by_key = by_key(judgements, mode=mode)
    groups: dict[str, list[Judgement]] = {"changed": [], "unchanged": [], "added": []}
    for key, judged in judged_by_key.items():
        former = since.rows.get(key)
        if former is None:
            groups["added"].append(judged)
        elif fact_changed(former, questions[key]):
            groups["changed"].append(judged)
        else:
            groups["unchanged"].append(judged)
    return Memory(
        mode=mode,
        since_version=since.version,
        since=since.as_of,
        changed=_accuracy(groups["changed"]),
        unchanged=_accuracy(groups["unchanged"]),
        added=_accuracy(groups["added"]),
        repeats=_repeats(groups["changed"], questions, since.rows),
    )


def _accuracy(judgements: Sequence[Judgement]) -> Rate:
    rated = [judged for judged in judgements if judged.rated]
    return Rate(sum(j.correct for j in rated), len(rated), len(judgements) - len(rated))


def _repeats(
    judgements: Sequence[Judgement],
    questions: Mapping[str, Question],
    former: Mapping[str, Question],
) -> Rate:
    repeated = []
    for judged in judgements:
        then, _ = lexical_verdict(former[judged.key], judged.response, mode=Mode.relaxed)
        now, _ = lexical_verdict(questions[judged.key], judged.response, mode=Mode.relaxed)
        if then is not Verdict.unrated:
            repeated.append(then is Verdict.correct and now is not Verdict.correct)
    return Rate(sum(repeated), len(repeated), len(judgements) - len(repeated))
