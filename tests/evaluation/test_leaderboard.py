"""Models by versions: intervals, paired tests, and no comparison across versions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timezone
from pathlib import Path

import pytest
from command_line import runner

from freshqa.dataset.question import Question
from freshqa.errors import UsageError
from freshqa.evaluation.judgement import Judgement, Mode, Verdict
from freshqa.evaluation.leaderboard import Score, leaderboard, plot_leaderboard
from freshqa.store import publishing, records, runs
from freshqa.store.database import Store

NOW = datetime(2025, 6, 1, tzinfo=timezone.utc)
DAY = date(2025, 6, 1)


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


def test_the_command_ranks_what_the_store_keeps(tmp_path: Path) -> None:
    run = runner(tmp_path)
    assert run("leaderboard", "--json").code == 1
    url = run("init", "--json").json["store"]
    nothing = run("leaderboard", "--json")
    assert (nothing.code, nothing.error["message"]) == (
        1,
        "The store has no finished relaxed evaluation.",
    )
    store = Store.open(url)
    rows = [Question({"question": f"question {i}", "answer_0": "x"}, f"q-{i}") for i in range(20)]
    publishing.publish(store, rows, as_of=DAY, now=NOW, parent=None)
    for model, right in (("good", GOOD), ("bad", BAD)):
        keep(store, model, right)
    board = run("leaderboard", "--plot", str(tmp_path / "board.svg"), "--json").json
    assert [(entry["model"], entry["scores"][0]["hits"]) for entry in board["models"]] == [
        ("good", 18),
        ("bad", 4),
    ]
    assert board["pairs"][0]["significant"] is True
    assert "<svg" in (tmp_path / "board.svg").read_text(encoding="utf-8")
    assert "90.0 [" in run("leaderboard").stdout


def keep(store: Store, model: str, right: Sequence[bool]) -> None:
    """A finished evaluation of a file of responses, as the flow records it."""
    runs.start_run(
        store,
        key=f"relaxed-{model}",
        flow="evaluate-model",
        as_of=DAY,
        base_version=1,
        settings={"responses": f"{model}.jsonl"},
        now=NOW,
    )
    records.record_judgements(
        store,
        f"relaxed-{model}:relaxed",
        [judgement.to_json() for judgement in judged(right)],
        version=1,
        mode="relaxed",
        judge="lexical",
        now=NOW,
    )
    summary = {"version": 1, "judge": "lexical"}
    runs.finish_run(store, f"relaxed-{model}", state=runs.COMPLETED, summary=summary, now=NOW)
