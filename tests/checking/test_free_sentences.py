"""The answer of a free sentence is what the sentence adds to the question."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from freshqa.checking.added_name import forms
from freshqa.checking.find_answer import find
from freshqa.checking.short_answer import short_answer
from freshqa.checking.support import support
from freshqa.dataset.question import Question
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.facts.verdicts import counts_none, stated_verdict

BENCHMARKS = Path(__file__).parent.parent.parent / "benchmarks"


@pytest.mark.parametrize(
    ("asked", "said", "answer"),
    [
        (
            "Who won the latest cup?",
            "The latest cup was won by the Orlune Rovers.",
            "Orlune Rovers",
        ),
        (
            "Which film is the newest of Ida Marsh?",
            'The newest film of Ida Marsh is "The Ash Heron," which opened in 2030.',
            "The Ash Heron",
        ),
        (
            "Which university is the best of Kell?",
            "Orlune University is the best university of Kell.",
            "Orlune University",
        ),
        ("Where was the fair held?", "The fair was held in Oslo.", "Oslo"),
        (
            "Who holds the record for the fastest song?",
            'Bo Butter holds the record for the fastest song with the song "Waffles".',
            "Bo Butter",
        ),
        (
            "Who won the Kell Award for the best song?",
            'The Kell Award for the best song was won by Ida Marsh for her song "Tight".',
            "Ida Marsh",
        ),
        ("What is the currency of Kell?", "The currency used in Kell is the orlu (ORL).", "orlu"),
        (
            "Which outbreak is the latest?",
            "The latest outbreak in Kell is kellpox, which came in 2030.",
            "kellpox",
        ),
        (
            "In what country was the current Miss Kell born?",
            "The current Miss Kell is Ida Marsh, who was born in Orlune.",
            "Orlune",
        ),
        (
            "Who won the latest Kell d'or?",
            "Bo Butter won the Kell d'Or for the eighth time.",
            "Bo Butter",
        ),
        (
            "Who is the richest person of Kell?",
            "Ida Marsh is the richest person of Kell, owning three ships and the Kell Herald.",
            "Ida Marsh",
        ),
        (
            "Which states joined Kell last?",
            "The states that joined Kell last are Orlune, Vesk, and Tarn.",
            "Orlune, Vesk, and Tarn",
        ),
        ("What club does Marsh play for?", "Ida Marsh plays for Kell United.", "Kell United"),
    ],
)
def test_the_short_answer_of_a_sentence_is_extracted(asked: str, said: str, answer: str) -> None:
    assert short_answer(said, Question({"question": asked, "answer_0": "Vera Stroud"})) == answer


@pytest.mark.parametrize(
    ("asked", "stored", "said", "answer"),
    [
        (
            "How many seats has the house?",
            "411",
            "It has 412 seats, including 31 spare seats.",
            "412 seats",
        ),
        ("How many children has Bo?", "3 (one was adopted)", "Bo Butter has 4 children now.", "4"),
        ("How old is Bo's daughter?", "11", "Bo's daughter, Ida Seven, is now 12 years old.", "12"),
        (
            "How many players have won five cups?",
            "2",
            "Bo Butter is the only player who has won five cups, with a total of seven medals.",
            "",
        ),
        ("How many books has Ida written?", "30 books", "Ida has written more than 31 books.", ""),
        ("How many books has Ida written?", "30 books", "Ida has not written any books.", "0"),
        ("How many people live on Kell?", "3", "No people live on Kell at the moment.", "0"),
        ("When is the next fair?", "2031", "The next fair after 2028 is in 2032.", "2032"),
        (
            "When did Bo sell it?",
            "It has not been sold.",
            "Bo sold it in December 2030.",
            "December 2030",
        ),
        ("Which series won?", "Tarn (Season 5)", 'The series that won was "Kell."', "Kell"),
        ("Is Kell on top of the cup?", "Yes", "Kell is not on the top of the cup table.", "No"),
        ("Is Kell on top of the cup?", "No", "Kell is currently on top of the cup.", "Yes"),
    ],
)
def test_the_extracted_answer_has_the_kind_the_question_asks_for(
    asked: str, stored: str, said: str, answer: str
) -> None:
    row = Question({"question": asked, "answer_0": stored, "false_premise": "FALSE"})
    assert short_answer(said, row) == answer.removesuffix(" seats")


@pytest.mark.parametrize(
    ("asked", "name", "shorter"),
    [
        ("Which franchise sells best?", "Kell franchise", "Kell"),
        ("Who chairs the club?", "Javi A. Reyes", "Javi Reyes"),
        ("What was the shortest war?", "Kell-Tarn War of 1896", "Kell-Tarn War"),
        ("Who won the latest prize?", "Norwegian author Jon Fosse", "Jon Fosse"),
        ("Who did Bo accuse of cheating?", "Ida Marsh of cheating", "Ida Marsh"),
    ],
)
def test_a_shorter_form_of_the_same_name_is_listed(asked: str, name: str, shorter: str) -> None:
    assert forms(name, asked)[0] == name
    assert shorter in forms(name, asked)


@pytest.mark.parametrize("name", ["University of Bath", "Prince of Wales", "Lisa from Kell"])
def test_a_part_of_a_name_is_a_different_name(name: str) -> None:
    assert forms(name, "Where is the next fair?") == (name,)


@pytest.mark.parametrize(
    "said",
    [
        "Kell was on top of the cup until May.",
        "Kell is not only on top of the cup.",
        "Tarn is on top of the cup.",
        "Kell may be on top of the cup.",
        "Kell is the former club on top of the cup.",
    ],
)
def test_a_limited_or_different_statement_is_neither_yes_nor_no(said: str) -> None:
    assert stated_verdict(said, "Is Kell on top of the cup?") == ""


@pytest.mark.parametrize(
    "said",
    ["No information is available.", "It has no more than 5 seats.", "There are no seats but 3."],
)
def test_the_word_no_is_not_always_the_number_zero(said: str) -> None:
    assert not counts_none(said, "How many seats are there?")


def test_a_list_is_supported_in_any_order_when_its_items_are_close_together() -> None:
    texts = (
        "Ida Marsh met Bo Butter.",
        "Ida Marsh won." + " Nothing else." * 9 + " Bo Butter lost.",
    )
    reports = [
        support("Bo Butter and Ida Marsh", [Evidence(EvidenceKind.organic, snippet=t)])
        for t in texts
    ]
    assert [bool(report.firm) for report in reports] == [True, False]


def test_a_bound_such_as_over_65_does_not_support_the_number() -> None:
    assert find("65 novels", "She wrote over 65 novels.") is None
    assert find("65 novels", "She wrote 65 novels.") is not None


@pytest.mark.real_data
def test_most_of_128_right_replies_and_no_wrong_ones_are_proposed(shared_data, monkeypatch) -> None:
    monkeypatch.setenv("FRESHQA_TEST_DATA", str(shared_data))
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import free_sentences

    counts = free_sentences.measure()
    assert sum(n for (correct, _), n in counts.items() if correct) == 128
    assert counts[True, "right"] >= 115
    assert counts[True, "wrong"] == counts[False, "wrong"] == 0
    quoted = free_sentences.measure(echo=True)
    assert quoted[True, "right"] >= 118
    assert quoted[True, "wrong"] <= 6
    sys.modules.pop("free_sentences")
