"""Whether two answers state the same fact: only differences that carry meaning count."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freshqa.answering.response import Response
from freshqa.checking.compare import compare_words
from freshqa.checking.find_answer import SupportKind, find
from freshqa.checking.risk import risk
from freshqa.dataset.diff import change_of
from freshqa.dataset.question import Question
from freshqa.evaluation.freshness import fact_changed
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.facts.same_fact import Relation, contains, relation, same_fact
from freshqa.facts.tokens import fold, tokenise
from freshqa.maintaining.alternatives import left_over
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
    ("-5", "5"),
    ("3.5", "35"),
    ("11/2021", "11/2022"),
    ("C", "C++"),
    ("Jan 5, 2024", "January 6, 2024"),
    ("30 pesos", "30 dollars"),
    ("30 zł", "€30"),
    ("30 cents", "30 dollars"),
    ("30¢", "$30"),
    ("Rs 30", "$30"),
    ("$30M", "$30"),
    ("30M", "30"),
    ("44 BC", "44"),
    ("Orl 3.10", "Orl 3.1"),
    ("3.10", "3.1"),
    ("√2", "2"),
    ("√2", "∛2"),
    ("2^8", "28"),
    ("6'", '6"'),
    ("F16", "16"),
    ("FY2031", "2031"),
    ("Cl-", "Cl"),
    ("мой", "мои"),
    ("George H. W. Tolland", "George W. Tolland"),
    ("Yes", "Yes, for now"),
    ("Yes", "Yes, in part"),
    ("Yes", "Yes, apart from Orlune"),
    ("Yes", "Yes, from 2020 to 2023"),
    ("Yes", "Yes, subject to approval"),
    ("Yes", "Yes, suspended in 2031"),
    ("Yes", "Yes, I think"),
    ("No", "No, not entirely"),
    ("Jan 5, 2024", "Jun 5, 2024"),
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
    ("The Beatles", "beatles."),
    ("1,439", "1439"),
    ("twenty-two", "22"),
    ("forty nine", "49"),
    ("Nov 22, 2024", "22 November 2024"),
    ("11/22/2024", "2024-11-22"),
    ("Nov 2021", "11/2021"),
    ("Sept 5, 2024", "5 September 2024"),
    ("“Iam” Tongi", '"Iam" Tongi'),
    ("Jan 5, 2024", "January 5, 2024"),
    ("Jan. 5, 2024", "5 Jan 2024"),
    ("$30M", "$30,000,000"),
    ("€1.5bn", "€1.5 billion"),
    ("$1.5B", "$1.5 billion"),
    ("Rs 30", "₹30"),
    ("5'11\"", "5’11”"),
    ('"Orl 5"', "Orl 5"),
    ("е\u0308лка", "ёлка"),
    ("Андреи\u0306", "Андрей"),
    ("Yes", "Yes, in 2031 it was opened by Mira Tolland."),
    ("Yes", "Yes, Ted Tolland is."),
    ("Friday, January 5, 2024", "2024-01-05"),
]


@pytest.mark.parametrize(("left", "right"), OTHER_FACTS)
def test_a_meaningful_difference_is_another_fact(left: str, right: str) -> None:
    assert relation(left, right) in (Relation.different, Relation.unclear)
    assert relation(right, left) is relation(left, right)
    assert not contains(left, right) or "+" in left


@pytest.mark.parametrize(("left", "right"), SAME_FACTS)
def test_the_spelling_of_an_answer_does_not_change_the_fact(left: str, right: str) -> None:
    assert relation(left, right) is Relation.same
    assert relation(right, left) is Relation.same


@pytest.mark.parametrize(("left", "right"), OTHER_FACTS)
def test_a_page_that_states_one_fact_does_not_support_the_other(left: str, right: str) -> None:
    if left[-1:] in "%‰" or left == "3rd" or right in ("Yes", "No"):
        return  # a bare number stands in "30%", a place in "3"; verdicts have their own test
    support = find(left, f"It says: {right}.")
    assert support is None or support.kind is SupportKind.soft


def test_a_question_mark_or_brackets_leave_the_relation_unclear() -> None:
    assert relation("Yes", "Yes?") is relation("Yes?", "Yes") is Relation.unclear
    assert relation("(30)", "30") is relation("30", "($30)") is Relation.unclear  # negative?


def test_yes_or_no_is_supported_only_at_the_start_of_a_sentence() -> None:
    assert find("Yes", "Is it open? Yes, it is.") is not None
    assert find("No", "No. 9 is open.") is None
    assert find("No", "There is no doubt.") is None
    assert find("Yes", "Yes, but only until 2031.") is None


def test_a_denied_answer_or_one_of_two_options_is_not_supported() -> None:
    for text in (
        "It was not Mira Tolland.",
        "Either Mira Tolland or Idris Quane will win.",
        "Either Idris Quane or Mira Tolland will win.",
        "Idris Quane rather than Mira Tolland won.",
        "It isn't Mira Tolland.",
    ):
        assert find("Mira Tolland", text) is None, text
    assert find("Mira Tolland", "It was not only Mira Tolland who won.") is not None


def row(*answers: str, **fields: str) -> Question:
    """A row with these answers."""
    cells = {f"answer_{number}": answer for number, answer in enumerate(answers)}
    return Question({"question": "When did it open?", **cells, **fields}, key="q")


def opinions(left: str, right: str) -> dict[str, bool]:
    """Who says that two primary answers state the same fact."""
    old, new = row(left), row(right)
    response = Response("When did it open?", "freshprompt", right, right, ())
    return {
        "comparison": compare_words(response, old).agrees is True,
        "rows": same_fact([left], [right]),
        "freshness": not fact_changed(old, new),
        "difference": "answer_changed" not in change_of(old, new).kinds,
        "alternatives": left_over([left, "opening day"], [right, "opening day"]) == (),
    }


@pytest.mark.parametrize(("left", "right"), SAME_FACTS)
def test_every_caller_treats_the_pair_as_the_same_fact(left: str, right: str) -> None:
    assert {who: said for who, said in opinions(left, right).items() if not said} == {}
    assert {who: said for who, said in opinions(right, left).items() if not said} == {}


@pytest.mark.parametrize(("left", "right"), OTHER_FACTS)
def test_every_caller_treats_the_pair_as_different_facts(left: str, right: str) -> None:
    saying = {who for who, said in opinions(left, right).items() if said}
    assert saying - ({"comparison"} if left == "3rd" else set()) == set()  # "3" answers for a place


def test_the_risk_does_not_depend_on_the_spelling_of_a_date() -> None:
    page = Evidence(
        EvidenceKind.organic, url="https://a.example/", snippet="Open since 5 Jan 2024."
    )
    day = date(2026, 3, 9)
    risks = {
        risk(row(spelling), [page], as_of=day) for spelling in ("Jan 5, 2024", "January 5, 2024")
    }
    assert len(risks) == 1
    assert risk(row("January 6, 2024"), [page], as_of=day) > risks.pop()


def test_an_alternative_of_the_old_fact_does_not_hide_a_change() -> None:
    assert not same_fact(["Mira Tolland", "Tolland"], ["Idris Quane", "Tolland"])
    assert fact_changed(row("Mira Tolland", "Tolland"), row("Idris Quane", "Tolland"))
    assert same_fact(["134 years", "134"], ["134", "134 years"])
    assert same_fact(["Lena Ostrow"], ["Lena Marie Ostrow"])
    assert not same_fact(["14"], [])


def test_a_sentence_with_another_number_is_another_fact() -> None:
    said = "{} papers (604 long and 97 short) were accepted into the main conference."
    assert not same_fact([said.format("701")], [said.format("702")])
    assert not same_fact([said.format("Seven")], [said.format("Eight")])
    assert same_fact([said.format("Seven")], [said.format("7")])
    assert same_fact([said.format("701")], [said.format("701").replace("into", "to")])


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=30)
ANSWERS = st.one_of(TEXTS, st.sampled_from([answer for pair in OTHER_FACTS for answer in pair]))


@given(ANSWERS, ANSWERS)
@settings(deadline=None)
def test_relation_is_symmetric(left: str, right: str) -> None:
    same = relation(left, right) is Relation.same
    assert same is (relation(right, left) is Relation.same)


@given(ANSWERS)
@settings(deadline=None)
def test_an_answer_is_the_same_as_itself(answer: str) -> None:
    assert relation(answer, answer) is Relation.same or not answer.strip()


@given(TEXTS)
@settings(deadline=None)
def test_tokens_are_at_their_stated_positions(text: str) -> None:
    for token in tokenise(text):
        assert 0 <= token.start < token.end <= len(text)


@given(st.integers(-(10**6), 10**6))
@settings(deadline=None)
def test_every_minus_character_is_read_as_a_minus_sign(number: int) -> None:
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
def test_a_changed_sign_or_symbol_leads_to_a_proposal(stored: str, now: str) -> None:
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
