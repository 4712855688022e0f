"""Wordings that decline to answer, or report errors in the documents, are classified."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from freshqa.answering.abstention import abstains
from freshqa.answering.error_report import answer_instead, reports_errors, without_report
from freshqa.answering.extraction import extract

HERE = Path(__file__).parent
CASES = json.loads((HERE / "abstention_cases.json").read_text("utf-8"))
REPORTS = json.loads((HERE / "error_report_cases.json").read_text("utf-8"))
ABSTENTIONS = [case["text"] for case in CASES if case["abstains"]]


@pytest.mark.parametrize("case", CASES, ids=[case["text"] for case in CASES])
def test_each_wording_is_classified_as_an_abstention_or_not(case) -> None:
    assert abstains(case["text"]) is case["abstains"]


@pytest.mark.parametrize("text", ABSTENTIONS)
def test_an_abstention_is_neither_an_answer_nor_a_rejection(text: str) -> None:
    for reply in (
        text,
        f"Based on the documents, {text}",
        (
            f"As of today March 13, 2024, the most up-to-date and relevant information regarding this"
            f" query is as follows. {text}"
        ),
        f"{text}\npremise: false\nshort answer: unknown",
        f"premise: false\nshort answer: {text}",
        f"The question contains a valid premise. {text}",
    ):
        extracted = extract(reply, question="Who won the third race?")
        assert (extracted.answer, extracted.premise_rejected) == ("", False), reply


@pytest.mark.parametrize("reply", ["premise: false", "**Premise:** false\n", "premise: invalid"])
def test_a_premise_label_alone_does_not_reject_the_premise(reply: str) -> None:
    assert extract(reply, question="Who won?").premise_rejected is False


@pytest.mark.parametrize(
    "sentence",
    [
        "The question contains a valid premise.",
        "Yes, the premise of the question is valid.",
        "The premise is valid.",
        "The question is valid.",
        "The question does not contain a false premise.",
    ],
)
def test_a_statement_about_the_premise_is_not_an_answer(sentence: str) -> None:
    assert extract(sentence, question="Who is the mayor?").answer == ""
    extracted = extract(f"{sentence} The mayor is Cleo Waffle.", question="Who is the mayor?")
    assert extracted.answer in ("The mayor is Cleo Waffle.", "the mayor is Cleo Waffle.")
    assert not extracted.premise_rejected


@pytest.mark.parametrize(
    "reply",
    [
        "The latest winner of the race is Max Verve.\npremise: false",
        "Max Verve\npremise: false\nshort answer: Max Verve",
        "premise: false\nshort answer: Max Verve",
    ],
)
def test_a_false_premise_label_with_an_ordinary_answer_marks_the_premise_doubtful(
    reply: str,
) -> None:
    extracted = extract(reply, question="Who is the latest winner of the race?")
    assert "Max Verve" in extracted.answer
    assert (extracted.premise_rejected, extracted.premise_doubtful) == (False, True)


def test_a_false_premise_label_with_a_rebuttal_rejects_the_premise() -> None:
    reply = "No third race was ever held.\npremise: false\nshort answer: There was no third race."
    extracted = extract(reply, question="Who won the third race?")
    assert (extracted.premise_rejected, extracted.premise_doubtful) == (True, False)


def test_a_reply_that_only_repeats_the_feedback_has_no_answer() -> None:
    told = "Read findings 2 and 3 again, and name the winner that they give."
    for reply in (told, "Read findings 2 and 3 again and name the winner they give."):
        assert extract(reply, question="Who won?", told=told).answer == ""
    assert extract(f"{told} Bo Butter won.", told=told).answer == "Bo Butter won"


@pytest.mark.parametrize("case", REPORTS, ids=[case["text"] for case in REPORTS])
def test_each_wording_is_classified_as_an_error_report_or_not(case) -> None:
    assert reports_errors(case["text"]) is case["reports"]


REPORTED = [
    case["text"].rstrip(".。") + ("." if case["text"].isascii() else "。")
    for case in REPORTS
    if case["reports"]
]


@pytest.mark.parametrize("report", REPORTED)
def test_an_answer_next_to_an_error_report_is_extracted(report: str) -> None:
    stem = report.rstrip(".。")
    for reply in (
        f"{report} The answer should be Paris.",
        f"{report} Paris",
        f"{stem}; the correct answer is Paris.",
        f"{stem}，正确答案是Paris。",
        f"{report} 正确的答案应该是Paris。",
        f"The answer is Paris. {report}",
        f"{report}\nThe actual answer to the question would be: Paris",
    ):
        extracted = extract(reply, question="Which city?")
        assert extracted.answer == "Paris", reply
        assert extracted.reports_errors and not extracted.premise_rejected


@pytest.mark.parametrize(
    "report",
    [
        "The documents contain no errors.",
        "There are no factual errors in the provided documents.",
        "The sources all agree.",
        "文档没有事实性错误。",
    ],
)
def test_an_answer_next_to_a_statement_that_nothing_is_wrong_is_extracted(report: str) -> None:
    for reply in (f"{report} Paris.", f"Paris. {report}"):
        extracted = extract(reply, question="Which city?")
        assert (extracted.answer, extracted.reports_errors) == ("Paris", False), reply


def test_an_error_report_alone_gives_an_empty_answer() -> None:
    for report in REPORTED:
        extracted = extract(report, question="Which city?")
        assert (extracted.answer, extracted.reports_errors) == ("", True)


def test_without_report_removes_only_the_error_report() -> None:
    assert without_report("The fair was held in Rome.") == "The fair was held in Rome."
    said = "The documents wrongly say Rome, but the fair was held in Oslo, Norway."
    assert without_report(said) == "the fair was held in Oslo, Norway."
    assert answer_instead("So the answer must be Oslo.") == "Oslo."
