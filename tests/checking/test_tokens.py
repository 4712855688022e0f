"""The short way of reading plain texts gives the tokens of the long way."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from freshqa.dataset.wording import normalised_question
from freshqa.facts.tokens import any_tokens, simple_tokens

PARTS = (
    "a A an the Type Mira Vale's M. 5 007 1,000 3.5 12 th 5th 2nd million Million dozen twenty two second"
    " minus negative USD usd $5 $ -5 C++ F16 half point and rs yes No, (x) 1/2 10^6 % km 4B é ’"
).split()


@given(st.lists(st.sampled_from(PARTS), max_size=6), st.sampled_from([" ", ", ", ". ", "  ", "-"]))
@example(["A", "Vale"], " ")
@example(["Type", "A"], " ")
@example(["5", "million"], " ")
@example(["5", "usd"], " ")
def test_the_short_and_the_long_way_give_equal_tokens(parts: list[str], between: str) -> None:
    for end in ("", ".", "?"):
        text = between.join(parts) + end
        assert simple_tokens(text) in (None, any_tokens(text))


@given(st.text(alphabet="aAzM09 ,.;:?", max_size=20))
def test_any_plain_text_gives_equal_tokens_both_ways(text: str) -> None:
    assert simple_tokens(text) in (None, any_tokens(text))


@pytest.mark.parametrize("text", ["Mira Vale", "M. Vale 5", "May 2024", "93 times.", "Who is it?"])
def test_most_answers_are_read_the_short_way(text: str) -> None:
    assert simple_tokens(text) == any_tokens(text) != ()


@given(st.text(alphabet="aZ09 ,?'", max_size=20))
def test_a_plain_wording_is_split_into_its_words(text: str) -> None:
    words = "".join(char if char.isalnum() else " " for char in text.casefold()).split()
    assert normalised_question(text) == " ".join(words)
