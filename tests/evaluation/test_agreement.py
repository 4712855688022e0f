from itertools import permutations

import pytest
from evaluation.town import judged
from hypothesis import given
from hypothesis import strategies as st

from freshqa.evaluation.agreement import agreements, disagreements, kappa, krippendorff_alpha
from freshqa.evaluation.judgement import Judgement
from freshqa.evaluation.recorded import Verdicts


def rater(name: str, verdicts: str, mode: str = "relaxed") -> Verdicts:
    """One verdict a letter: c, i or u; questions are called 0, 1, 2, …"""
    words = {"c": "correct", "i": "incorrect", "u": "unrated"}
    given = [judged(str(n), words[letter], mode=mode) for n, letter in enumerate(verdicts)]
    return Verdicts(name, {(j.mode, j.key): j for j in given})


def pairs(both: int, only_first: int, only_second: int, neither: int):
    def pair(first: str, second: str) -> tuple[Judgement, Judgement]:
        return judged("x", first), judged("x", second)

    return [
        *[pair("correct", "correct")] * both,
        *[pair("correct", "incorrect")] * only_first,
        *[pair("incorrect", "correct")] * only_second,
        *[pair("incorrect", "incorrect")] * neither,
    ]


def test_kappa_equals_a_worked_example() -> None:
    # Cohen's kappa of (20, 5, 10, 15) is 0.4: the example of the Wikipedia article.
    agreement = kappa(pairs(20, 5, 10, 15))
    assert agreement.value == pytest.approx(0.4)
    assert agreement.rate.value == pytest.approx(0.7)
    low, high = agreement.interval
    assert low is not None and high is not None and low < 0.4 < high


def test_agreement_by_chance_has_kappa_zero() -> None:
    assert kappa(pairs(25, 25, 25, 25)).value == pytest.approx(0.0)


def test_the_interval_is_wide_even_if_all_cases_agree() -> None:
    agreement = kappa(pairs(48, 0, 0, 2))
    assert agreement.value == pytest.approx(1.0)
    assert agreement.interval[0] < 0.5  # 50 cases, 2 of them incorrect, prove little


def test_kappa_is_undefined_when_both_raters_always_agree_on_one_verdict() -> None:
    agreement = kappa(pairs(10, 0, 0, 0))
    assert (agreement.rate.value, agreement.value, str(agreement)) == (1.0, None, "-")


def test_agreement_is_split_by_premise_and_mode() -> None:
    first, other = rater("ada", "ccic"), rater("bob", "cicu")
    table = agreements([first, other], false_premise={"2", "3"})
    cells = {(row.mode, row.premise): (row.kappa.rate.hits, row.kappa.rate.n) for row in table}
    assert cells == {
        ("relaxed", "overall"): (1, 3),
        ("relaxed", "valid premise"): (1, 2),
        ("relaxed", "false premise"): (0, 1),
    }
    assert table[0].kappa.rate.left_out == 1


def test_two_modes_are_also_combined() -> None:
    def both(name: str, relaxed: str, strict: str) -> Verdicts:
        places = {**rater("", relaxed).by_question, **rater("", strict, "strict").by_question}
        return Verdicts(name, places)

    table = agreements([both("ada", "cc", "ci"), both("bob", "cc", "cc")], false_premise=())
    overall = {row.mode: row.kappa.rate.hits for row in table if row.premise == "overall"}
    assert overall == {"relaxed": 2, "strict": 1, "all": 3}


def test_every_pair_of_three_raters_is_compared() -> None:
    raters = [rater("a", "cc"), rater("b", "ci"), rater("c", "ii")]
    table = agreements(raters, false_premise=())
    assert {row.raters for row in table} == {("a", "b"), ("a", "c"), ("b", "c")}


def test_disagreements_are_listed_without_unrated_cases() -> None:
    pairs_that_differ = disagreements(rater("a", "ccu"), rater("b", "cic"))
    assert [
        (first.key, first.verdict.value, other.verdict.value) for first, other in pairs_that_differ
    ] == [("1", "correct", "incorrect")]


FOUR_OBSERVERS = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
"""Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", C: labels of twelve units."""


def test_alpha_equals_krippendorffs_worked_examples() -> None:
    units = [
        [label for label in unit if label != "."] for unit in zip(*FOUR_OBSERVERS, strict=True)
    ]
    assert krippendorff_alpha(units) == pytest.approx(0.743, abs=5e-4)
    two = list(zip("aabbdcccedda", "babbbcccEddd".lower(), strict=True))
    assert krippendorff_alpha(two) == pytest.approx(0.692, abs=5e-4)


def test_alpha_is_undefined_without_expected_disagreement() -> None:
    assert krippendorff_alpha([]) is None
    assert krippendorff_alpha([["yes"], ["no"]]) is None
    assert krippendorff_alpha([["yes", "yes"], ["yes", "yes"]]) is None
    assert krippendorff_alpha([["yes", "yes"], ["no", "no"]]) == 1


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=4), max_size=12))
def test_alpha_is_one_minus_observed_over_expected_disagreement(units: list[list[str]]) -> None:
    """Every ordered pair of labels of one case, against every ordered pair of all."""
    rated = [labels for labels in units if len(labels) > 1]
    pool = [label for labels in rated for label in labels]
    expected = [a != b for a, b in permutations(pool, 2)]
    alpha = krippendorff_alpha(units)
    if not any(expected):
        assert alpha is None
        return
    observed = sum(
        sum(a != b for a, b in permutations(labels, 2)) / (len(labels) - 1) for labels in rated
    )
    share = sum(expected) / len(expected)
    assert alpha == pytest.approx(1 - observed / len(pool) / share)
