"""The judge against recorded verdicts: how often does a model agree with GPT-4's?

The recorded verdicts are relaxed ones on real FreshPrompt answers of June 2024, judged against the
release of 2024-03-11.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.checking_data import DATA, LAST_RELEASE, jsonl, releases
from freshqa.answering.language_model import LanguageModel
from freshqa.dataset.question import Question
from freshqa.errors import FreshQAError, NotFound
from freshqa.evaluation.fresheval import judge_response
from freshqa.evaluation.judgement import Mode, Verdict
from freshqa.evaluation.lexical import lexical_verdict

RECORDED = "gpt-3.5-turbo-1106_freshprompt_2024-06-07.jsonl"


@dataclass(frozen=True)
class RecordedVerdict:
    """A response with the verdict that was recorded for it."""

    question: Question
    response: str
    correct: bool


@dataclass(frozen=True)
class Judged:
    """A recorded verdict beside the model's and the lexical judge's."""

    recorded: RecordedVerdict
    verdict: Verdict
    lexical: Verdict
    replies: int
    seconds: float


def recorded_verdicts(limit: int, *, seed: int = 0) -> list[RecordedVerdict]:
    """A choice in which correct and incorrect responses alternate; a smaller one begins a larger."""
    rows = releases()[LAST_RELEASE]
    recorded_verdicts = [
        RecordedVerdict(
            rows[record["ques_id"]], record["final_answer"], record["accuracy"] == "Correct"
        )
        for record in jsonl(DATA / "labels" / RECORDED)
    ]
    random.Random(seed).shuffle(recorded_verdicts)
    right, wrong = ([v for v in recorded_verdicts if v.correct is kind] for kind in (True, False))
    return [v for pair in zip(right, wrong) for v in pair][:limit]  # noqa: B905


def judged(
    verdicts: list[RecordedVerdict], judge: LanguageModel, *, mode: Mode
) -> Iterator[Judged]:
    """Judge each response; what is not stored and cannot be asked is left out."""
    for recorded in verdicts:
        lexical, _ = lexical_verdict(recorded.question, recorded.response, mode=Mode.relaxed)
        try:
            judgement = judge_response(recorded.question, recorded.response, mode=mode, judge=judge)
        except NotFound:
            continue
        except FreshQAError:
            yield Judged(recorded, Verdict.unrated, lexical, 0, 0.0)
            continue
        if not judgement.completions:
            continue
        spent = sum(completion.seconds for completion in judgement.completions)
        yield Judged(recorded, judgement.verdict, lexical, len(judgement.completions), spent)
