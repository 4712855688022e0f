import pytest
from evaluation.town import judged

from freshqa.evaluation.agreement import agreements, disagreements, kappa
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


def test_kappa_of_a_worked_example() -> None:
    # Cohen's kappa of (20, 5, 10, 15) is 0.4: the example of the Wikipedia article.
    found = kappa(pairs(20, 5, 10, 15))
    assert found.value == pytest.approx(0.4)
    assert found.rate.value == pytest.approx(0.7)
    low, high = found.interval
    assert low is not None and high is not None and low < 0.4 < high


def test_agreement_by_chance_alone_has_kappa_zero() -> None:
    assert kappa(pairs(25, 25, 25, 25)).value == pytest.approx(0.0)


def test_the_interval_stays_open_when_all_agree() -> None:
    found = kappa(pairs(48, 0, 0, 2))
    assert found.value == pytest.approx(1.0)
    assert found.interval[0] < 0.5  # 50 cases, 2 of them incorrect, prove little


def test_there_is_no_kappa_where_both_always_say_the_same_word() -> None:
    found = kappa(pairs(10, 0, 0, 0))
    assert (found.rate.value, found.value, str(found)) == (1.0, None, "-")


def test_table_2_by_premise_and_mode() -> None:
    one, other = rater("ada", "ccic"), rater("bob", "cicu")
    table = agreements([one, other], false_premise={"2", "3"})
    cells = {(row.mode, row.premise): (row.kappa.rate.hits, row.kappa.rate.n) for row in table}
    assert cells == {
        ("relaxed", "overall"): (1, 3),
        ("relaxed", "valid premise"): (1, 2),
        ("relaxed", "false premise"): (0, 1),
    }
    assert table[0].kappa.rate.left_out == 1


def test_two_modes_also_give_both_together() -> None:
    def both(name: str, relaxed: str, strict: str) -> Verdicts:
        places = {**rater("", relaxed).by_question, **rater("", strict, "strict").by_question}
        return Verdicts(name, places)

    table = agreements([both("ada", "cc", "ci"), both("bob", "cc", "cc")], false_premise=())
    overall = {row.mode: row.kappa.rate.hits for row in table if row.premise == "overall"}
    assert overall == {"relaxed": 2, "strict": 1, "all": 3}


def test_every_pair_of_three_raters_is_compared() -> None:
    raters = [rater("a", "cc"), rater("b", "ci"), rater("c", "ii")]
    table = agreements(raters, false_premise=())
    assert {(row.first, row.second) for row in table} == {("a", "b"), ("a", "c"), ("b", "c")}


def test_disagreements_are_shown_and_unrated_ones_are_none() -> None:
    found = disagreements(rater("a", "ccu"), rater("b", "cic"))
    assert [(one.key, one.verdict.value, other.verdict.value) for one, other in found] == [
        ("1", "correct", "incorrect")
    ]
