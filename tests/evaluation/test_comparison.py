import pytest
from evaluation.town import BRIDGES, LAKE, MAYOR, NEW, PAINTER, by_key, judged

from freshqa.errors import BadData
from freshqa.evaluation.comparison import compare_runs, golds_differ
from freshqa.evaluation.judgement import Mode

QUESTIONS = by_key(NEW)


def run(*verdicts: str, mode: str = "relaxed", gold: str = "a"):
    keys = (MAYOR, BRIDGES, PAINTER, LAKE)
    return [
        judged(key, verdict, mode=mode, gold=gold)
        for key, verdict in zip(keys, verdicts, strict=False)
    ]


def test_two_runs_are_compared_on_the_questions_judged_in_both() -> None:
    first = run("correct", "correct", "correct", "incorrect")
    second = run("incorrect", "correct", "unrated")
    cells = {c.column.name: c.difference for c in compare_runs(first, second, QUESTIONS)}
    assert (cells["all"].only_first, cells["all"].only_second) == (1, 0)
    assert (cells["all"].n, cells["all"].left_out) == (2, 1)
    assert cells["false"].n == 0
    assert {c.mode for c in compare_runs(first, second, QUESTIONS)} == {Mode.relaxed}


def test_runs_without_a_common_question_and_mode_are_refused() -> None:
    with pytest.raises(BadData, match="share no question and mode"):
        compare_runs(run("correct"), run("correct", mode="strict"), QUESTIONS)


def test_runs_against_different_golds_are_counted() -> None:
    assert golds_differ(run("correct", "correct"), run("correct", "correct", gold="b")) == 2
    assert golds_differ(run("correct"), run("correct", gold="")) == 0
