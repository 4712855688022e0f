"""Agreement by words: certain or nothing, and the real changes that share a form with the old."""

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
def test_each_case_by_words_alone(case: dict[str, Any]) -> None:
    compared = compare(say(case, case["response"]), row(case))
    assert compared.agrees is case["agrees"]
    assert compared.new_form is case.get("new_form", False)
    assert compared.reason


@pytest.mark.parametrize("case", OVERLAPS, ids=lambda case: case["now"][:40])
def test_a_shared_form_does_not_hide_a_change(case: dict[str, Any]) -> None:
    for text in (case["now"], f"It is {case['now']}.", f"{case['now']}, as of today"):
        assert compare(say(case, text), row(case)).agrees is not True


def test_a_judge_is_asked_only_where_words_do_not_tell() -> None:
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


def test_no_judge_may_settle_lists_that_share_members() -> None:
    case = OVERLAPS[2]
    kind = compare(
        say(case, "Ken Jennings"), row(case), judge=lambda question, response: Equivalence(True)
    )
    assert (kind.agrees, kind.how) == (None, "lexical")


def test_a_judge_without_a_verdict_leaves_the_case_open() -> None:
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
