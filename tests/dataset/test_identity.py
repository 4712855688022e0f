"""Questions of two releases are matched by text, earlier wording, similarity and confirmation."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freshqa.dataset import assignment
from freshqa.dataset.assignment import assign
from freshqa.dataset.identity import match
from freshqa.dataset.question import Question, new_key
from freshqa.dataset.question_similarity import relation
from freshqa.dataset.wording import normalised_question
from freshqa.errors import Refused, UsageError

SCORES = st.dictionaries(
    st.tuples(st.integers(0, 4), st.integers(0, 4)), st.floats(1, 100, width=16), max_size=12
)


def best_sum(scores: dict[tuple[int, int], float]) -> float:
    return max(
        sum(scores.get((left, right), 0.0) for left, right in enumerate(order))
        for order in permutations(range(5))
    )


class TestAssignment:
    @given(SCORES)
    def test_the_pairing_is_optimal(self, scores: dict[tuple[int, int], float]) -> None:
        pairs = assign(scores)
        lefts, rights = [left for left, _ in pairs], [right for _, right in pairs]
        assert len(set(lefts)) == len(lefts) and len(set(rights)) == len(rights)
        assert sum(scores[pair] for pair in pairs) == pytest.approx(best_sum(scores))

    def test_the_best_single_pair_is_given_up_for_a_better_total(self) -> None:
        assert assign({(0, 0): 90, (0, 1): 89, (1, 0): 88}) == [(0, 1), (1, 0)]

    def test_a_very_large_cluster_is_paired_greedily(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(assignment, "EXACT", 1)
        assert assign({(0, 0): 90, (0, 1): 89, (1, 0): 88}) == [(0, 0)]


@pytest.fixture
def base(make: Callable[..., Question]) -> tuple[Question, ...]:
    texts = {
        "q-000000000001": ("Who won the latest Orlune regatta?", "Idris Quane"),
        "q-000000000002": ("When did Kestrel Works release Engine 5?", "It has not."),
        "q-000000000003": ("How many ferries call at Lower Quell?", "Four"),
    }
    return tuple(
        make(
            t, a, key=key, source=f"https://example.org/{key}", false_premise=str("5" in t).upper()
        )
        for key, (t, a) in texts.items()
    )


def test_the_same_wording_is_the_same_question(base: Any, make: Any) -> None:
    incoming = [make("WHO won the latest  orlune regatta", "Someone else"), make("A new one?")]
    matching = match(incoming, base)
    assert [q.key for q in matching.questions] == ["q-000000000001", new_key("A new one?")]
    assert [q.text for q in matching.added] == ["A new one?"]
    assert [q.key for q in matching.removed] == ["q-000000000002", "q-000000000003"]
    assert not matching.reworded and not matching.unsure


def test_a_rewording_keeps_its_key(base: Any) -> None:
    new = (
        base[2]
        .with_changes({"question": "How many ferries call at Lower Quell every day?"})
        .with_key("")
    )
    matching = match([new], base)
    assert matching.questions[0].key == "q-000000000003"
    (pair,) = matching.reworded
    assert (pair.old, pair.relation) == ("How many ferries call at Lower Quell?", "reworded")


def test_a_new_number_that_keeps_the_premise_false_keeps_the_key(base: Any) -> None:
    new = (
        base[1]
        .with_changes({"question": "When did Kestrel Works release Engine 5.5?"})
        .with_key("")
    )
    matching = match([new], base)
    assert matching.questions[0].key == "q-000000000002"
    assert matching.reworded[0].relation == "premise-maintained"


def test_a_similar_question_is_left_unsure_until_confirmed(base: Any, make: Any) -> None:
    new = make("Who won the latest Marrow Bay regatta?", "Tamsin Oke", source="https://example.org/else",
               false_premise="FALSE")  # fmt: skip
    matching = match([new], base)
    assert [(pair.key, pair.new) for pair in matching.unsure] == [("q-000000000001", new.text)]
    assert matching.questions[0].key == new_key(new.text)
    assert [q.text for q in matching.added] == [new.text]
    confirmed = match([new], base, confirmed={new.text: "q-000000000001"})
    assert confirmed.questions[0].key == "q-000000000001"
    assert not confirmed.unsure and len(confirmed.reworded) == 1
    refused = match([new], base, confirmed={new.text: ""})
    assert refused.questions[0].key == new_key(new.text) and not refused.unsure


def test_a_question_in_another_split_is_never_matched_with_certainty(base: Any) -> None:
    new = base[2].with_changes(
        {"question": "How many ferries call at Lower Quell daily?", "split": "DEV"}
    )
    assert match([new.with_key("")], base).unsure


def test_an_earlier_wording_finds_its_key_even_when_removed_meanwhile(base: Any, make: Any) -> None:
    aliases = {normalised_question("Who won the regatta?"): "q-000000000001",
               normalised_question("Gone long ago?"): "q-00000000000a"}  # fmt: skip
    matching = match([make("Who won the regatta?"), make("Gone long ago?")], base, aliases=aliases)
    assert [q.key for q in matching.questions] == ["q-000000000001", "q-00000000000a"]
    assert [q.text for q in matching.added] == ["Gone long ago?"]


def test_an_exported_key_takes_precedence_over_the_wording(base: Any) -> None:
    edited = base[0].with_changes({"question": "Something else entirely now?"})
    matching = match([edited, base[1], base[2]], base)
    assert [q.key for q in matching.questions] == [q.key for q in base]
    assert matching.reworded[0].new == "Something else entirely now?"


def test_an_unknown_key_is_kept_only_if_it_is_well_formed(make: Any) -> None:
    rows = [make("A?", key="q-0123456789ab"), make("B?", key="'; drop table")]
    matching = match(rows, [])
    assert [q.key for q in matching.questions] == ["q-0123456789ab", new_key("B?")]


def test_no_two_questions_get_one_key(make: Any) -> None:
    """The first wording of a reworded question is added again as a separate question."""
    key = new_key("First wording?")
    base = [make("Second wording?", key=key)]
    matching = match([make("Second wording?"), make("First wording?")], base)
    assert matching.questions[0].key == key
    assert matching.questions[1].key not in ("", key)


def test_confirmations_that_match_no_question(base: Any, make: Any) -> None:
    incoming = [make("A?"), make("B?")]
    with pytest.raises(UsageError, match=r"Incoming question not found: 'C\?'"):
        match(incoming, base, confirmed={"C?": "q-000000000001"})
    with pytest.raises(UsageError, match="Question key not found in the base version: q-x"):
        match(incoming, base, confirmed={"A?": "q-x"})
    with pytest.raises(UsageError, match="Two questions were confirmed as the successor of"):
        match(incoming, base, confirmed={"A?": "q-000000000001", "B?": "q-000000000001"})


def test_two_datasets_with_nothing_in_common_are_refused(
    base: Any, make: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr("freshqa.dataset.identity.MAX_PAIRS", 5)
    with pytest.raises(Refused, match="2 of 2 questions are not among the 3 of the base version"):
        match([make("A?"), make("B?")], base)


@settings(deadline=None)
@given(st.permutations(range(8)), st.sets(st.integers(0, 7)))
def test_order_and_edits_of_other_columns_do_not_matter(order: list[int], edited: set[int]) -> None:
    base = [
        Question({"question": f"What is thing number {i}?", "answer_0": str(i)}, key=f"q-{i:012x}")
        for i in range(8)
    ]
    incoming = [
        base[i].with_key("").with_changes({"answer_0": "other"} if i in edited else {})
        for i in order
    ]
    matching = match(incoming, base)
    assert [q.key for q in matching.questions] == [f"q-{i:012x}" for i in order]
    assert not (matching.added or matching.removed or matching.unsure)


@pytest.mark.parametrize(
    ("old", "new", "false_premise", "expected"),
    [
        ("When did OpenAI release GPT-5?", "When did OpenAI release GPT-5.5?", "TRUE", "premise-maintained"),
        ("When was the seventh book published?", "When was the eighth book published?", "TRUE", "premise-maintained"),
        ("When is this year's Ramadan?", "When was this year's Ramadan?", "FALSE", "reworded"),
        ("What's the rating of the film Nope?", "What's the most popular film this week?", "FALSE", "replaced"),
    ],
)  # fmt: skip
def test_each_edit_of_a_wording_is_classified(
    old: str, new: str, false_premise: str, expected: str, make: Any
) -> None:
    before = make(old, "x", false_premise=false_premise, source="https://example.org/1")
    after = make(new, "y", false_premise=false_premise, source="https://example.org/2")
    assert relation(before, after) == expected


@pytest.mark.real_data
class TestRealTransitions:
    def test_labelled_lineages_of_real_releases_are_matched_without_an_error(
        self, benchmark: Any
    ) -> None:
        counts, _ = benchmark("dataset_identity").measure()
        verdicts = {
            v: sum(c[v] for c in counts.values()) for v in ("right", "wrong", "missed", "added")
        }
        assert verdicts == {"right": 3597, "wrong": 0, "missed": 0, "added": 0}
        asked = [sum(c[v] for c in counts.values()) for v in ("held: same", "held: other")]
        assert asked == [1, 2]

    @pytest.mark.parametrize(
        ("old", "new", "asked"),
        [("FreshQA_v05272024.xlsx", "FreshQA_v04072025.csv", 5),
         ("FreshQA_v04072025.csv", "FreshQA_v11242025_excel.csv", 1)],
    )  # fmt: skip
    def test_later_real_releases_leave_few_pairs_unsure(
        self, old: str, new: str, asked: int, real: Any
    ) -> None:
        matching = match([q.with_key("") for q in real(new)], real(old))
        assert len(matching.unsure) == asked
        assert len(matching.added) == len(matching.removed) == asked


DIFFERENT_QUESTIONS = [
    ("Who made the language Q?", "Who made the language Q++?"),
    ("Who made the language Q++?", "Who made the language Q#?"),
    ("Is the rate > 7?", "Is the rate < 7?"),
    ("Is the rate ≥ 7?", "Is the rate ≤ 7?"),
    ("Was it ever -7 in Kell?", "Was it ever 7 in Kell?"),
    ("Is Orlune rated BB+?", "Is Orlune rated BB-?"),
    ("Does it cost $7?", "Does it cost €7?"),
    ("Are there 10⁶ of them?", "Are there 106 of them?"),
    ("Is the share .7?", "Is the share 7?"),
    ("Who is @kell?", "Who is Kell?"),
    ("What does 👍 mean?", "What does 👎 mean?"),
    ("Whose flag is 🇫🇷?", "Whose flag is 🇩🇪?"),
    ("Is -∞ a number?", "Is ∞ a number?"),
    ("Who made .ORL?", "Who made ORL?"),
    ("यह कौन सी नदी है?", "यह कौन सा नदी है?"),
    ("นี่คือปาหรือไม่", "นี่คือปีหรือไม่"),
    ("ဒါ ကား လား", "ဒါ ကီး လား"),
]
SAME_QUESTIONS = [
    ("Who made the language Q++?", "who made the language Ｑ＋＋"),
    ("Is the rate > 7?", "Is the rate ＞７?"),
    ("Was it ever -7 in Kell?", "Was it ever −7 in Kell?"),
    ("What is 7½ in Kell?", "What is 7 1/2 in Kell?"),
    ("Where is Café Kell?", "Where is Cafe\u0301 Kell?"),
    ("Who won\u00a0the 2030\u201331 cup?", "Who won the 2030-31 cup?"),
]


@pytest.mark.parametrize(("old", "new"), DIFFERENT_QUESTIONS)
def test_a_meaningful_difference_is_another_question(old, new) -> None:
    assert normalised_question(old) != normalised_question(new)
    assert new_key(old) != new_key(new)


@pytest.mark.parametrize(("old", "new"), SAME_QUESTIONS)
def test_the_spelling_of_a_question_does_not_change_its_identity(old, new) -> None:
    assert normalised_question(old) == normalised_question(new)


@pytest.mark.parametrize(("old", "new"), DIFFERENT_QUESTIONS[:9])
def test_a_history_never_continues_as_a_question_with_another_sign(old, new) -> None:
    fields = {"split": "TEST", "source": "https://a.example/x", "answer_0": "Bo"}
    base = Question({"question": old, **fields}, key="q-000000000001")
    incoming = Question({"question": new, **fields})
    matching = match([incoming], [base])
    assert len(matching.added) == len(matching.removed) == 1
    assert relation(base, incoming) == "replaced"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Is Kell a town in Orlune?", "Is Kell not a town in Orlune?"),
        ("What happened in Orlune on 9/11?", "What happened in Orlune on 11/9?"),
        ("How many people live on one m² in Kell?", "How many people live on one m³ in Kell?"),
        ("What does the letter β stand for?", "What does the letter α stand for?"),
        ("यह कौन सी नदी है?", "यह कौन सा नदी है?"),
        ("ما هو كِتاب كيل؟", "ما هو كُتاب كيل؟"),
    ],
)
def test_a_history_continues_across_a_changed_word_only_when_a_person_confirms(
    old: str, new: str
) -> None:
    base = Question({"question": old, "source": "https://a.example/x", "answer_0": "Bo"}, key="q-1")
    incoming = Question({"question": new, "source": "https://b.example/y", "answer_0": "Ada"})
    matching = match([incoming], [base])
    assert len(matching.added) == len(matching.removed) == 1
