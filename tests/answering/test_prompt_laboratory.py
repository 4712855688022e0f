"""`python -m benchmarks.prompts` asks each question once, resumes, and counts correctly."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import run_module
from servers.openai_server import OpenAIServer

ROOT = Path(__file__).parents[2]
JSON_REPLY = '{"answer": "As of March 13, 2024, it is 36.", "short_answer": "36", "premise": "valid", "evidence": [1]}'
pytestmark = pytest.mark.real_data


def laboratory(server: OpenAIServer, *arguments: str) -> str:
    keys = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "k"}
    run = run_module("benchmarks.prompts", "--label", "scripted", *arguments, folder=ROOT, **keys)
    assert run.code == 0, run.stderr
    return run.stdout


def cells(table: str, profile: str) -> dict[str, str]:
    """The first row of a profile, by column."""
    rows = [line for line in table.splitlines() if line.startswith("| ")]
    lines = [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows]
    return next(dict(zip(lines[0], line, strict=False)) for line in lines if line[0] == profile)


def test_calls_made_before_are_read_from_the_store(tmp_path: Path) -> None:
    server = OpenAIServer(lambda body: JSON_REPLY)
    store = str(tmp_path / "lab.db")
    with server.running():
        first = laboratory(
            server, "--model", "openai:m", "--profiles", "best", "--limit", "4",
            "--rounds", "2", "--store", store,
        )  # fmt: skip
        asked = len(server.requests)
        again = laboratory(
            server, "--profiles", "best", "--limit", "4", "--rounds", "2", "--store", store
        )
        assert len(server.requests) == asked >= 4
    assert again and first.endswith(again)
    row = cells(again, "best")
    assert (row["n"], row["answered"], row["format kept"]) == ("4", "4", "4 of 4")
    assert row["right"].split()[0] == "1"  # 36 countries; the others ask for other things


def test_a_second_call_extracts_the_short_answer_from_free_text(tmp_path: Path) -> None:
    def answer(body: dict[str, object]) -> str:
        (*_, last) = body["messages"]  # type: ignore[misc]
        return "36" if "Write only" in last["content"] else "The number of them now stands at 36."

    server = OpenAIServer(answer)
    with server.running():
        table = laboratory(
            server, "--model", "openai:m", "--profiles", "paper-gpt4+short", "--limit", "4",
            "--store", str(tmp_path / "lab.db"),
        )  # fmt: skip
        assert len(server.requests) == 8
    row = cells(table, "paper-gpt4+short")
    assert (row["right"].split()[0], row["format kept"]) == ("1", "-")


def test_the_judge_is_compared_with_recorded_verdicts(tmp_path: Path) -> None:
    server = OpenAIServer(lambda body: "evaluation: correct")
    with server.running():
        table = laboratory(
            server, "--model", "openai:m", "--judge", "--limit", "4",
            "--store", str(tmp_path / "lab.db"),
        )  # fmt: skip
    row = cells(table, "scripted")
    assert row["agrees with the recorded verdict"] == "2 of 4"  # a judge that credits everything
    assert (row["right credited"], row["wrong credited"]) == ("2 of 2", "2 of 2")
