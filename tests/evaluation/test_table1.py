"""`python -m benchmarks.table1` prints rows of Table 1 of the paper with a model on loopback."""

from __future__ import annotations

import shlex
from pathlib import Path

from command_line import run_module, warm_address
from evaluation.town import NEW_DAY, RESPONSES, write_lines
from servers.warm_commands import warm_words

REPOSITORY = Path(__file__).parents[2]


def test_rows_show_n_and_intervals_and_a_finished_row_is_not_paid_again(
    prefect_api, town, judge_server, tmp_path: Path
) -> None:
    from prefect.settings import PREFECT_API_URL

    judge_server.answer = lambda body: "Eva Falk"
    results_page = {"organic_results": [{"title": "Town", "snippet": "Ada Berg was the mayor."}]}
    recording = write_lines(
        tmp_path / "searches.jsonl", [{"question": q, "response": results_page} for q in RESPONSES]
    )
    api_url = PREFECT_API_URL.value() or ""
    rows = "google search; closed-book; freshprompt, 1 evidence"
    command = ["--rows", rows, "--judge", "lexical", "--model", "openai:tiny",
               "--search", f"recorded:{recording}", "--as-of", NEW_DAY.isoformat()]  # fmt: skip

    def table() -> dict[str, str]:
        done = run_module(
            "benchmarks.table1",
            *command,
            folder=REPOSITORY,
            PREFECT_API_URL=api_url,
            PREFECT_SERVER_UI_ENABLED="false",
            FRESHQA_COMMAND=shlex.join(warm_words(warm_address(), "prefect_freshqa.cli")),
        )
        assert done.code == 0, done.stderr
        return {line.split(" | ")[0].strip("| "): line for line in done.stdout.splitlines()[2:]}

    printed = table()
    assert list(printed) == ["google search", "closed-book", "freshprompt, 1 evidence"]
    assert "| 33.3 [6.1, 79.2] n=3, 1 unrated |" in printed["freshprompt, 1 evidence"]
    assert "| relaxed | 0.0 [0.0, 56.1] n=3, 1 unrated |" in printed["google search"]
    asked = len(judge_server.requests)
    assert table() == printed
    assert len(judge_server.requests) == asked


def test_an_unknown_row_is_reported() -> None:
    done = run_module("benchmarks.table1", "--rows", "few-shot; no-such", folder=REPOSITORY)
    assert done.code == 1
    assert done.stderr.startswith("Unknown row 'no-such'. Rows, joined by `;`: google search; ")
