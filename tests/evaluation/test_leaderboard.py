"""Models by versions: intervals and paired tests, without comparisons across versions."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from freshqa.errors import UsageError
from freshqa.evaluation.judgement import Judgement, Mode, Verdict
from freshqa.evaluation.leaderboard import Score, leaderboard, plot_leaderboard


def judged(right: Sequence[bool]) -> list[Judgement]:
    verdicts = {True: Verdict.correct, False: Verdict.incorrect}
    return [
        Judgement(
            f"question {place}", verdicts[is_right], Mode.relaxed, "lexical", key=f"q-{place}"
        )
        for place, is_right in enumerate(right)
    ]


def score(model: str, version: int, right: Sequence[bool], judge: str = "lexical") -> Score:
    verdicts = {judgement.key: judgement for judgement in judged(right)}
    return Score(model, version, f"{model}-{version}", judge, verdicts)


GOOD = [True] * 18 + [False] * 2
SIMILAR = [True] * 16 + [False] * 2 + [True, False]
BAD = [True] * 4 + [False] * 16


def test_pairs_of_one_version_are_tested_on_the_same_questions() -> None:
    board = leaderboard(
        [score("bad", 1, BAD), score("good", 1, GOOD), score("similar", 1, SIMILAR)]
    )
    assert list(board.models) == ["good", "similar", "bad"]
    significant = {(p.first.model, p.second.model): p.significant for p in board.pairs}
    assert significant == {
        ("good", "similar"): False,  # 2 against 1: p = 1
        ("good", "bad"): True,  # 14 against 0: p = 0.0001
        ("similar", "bad"): True,
    }
    assert board.pairs[0].difference.p_value == 1.0
    assert board.pairs[1].difference.p_value == pytest.approx(2 / 2**14)
    assert board.warnings == ()


def test_scores_of_different_versions_are_not_compared() -> None:
    board = leaderboard([score("a", 1, GOOD), score("b", 2, BAD)])
    assert board.pairs == ()
    assert "a has version 1" in board.warnings[0]
    assert "not comparable" in board.warnings[0]
    assert board.versions == (1, 2)


def test_different_judges_are_named() -> None:
    board = leaderboard([score("a", 1, GOOD), score("b", 1, BAD, judge="gpt-4o")])
    assert board.warnings == ("version 1 was judged by several judges: gpt-4o, lexical",)


def test_the_picture_is_the_same_for_the_same_scores() -> None:
    board = leaderboard([score("a", 1, GOOD), score("a", 2, BAD), score("b", 2, GOOD)])
    svg = plot_leaderboard(board, heading="towns", format="svg")
    assert svg == plot_leaderboard(board, heading="towns", format="svg")
    assert b"<svg" in svg
    with pytest.raises(UsageError, match="Nothing to plot"):
        plot_leaderboard(leaderboard([]), heading="towns")
