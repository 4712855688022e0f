"""The answer of a free sentence: taken from what it adds to the question."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from freshqa.checking.short_answer import short_answer
from freshqa.dataset.question import Question

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
    ],
)
def test_the_answer_of_a_sentence(asked: str, said: str, answer: str) -> None:
    assert short_answer(said, Question({"question": asked, "answer_0": "Vera Stroud"})) == answer


@pytest.mark.real_data
def test_of_128_right_replies_most_are_proposed_and_no_wrong_one(shared_data, monkeypatch) -> None:
    monkeypatch.setenv("FRESHQA_TEST_DATA", str(shared_data))
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import free_sentences

    counts = free_sentences.measure()
    assert sum(n for (correct, _), n in counts.items() if correct) == 128
    assert counts[True, "right"] >= 90
    assert counts[True, "wrong"] == counts[False, "wrong"] == 0
    sys.modules.pop("free_sentences")
