"""An answer of another kind than the question asks for is rejected."""

from __future__ import annotations

from dataclasses import replace

import pytest

from freshqa.answering.response import Response
from freshqa.checking.answer_kind import wanted_kind
from freshqa.checking.feedback import FeedbackCode
from freshqa.checking.round import verify
from freshqa.dataset.question import Question
from freshqa.evidence.evidence import Evidence, EvidenceKind

OTHER = [
    ("Is Lake Orl above 3550 feet?", "Yes", "3559.28", "yes or no"),
    ("Who is the mayor of Orl?", "Mira Vale", "Yes", "what the question asks for, not yes or no"),
    ("When is the next regatta?", "Feb 10, 2024", "2025", "a date with its month"),
    ("When is the next regatta?", "June 16", "2025", "a date with its month"),
    ("How long since the last eclipse?", "4 months", "2023", "how long or how old, not a year"),
    ("How old is the regent?", "23 years old", "2001", "how long or how old, not a year"),
    ("When does the fair start?", "Apr 5, 2023", "22", "a date with its month"),
    ("Who is the best-paid coach of the show?", "Mira Vale", "22", "a name, not a number"),
    ("What is the largest war since then?", "The war of the lakes", "1950–53", "a name, not a number"),
    ("When is the fair?", "Mar 22 – Apr 21", "March 10, 2024", "the first and the last day"),
    ("Who revealed the image of the Webb Telescope?", "Mira Vale", "Webb Telescope", "something that the question does not say itself"),
]  # fmt: skip
RIGHT = [
    ("Is Lake Orl above 3550 feet?", "Yes", "No, it is not"),
    ("Is Mira Vale a mother?", "She has never had a child.", "Yes"),
    ("When is the next regatta?", "2024", "2025"),
    ("When is the next regatta?", "Feb 10, 2024", "Feb 2025"),
    ("How many ships are there?", "1950", "2023"),
    ("How many ships are there?", "none", "3"),
    ("In which year was the bridge built?", "the year of the flood", "1950"),
    ("Which team leads the table?", "Schalke 04", "Hannover 96"),
    ("Which team leads the table?", "The Larks", "Hannover 96"),
    ("When is the fair?", "Mar 22 – Apr 21", "Mar 10 – Apr 9"),
    ("Who won, the Larks or the Owls?", "Larks", "Owls"),
    ("Which of the Owls and Larks won?", "Larks", "Owls"),
    ("Who is the mayor of Orl?", "Mira Vale", "Idris Quane"),
]


@pytest.mark.parametrize(("question", "stored", "answer", "wanted"), OTHER)
def test_an_answer_of_another_kind_is_rejected(
    question: str, stored: str, answer: str, wanted: str
) -> None:
    row = Question({"question": question, "answer_0": stored}, key="q")
    assert wanted_kind(answer, row) == wanted


@pytest.mark.parametrize(("question", "stored", "answer"), RIGHT)
def test_an_answer_of_the_requested_kind_is_accepted(
    question: str, stored: str, answer: str
) -> None:
    assert wanted_kind(answer, Question({"question": question, "answer_0": stored}, key="q")) == ""


def test_an_answer_of_another_kind_is_not_proposed_and_feedback_names_the_expected_kind() -> None:
    row = Question(
        {"question": "How many months since the last eclipse?", "answer_0": "4 months"}, key="q"
    )
    page = Evidence(EvidenceKind.organic, url="https://a.example/", snippet="The eclipse of 2023.")
    response = Response(row.text, "freshprompt", "2023", "2023", (page,))
    first_round = verify(1, response, row)
    (item,) = first_round.feedback
    assert (first_round.answer, item.code) == ("", FeedbackCode.other_kind)
    assert item.instruction == "Answer with how long or how old, not a year."
    assert verify(1, replace(response, answer="8 months"), row).feedback != first_round.feedback
