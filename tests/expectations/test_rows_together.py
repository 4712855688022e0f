"""Alternatives and the primary answer, sibling questions, and text quoted by a source."""

from __future__ import annotations

import pytest

from freshqa.dataset.question import Question
from freshqa.facts.same_fact import is_replaced
from freshqa.maintaining.alternatives import contradicting, left_over
from freshqa.maintaining.siblings import sibling_premises, siblings
from freshqa.maintaining.source_quotes import quoted_text, quotes_only_old, supported


@pytest.mark.parametrize(
    ("primary", "alternative", "wrong"),
    [
        ("Apr 5, 2023", "04/15/2023", True),
        ("May 2024", "4/2024", True),
        ("93", "91 times", True),
        ("85%", "84", True),
        ("676 million", "676,728,782", False),
        ("8.0 billion", "8.1 billion", False),
        ("18", "nearly 19 years", False),
        ("49", "forty-nine", False),
        ("3:43.13", "3 minutes and 43 seconds", False),
        ("zero", "It was declared extinct by the union in 2022.", False),
        ("Mira Vale", "Captain Vale", False),
    ],
)
def test_alternatives_that_contradict_the_primary_answer_are_found(
    primary: str, alternative: str, wrong: bool
) -> None:
    assert contradicting(primary, [alternative]) == ((alternative,) if wrong else ())


@pytest.mark.parametrize(
    ("old", "new", "stale"),
    [
        (["April 2024", "4/2024"], ["May 2024", "4/2024"], ("4/2024",)),
        (["91", "91 times"], ["93", "91 times"], ("91 times",)),
        (["Dome A", "Dome A, Wend"], ["Dome B", "Dome A, Wend"], ("Dome A, Wend",)),
        (["Succession"], ["Succession (Season 4)", "Succession"], ()),
        (
            ["Mon, 4 March – Tue, 9 April", "4 March – 9 April"],
            ["Mon, 4 March 2024 – Tue, 9 April 2024", "4 March – 9 April"],
            (),
        ),
        (["Mira Vale", "Vale"], ["Mira Vale", "Vale"], ()),
        (["Mira Vale", "Vale"], ["Oren Dask", "Dask"], ()),
        ([], ["Oren Dask"], ()),
    ],
)
def test_alternatives_of_the_old_fact_are_found(
    old: list[str], new: list[str], stale: tuple[str, ...]
) -> None:
    assert left_over(old, new) == stale


def test_a_long_answer_in_other_words_is_not_replaced() -> None:
    old = "The Guild's current page does not mention anything about its captain."
    assert not is_replaced(old, old.replace("current page", "present page"))
    assert is_replaced(old, "Mira Vale has been the captain of the Guild since last year.")


def question(text: str, answer: str, **fields: str) -> Question:
    return Question({"question": text, "answer_0": answer, "false_premise": "FALSE", **fields})


def test_sibling_premises_are_compared_only_for_the_same_question_about_two_subjects() -> None:
    ongoing = "The show has not aired this year."
    voices = question("Who won Voices this year?", ongoing, false_premise="TRUE")
    idols = question("Who won Idols this year?", ongoing)
    other = question("How many seasons of Voices have aired this year?", ongoing)
    assert sibling_premises([voices, idols, other]) == [(0, 1)]


def test_siblings_have_the_same_answer_and_source_page() -> None:
    page = "https://example.org/guild"
    leader = question("Who leads the Guild?", "Mira Vale", source=f"{page}#:~:text=Mira")
    singer = question("Which singer runs the lantern makers' club?", "Mira Vale", source=page)
    elsewhere = question("Who wrote Tides?", "Mira Vale", source="https://example.org/tides")
    small = question("How many moons has Wend?", "2", source=page)
    double = question("How many suns has the sky of Wend?", "2", source=page)
    assert siblings([leader, singer, elsewhere, small, double]) == [(0, 1)]


def test_quoted_text_is_read_from_source_links() -> None:
    source = (
        "https://example.org/a#:~:text=Leader-,Mira%20Vale%2C%20captain,-Guild&text=since%202024"
    )
    assert quoted_text([source, "https://example.org/b"]) == (
        "Leader … Mira Vale, captain … Guild\nsince 2024"
    )
    assert quotes_only_old(["Mira Vale"], ["Oren Dask"], [source])
    assert not quotes_only_old(["Mira Vale"], ["Captain Vale", "Vale"], [source])
    assert not quotes_only_old(["Mira Vale"], ["Oren Dask"], ["https://example.org/b"])
    assert supported(["Oren Dask"], ["nothing", "the new leader is Oren Dask"])
    assert not supported(["Oren Dask"], ["Oren was a dask"])
