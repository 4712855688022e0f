"""Where an answer occurs in a text: recorded cases and properties of any text."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freshqa.checking.find_answer import SupportKind, find
from freshqa.dates.forms import STANDARD
from freshqa.dates.mentions import find_dates, read_date
from freshqa.facts.tokens import fold, tokenise
from freshqa.maintaining.answer_forms import without_diacritics
from freshqa.number_words import in_words

CASES = json.loads((Path(__file__).parent / "find_cases.json").read_text(encoding="utf-8"))
WORDS = st.text(st.characters(categories=["Lu", "Ll"], max_codepoint=0x24F), min_size=2, max_size=9)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['answer']} in {case['text']}"[:60])
def test_each_case_is_read_as_recorded(case: dict[str, Any]) -> None:
    support = find(case["answer"], case["text"], question=case.get("question", ""))
    assert (support.kind.value if support else None) == case["kind"]
    if support:
        assert case["text"][support.start : support.end] == case["quote"]


@given(st.lists(WORDS, min_size=1, max_size=4), st.lists(WORDS, max_size=4), WORDS)
@settings(deadline=None)
def test_an_answer_contained_in_a_text_is_found(
    answer: list[str], before: list[str], after: str
) -> None:
    text = " ".join([*before, *answer, after])
    if tokenise(" ".join(answer)):
        support = find(" ".join(answer), text)
        assert support is not None and support.kind is SupportKind.exact


WRITTEN = "abcdeghinorstvwxyzABSTéñüçøÉŚ0123456789 .,'’-[]%$:/北京豈"


@given(st.text(WRITTEN, max_size=60))
@settings(deadline=None)
def test_case_and_diacritics_change_nothing(text: str) -> None:
    # "Type A", "AA-" and "S$" are written with these; tests/checking/test_facts.py has them
    plain = re.sub("[A$-]", " ", text)
    assert fold(plain.upper()) == fold(plain)
    assert fold(without_diacritics(plain)) == fold(plain)


@given(st.text(max_size=80))
@settings(deadline=None)
def test_every_token_and_date_lies_in_its_text(text: str) -> None:
    for token in tokenise(text):
        assert 0 <= token.start < token.end <= len(text)
    for mention in find_dates(text):
        assert 0 <= mention.start < mention.end <= len(text)


@given(st.integers(0, 100))
def test_a_small_number_in_words_is_the_number(value: int) -> None:
    (token,) = tokenise(in_words(value))
    assert token.value == Decimal(value)


@given(st.integers(0, 10**12))
def test_thousands_separators_change_nothing(value: int) -> None:
    assert fold(f"{value:,}") == fold(str(value)) == str(value)


@given(st.dates(date(1950, 1, 1), date(2049, 12, 31)), st.integers(0, 9), st.integers(0, 9))
def test_a_date_in_any_form_finds_the_same_date_in_every_other_form(
    day: date, left: int, right: int
) -> None:
    assert find(STANDARD[left](day), f"It is on {STANDARD[right](day)}.") is not None


@given(
    st.dates(date(1950, 1, 1), date(2049, 12, 31)), st.integers(1, 400), st.sampled_from([0, 1, 9])
)
def test_another_day_is_never_found(day: date, later: int, slot: int) -> None:
    other = day + timedelta(days=later)
    assert find(STANDARD[slot](day), f"It is on {STANDARD[0](other)}.") is None


def test_impossible_dates_are_not_read() -> None:
    assert find_dates("Feb 30, 2024") == []
    assert read_date("31/31/2024") is None
    assert read_date("maybe 2024") is None
