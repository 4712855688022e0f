"""Is it the same fact? What carries meaning is kept, what does not is folded away."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freshqa.answering.response import Response
from freshqa.checking.compare import compare_words
from freshqa.checking.facts import Relation, contains, relation
from freshqa.checking.find import SupportKind, find
from freshqa.checking.tokens import fold, tokenise
from freshqa.dataset.question import Question
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.maintaining.proposal import Outcome
from freshqa.maintaining.recheck import CheckSettings, recheck

OTHER_FACTS = [
    ("-0.4%", "0.4%"),
    ("−3 °C", "3 °C"),
    ("-$20", "$20"),
    ("+7", "7"),
    ("<12", ">12"),
    ("≤ 12", "≥ 12"),
    ("<12", "12"),
    ("~12", "12"),
    ("±12", "12"),
    ("40+", "40"),
    ("BB+", "BB-"),
    ("BB+", "BB"),
    ("B−", "B"),
    ("F#", "F"),
    ("F++", "F#"),
    ("Kell+", "Kell"),
    ("A*", "A"),
    ("€30", "$30"),
    ("30 euros", "30 pounds"),
    ("¥30", "$30"),
    ("A$30", "$30"),
    ("30 °C", "30 °F"),
    ("30%", "30"),
    ("30‰", "30%"),
    ("7½", "7"),
    ("7 1/2", "7"),
    ("7¼", "7½"),
    ("10⁴", "10"),
    ("10^4", "104"),
    ("m³", "m"),
    ("CO₂", "CO"),
    (".7", "7"),
    ("No", "No. 9"),
    ("No", "No 9"),
    ("Yes", "Yes, but only in summer"),
    ("Yes", "Yes, until 2031"),
    ("Yes", "Yes, unless it rains"),
    ("Yes", "Yes. However, it is closed in winter."),
    ("No", "No, except on Sundays"),
    ("Yes", "Yes, it is not closed"),
    ("Plan A", "Plan"),
    ("Plan A", "Plan B"),
    ("Vitamin A", "Vitamin"),
    ("not Mira Tolland", "Mira Tolland"),
    ("Either Mira Tolland or Idris Quane", "Mira Tolland"),
    ("neither Mira Tolland", "Mira Tolland"),
    ("Orl-4", "Orl-4o"),
    ("1980s", "1980"),
    ("two and a half", "two"),
    ("3rd", "3"),
    ("मी", "मा"),
    ("กา", "กี"),
    ("ကား", "ကီး"),
    ("がく", "かく"),
]
SAME_FACTS = [
    ("-0.4%", "−0.4 %"),
    ("-3", "minus 3"),
    ("-3", "–3"),
    ("-$20", "$-20"),
    ("< 12", "<12"),
    ("<= 12", "≤12"),
    ("7½", "7.5"),
    ("7 1/2", "7½"),
    ("Bahnhof Süd 5/7", "Bahnhof Sud 5/7"),
    (".7", "0.7"),
    ("10⁴", "10,000"),
    ("3 × 10⁵", "300,000"),
    ("１２％", "12%"),
    ("12\u00a0km", "12km"),
    ("12\u202f000", "12,000"),
    ("F♯", "F#"),
    ("BB−", "BB-"),
    ("Ｃ＋＋", "C++"),
    ("CO₂", "CO2"),
    ("5℃", "5 °C"),
    ("US$30", "$30"),
    ("$30", "30 dollars"),
    ("30 EUR", "€30"),
    ("Yes", "Yes, it is open."),
    ("No", "No. It was closed in 2031."),
    ("The Plan", "Plan"),
    ("Jan 5, 2031", "January 5, 2031"),
    ("cafe\u0301 Zo\u00eb", "Café Zoe"),
    ("Mira\u200b Tolland", "Mira Tolland"),
]


@pytest.mark.parametrize(("one", "other"), OTHER_FACTS)
def test_what_carries_meaning_makes_another_fact(one: str, other: str) -> None:
    assert relation(one, other) in (Relation.different, Relation.unclear)
    assert relation(other, one) is relation(one, other)
    assert not contains(one, other) or "+" in one


@pytest.mark.parametrize(("one", "other"), SAME_FACTS)
def test_how_it_is_typed_makes_no_other_fact(one: str, other: str) -> None:
    assert relation(one, other) is Relation.same
    assert relation(other, one) is Relation.same


@pytest.mark.parametrize(("one", "other"), OTHER_FACTS)
def test_a_page_with_the_one_does_not_hold_the_other(one: str, other: str) -> None:
    if one[-1:] in "%‰" or one == "3rd" or other in ("Yes", "No"):
        return  # a bare number stands in "30%", a place in "3"; verdicts have their own test
    found = find(one, f"It says: {other}.")
    assert found is None or found.kind is SupportKind.soft


def test_a_verdict_is_held_only_where_a_sentence_opens_with_it() -> None:
    assert find("Yes", "Is it open? Yes, it is.") is not None
    assert find("No", "No. 9 is open.") is None
    assert find("No", "There is no doubt.") is None
    assert find("Yes", "Yes, but only until 2031.") is None


def test_what_is_denied_or_one_of_two_is_not_held() -> None:
    for text in (
        "It was not Mira Tolland.",
        "Either Mira Tolland or Idris Quane will win.",
        "Either Idris Quane or Mira Tolland will win.",
        "Idris Quane rather than Mira Tolland won.",
        "It isn't Mira Tolland.",
    ):
        assert find("Mira Tolland", text) is None, text
    assert find("Mira Tolland", "It was not only Mira Tolland who won.") is not None


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=30)
ANSWERS = st.one_of(TEXTS, st.sampled_from([answer for pair in OTHER_FACTS for answer in pair]))


@given(ANSWERS, ANSWERS)
@settings(deadline=None)
def test_relation_is_symmetric(one: str, other: str) -> None:
    same = relation(one, other) is Relation.same
    assert same is (relation(other, one) is Relation.same)


@given(ANSWERS)
@settings(deadline=None)
def test_an_answer_is_the_same_as_itself(answer: str) -> None:
    assert relation(answer, answer) is Relation.same or not answer.strip()


@given(TEXTS)
@settings(deadline=None)
def test_tokens_stand_where_they_say(text: str) -> None:
    for token in tokenise(text):
        assert 0 <= token.start < token.end <= len(text)


@given(st.integers(-(10**6), 10**6))
@settings(deadline=None)
def test_a_minus_sign_is_typed_in_many_ways(number: int) -> None:
    written = f"{number}"
    for minus in "−－﹣–":
        assert fold(written.replace("-", minus)) == fold(written)
    if number:
        assert fold(f"{-number}") != fold(written)


@pytest.mark.parametrize(
    ("stored", "now"),
    [
        ("-0.4%", "0.4%"),
        ("BB-", "BB+"),
        ("€30", "$30"),
        ("-3 °C", "3 °C"),
        ("F++", "F#"),
        ("7½", "7"),
        ("Yes", "Yes, but only until 2031"),
    ],
)
def test_a_changed_sign_or_mark_is_proposed(stored: str, now: str) -> None:
    row = Question(
        {
            "question": "What is it now?",
            "false_premise": "FALSE",
            "fact_type": "fast-changing",
            "next_review": "frequently",
            "answer_0": stored,
        },
        key="q-000000000001",
    )
    pages = tuple(
        Evidence(EvidenceKind.organic, url=f"https://{name}.example/", snippet=f"It is: {now}.")
        for name in ("a", "b", "c")
    )
    response = Response(row.text, "freshprompt", now, now, pages)
    assert compare_words(response, row).agrees is not True
    checked = recheck(
        row,
        as_of=date(2031, 3, 9),
        ask=lambda told, prior: response,
        settings=CheckSettings(max_rounds=1),
    )
    assert checked.outcome not in (Outcome.unchanged, Outcome.alternative)
    if not now.startswith("Yes"):
        assert checked.outcome in (Outcome.changed, Outcome.conflicting)
