"""An abstention never confirms an answer, in any wording, for any question with a false premise."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from freshqa.answering.extraction import extract
from freshqa.answering.response import Response
from freshqa.checking.equivalence import Equivalence
from freshqa.checking.policy import State
from freshqa.checking.round import Move
from freshqa.dataset.question import Question
from freshqa.dataset.release import read_release
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.maintaining.proposal import Outcome
from freshqa.maintaining.recheck import CheckSettings, Helpers, recheck

DAY = date(2026, 3, 9)
HERE = Path(__file__).parent.parent / "answering"
ABSTENTIONS = [
    case["text"]
    for case in json.loads((HERE / "abstention_cases.json").read_text("utf-8"))
    if case["abstains"]
] + [
    case["reply"]
    for case in json.loads((HERE / "extraction_cases.json").read_text("utf-8"))
    if not case["answer"]
]
LABELS = ("", "\npremise: false", "\npremise: false\nshort answer: unknown")
ROWS = [
    Question(
        {
            "question": question,
            "false_premise": "TRUE",
            "fact_type": fact_type,
            "next_review": review,
            "effective_year": "before 2022",
            "answer_0": rebuttal,
        },
        key=f"q-{number:012d}",
    )
    for number, (question, rebuttal, fact_type, review) in enumerate(
        [
            ("Who was the third person on Mars?", "No one has been to Mars.", "slow", "N/A"),
            ("Who is the name of the Orlune killer?", "Unknown", "never", "N/A"),
            ("When did she marry?", "It is not known whether she married.", "fast", "every_time"),
            ("How many medals has Kell won?", "None", "slow", "occasionally"),
            ("Which fish won the vote?", "I don't know of any fish that won.", "never", "N/A"),
        ]
    )
]


class KeepsEverything:
    """A learned policy that keeps the stored answer whatever is said."""

    name = "keeps-everything"
    feedback = ""

    def decide(self, state: State) -> Move:
        return Move.keep


def agreeing_judge(question: Question, response: Response) -> Equivalence:
    return Equivalence(agrees=True, comment="The same fact.")


def outcome(row: Question, reply: str, **asked: object) -> Outcome:
    said = extract(reply, question=row.text)
    page = Evidence(EvidenceKind.organic, url="https://a.example/", snippet=row.primary)
    response = Response(
        row.text,
        "freshprompt",
        said.text,
        said.answer,
        (page,),
        premise_rejected=said.premise_rejected,
        premise_doubtful=said.premise_doubtful,
    )
    settings = CheckSettings(max_rounds=1)
    checked = recheck(row, as_of=DAY, ask=lambda told, prior: response, settings=settings, **asked)
    return checked.outcome


@pytest.mark.parametrize("row", ROWS, ids=[row.primary for row in ROWS])
def test_no_abstention_confirms_a_false_premise(row: Question) -> None:
    for text in ABSTENTIONS:
        for label in LABELS:
            assert outcome(row, text + label) is Outcome.insufficient, text + label


def test_an_abstention_confirms_nothing_with_a_judge_or_a_learned_policy() -> None:
    helpers = Helpers(policy=KeepsEverything())
    for row in ROWS:
        for text in ABSTENTIONS[::7]:
            assert outcome(row, text, judge=agreeing_judge) is Outcome.insufficient, text
            assert outcome(row, text, helpers=helpers) is Outcome.insufficient, text


@pytest.mark.real_data
def test_no_abstention_confirms_a_false_premise_of_a_real_release(shared_data: Path) -> None:
    release = read_release(shared_data / "freshqa" / "FreshQA_v03112024.csv")
    rows = [row.with_key("q") for row in release.questions if row.false_premise]
    assert len(rows) == 149
    for row in rows:
        for text in ABSTENTIONS:
            said = extract(text, question=row.text)
            assert (said.answer, said.premise_rejected) == ("", False), (row.text, text)
        assert outcome(row, ABSTENTIONS[0]) is Outcome.insufficient
