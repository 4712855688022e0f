"""The command `leaderboard`, in a separate file because `make test-quick` runs no command."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timezone
from pathlib import Path

from command_line import runner

from freshqa.dataset.question import Question
from freshqa.evaluation.judgement import Judgement, Mode, Verdict
from freshqa.store import publishing, records, runs
from freshqa.store.database import Store

NOW = datetime(2025, 6, 1, tzinfo=timezone.utc)
DAY = date(2025, 6, 1)
GOOD = [True] * 18 + [False] * 2
BAD = [True] * 4 + [False] * 16


def test_the_command_ranks_the_evaluations_in_the_store(tmp_path: Path) -> None:
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
    verdicts = {True: Verdict.correct, False: Verdict.incorrect}
    judged = [
        Judgement(
            f"question {place}", verdicts[is_right], Mode.relaxed, "lexical", key=f"q-{place}"
        )
        for place, is_right in enumerate(right)
    ]
    records.record_judgements(
        store,
        f"relaxed-{model}:relaxed",
        [judgement.to_json() for judgement in judged],
        version=1,
        mode="relaxed",
        judge="lexical",
        now=NOW,
    )
    summary = {"version": 1, "judge": "lexical"}
    runs.finish_run(store, f"relaxed-{model}", state=runs.COMPLETED, summary=summary, now=NOW)
