"""Comparison by words decides only certain cases, also if old and new answer share a form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from freshqa.answering.response import Response
from freshqa.checking.compare import compare
from freshqa.checking.equivalence import Equivalence
from freshqa.dataset.question import Question

HERE = Path(__file__).parent
OVERLAPS = json.loads((HERE / "overlap_cases.json").read_text(encoding="utf-8"))
CASES = json.loads((HERE / "agree_cases.json").read_text(encoding="utf-8"))


def row(case: dict[str, Any]) -> Question:
    answers = {f"answer_{slot}": text for slot, text in enumerate(case["stored"])}
    premise = "TRUE" if case.get("false_premise") else "FALSE"
    return Question({"question": case["question"], "false_premise": premise, **answers})


def say(case: dict[str, Any], text: str) -> Response:
    rejected = case.get("premise_rejected", False)
    return Response(case["question"], "freshprompt", text, text, premise_rejected=rejected)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["response"][:50])
def test_each_case_is_compared_as_recorded_without_a_judge(case: dict[str, Any]) -> None:
    compared = compare(say(case, case["response"]), row(case))
    assert compared.agrees is case["agrees"]
    assert compared.new_form is case.get("new_form", False)
    assert compared.reason


@pytest.mark.parametrize("case", OVERLAPS, ids=lambda case: case["now"][:40])
def test_an_answer_form_shared_by_old_and_new_does_not_hide_a_change(case: dict[str, Any]) -> None:
    for text in (case["now"], f"It is {case['now']}.", f"{case['now']}, as of today"):
        assert compare(say(case, text), row(case)).agrees is not True


def test_a_judge_is_asked_only_if_the_words_do_not_decide() -> None:
    asked: list[str] = []

    def judge(question: Question, response: Response) -> Equivalence:
        asked.append(response.answer)
        return Equivalence(True, "the same person")

    case = {"question": "Who wrote it?", "stored": ["Mark Twain"]}
    compared = compare(say(case, "Samuel Clemens"), row(case), judge=judge)
    assert (compared.agrees, compared.how, compared.new_form) == (True, "judge", True)
    assert compare(say(case, "Mark Twain"), row(case), judge=judge).how == "lexical"
    assert compare(say(case, ""), row(case), judge=judge).agrees is None
    assert asked == ["Samuel Clemens"]


PAPERS = Question(
    {
        "question": "How many papers did the assembly accept last year?",
        "answer_0": "701 papers (604 long and 97 short) were accepted.",
    }
)


@pytest.mark.parametrize(
    ("text", "agrees"),
    [
        ("As of May 2, 2026, 701 papers (604 long and 97 short) were accepted.", True),
        ("As of May 2, 2026, 701 papers (640 long and 61 short) were accepted.", None),
        ("Last year 604 papers were accepted.", None),
    ],
)
def test_a_stored_sentence_repeated_in_full_agrees(text: str, agrees: bool | None) -> None:
    short = "604" if "Last" in text else "701"
    assert compare(Response(PAPERS.text, "freshprompt", text, short), PAPERS).agrees is agrees


CHILDREN = Question(
    {"question": "How many children does Mira Vale have?", "answer_0": "Mira Vale does not have any children."}
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "short", "agrees"),
    [
        ("Mira Vale has no children.", "0", True),
        ("As of today, Mira Vale has never had children.", "none", True),
        ("Mira Vale has two children.", "2", None),
        ("The pages do not mention Idris Quane.", "0", None),
    ],
)
def test_two_denials_of_the_same_statement_agree(
    text: str, short: str, agrees: bool | None
) -> None:
    assert compare(Response(CHILDREN.text, "freshprompt", text, short), CHILDREN).agrees is agrees


def test_lists_that_share_members_are_not_decided_by_a_judge() -> None:
    case = OVERLAPS[2]
    kind = compare(
        say(case, "Ken Jennings"), row(case), judge=lambda question, response: Equivalence(True)
    )
    assert (kind.agrees, kind.how) == (None, "lexical")


def test_without_a_verdict_of_the_judge_the_comparison_stays_undecided() -> None:
    case = {"question": "Who wrote it?", "stored": ["Mark Twain"]}
    open_case = compare(
        say(case, "Samuel Clemens"), row(case), judge=lambda question, response: Equivalence(None)
    )
    assert open_case.agrees is None and not open_case.new_form


@pytest.mark.real_data
def test_on_real_transitions_no_changed_fact_agrees(shared_data: Path) -> None:
    path = shared_data / "truth" / "transitions_2023-11_to_2024-05.jsonl"
    wrong, same, kept = [], 0, 0
    for line in path.read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        case = {"question": pair["question"], "stored": pair["old_answers"]}
        now = pair["new_answers"][0]
        agrees = compare(say(case, now), row(case)).agrees
        if pair["answer_fact_changed"] and agrees:
            wrong.append((pair["question"], now))
        if pair["answer_kind"] == "answer_same":
            same, kept = same + 1, kept + (agrees is True)
    assert wrong == []
    assert same > 3000 and kept == same
