"""The command `prefect-freshqa ask`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from servers import openai_server as openai
from servers import serpapi_server as serpapi
from servers.openai_server import OpenAIServer

from freshqa.store.database import Store
from prefect_freshqa.cli import main


@dataclass(frozen=True)
class Ran:
    """What a command printed, and its exit code."""

    returncode: int
    stdout: str
    stderr: str


Ask = Callable[..., Ran]
MAYOR = "Who is the mayor of Pancake City?"
RIVER = "Which river runs through Pancake City?"


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Runs the command in an empty folder, without keys of the machine it runs on."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "SERPAPI_API_KEY", "PREFECT_FRESHQA_STORE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, **environment: str) -> Ran:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "argv", ["prefect-freshqa", "ask", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return Ran(int(ended.value.code or 0), printed.out, printed.err)

    return run


@pytest.fixture
def searches(tmp_path: Path) -> str:
    """A recording with two questions."""

    def body(question: str, answer: str) -> dict[str, object]:
        box = {"type": "organic_result", "title": question, "answer": answer, "snippet": answer}
        return serpapi.body(question, answer_box={**box, "link": "https://city.example/a"})

    lines = [
        {"question": MAYOR, "response": body(MAYOR, "Cleo Waffle")},
        {"question": RIVER, "response": body(RIVER, "The Syrup")},
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "searches.jsonl").write_text(text, "utf-8")
    return "recorded:searches.jsonl"


def test_search_only_answers_one_question(ask: Ask, searches: str) -> None:
    run = ask(
        MAYOR, "--method", "search-only", "--search", searches, "--as-of", "2024-03-14", "--json"
    )
    assert run.returncode == 0, run.stderr
    result = json.loads(run.stdout)
    assert (result["question"], result["answer"]) == (MAYOR, "Cleo Waffle")
    assert result["as_of"] == "2024-03-14" and result["cost_usd"] == "0"
    assert result["evidence"][0]["kind"] == "answer-box"
    assert result["searches"] == 1 and result["completions"] == 0


def test_a_missing_store_is_a_note_if_it_comes_from_the_environment_and_an_error_if_given(
    ask: Ask, searches: str, tmp_path: Path
) -> None:
    command = (MAYOR, "--method", "search-only", "--search", searches, "--as-of", "2024-03-14")
    url = f"sqlite:///{tmp_path / 'none.db'}"
    without = ask(*command, PREFECT_FRESHQA_STORE=url)
    assert without.returncode == 0, without.stderr
    assert without.stdout.startswith("Cleo Waffle")
    assert without.stderr.startswith("Note: searches and completions are not kept: Store not found")
    given = ask(*command, "--store", f"sqlite:///{tmp_path / 'other.db'}")
    assert given.returncode == 1 and "Store not found" in given.stderr


def test_a_model_answers_one_question_in_readable_output(
    ask: Ask, searches: str, openai_server: OpenAIServer
) -> None:
    openai_server.answers[MAYOR] = "Cleo Waffle leads it.\npremise: valid\nshort answer: Cleo"
    run = ask(
        MAYOR,
        *("--search", searches, "--model", "openai:tiny", "--as-of", "2024-03-14"),
        OPENAI_BASE_URL=openai_server.base_url,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("Cleo Waffle leads it.\nAnswer: Cleo\n")
    assert "1 searches, 1 completions" in run.stdout
    assert openai_server.requests[0].body["model"] == "tiny"
    assert "Today is March 14, 2024." in str(openai_server.requests[0].body)


def test_questions_of_a_file_are_answered_in_order_and_a_second_run_resumes(
    ask: Ask, searches: str, tmp_path: Path, openai_server: OpenAIServer
) -> None:
    questions = [{"question": RIVER}, {"question": "Unknown?"}, {"question": MAYOR}]
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, questions)), "utf-8")
    openai_server.script(openai.refusal("No."))
    command = ("--questions", "questions.jsonl", "-o", "out.jsonl", "--search", searches)
    command += ("--model", "openai:tiny", "--concurrency", "1", "--json")
    first = ask(*command, OPENAI_BASE_URL=openai_server.base_url)
    assert first.returncode == 1
    summary = json.loads(first.stdout)
    assert (summary["answered"], summary["failed"], summary["left"]) == (1, 2, 0)
    assert {f["kind"] for f in summary["failures"]} == {"not-found", "provider"}
    assert "Unknown?: " in first.stderr
    second = ask(*command)
    assert json.loads(second.stdout)["answered_before"] == 1
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [line["question"] for line in lines] == [RIVER, MAYOR]
    assert lines[0]["response"] == "Paris" and lines[0]["as_of"]
    (tmp_path / "questions.jsonl").write_text(json.dumps({"question": MAYOR}), "utf-8")
    assert ask(*command).returncode == 3


def test_an_output_file_with_answers_of_other_settings_is_refused(
    ask: Ask, searches: str, tmp_path: Path
) -> None:
    (tmp_path / "questions.jsonl").write_text(json.dumps({"question": MAYOR}), "utf-8")
    command = ("--questions", "questions.jsonl", "-o", "out.jsonl", "--search", searches)
    command += ("--method", "search-only")
    assert ask(*command, "--as-of", "2024-03-14").returncode == 0
    before = (tmp_path / "out.jsonl").read_text()
    (tmp_path / "out.jsonl").write_text(before + '{"question": "cut sh')
    later = ask(*command, "--as-of", "2024-03-21")
    assert later.returncode == 2 and "contains answers for as_of 2024-03-14" in later.stderr
    (tmp_path / "questions.jsonl").write_text(
        "\n".join(json.dumps({"question": q}) for q in (RIVER, MAYOR)), "utf-8"
    )
    assert ask(*command, "--as-of", "2024-03-14").returncode == 0
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [line["question"] for line in lines] == [RIVER, MAYOR]


def test_a_refused_key_ends_the_batch_at_the_first_call(
    ask: Ask, searches: str, tmp_path: Path, openai_server: OpenAIServer
) -> None:
    openai_server.key = "right"
    text = "".join(json.dumps({"question": f"{MAYOR} {n}"}) + "\n" for n in range(30))
    (tmp_path / "questions.jsonl").write_text(text, "utf-8")
    recorded = "".join(
        json.dumps(
            {
                "question": f"{MAYOR} {n}",
                "response": serpapi.body(
                    "q", organic_results=[{"title": "Mayor", "link": "https://city.example/a"}]
                ),
            }
        )
        + "\n"
        for n in range(30)
    )
    (tmp_path / "searches.jsonl").write_text(recorded, "utf-8")
    run = ask(
        *("--questions", "questions.jsonl", "-o", "out.jsonl", "--search", searches, "--json"),
        *("--model", "openai:tiny", "--concurrency", "2"),
        OPENAI_BASE_URL=openai_server.base_url,
        OPENAI_API_KEY="wrong-key-0123456789",
    )
    summary = json.loads(run.stdout)
    assert run.returncode == 1 and summary["failed"] <= 3 and summary["left"] >= 27
    assert "wrong-key" not in run.stdout + run.stderr


def test_a_budget_of_zero_asks_no_model_and_is_reported(
    ask: Ask, searches: str, tmp_path: Path, openai_server: OpenAIServer
) -> None:
    run = ask(
        MAYOR,
        *("--search", searches, "--model", "openai:tiny", "--budget-usd", "0", "--json"),
        OPENAI_BASE_URL=openai_server.base_url,
    )
    assert run.returncode == 1
    assert json.loads(run.stdout)["error"]["kind"] == "budget"
    assert openai_server.requests == []


def test_a_budget_in_dollars_needs_a_price(
    ask: Ask, searches: str, openai_server: OpenAIServer
) -> None:
    asked = ("--search", searches, "--model", "openai:tiny", "--budget-usd", "1", "--json")
    address = {"OPENAI_BASE_URL": openai_server.base_url}
    refused = ask(MAYOR, *asked, **address)
    error = json.loads(refused.stdout)["error"]
    assert (refused.returncode, error["kind"]) == (2, "usage")
    assert "The price of 'openai:tiny' is unknown" in error["message"]
    assert "OPENAI_COMPLETION_USD_PER_MILLION" in error["remedy"]
    assert openai_server.requests == []
    ours = {"OPENAI_PROMPT_USD_PER_MILLION": "0", "OPENAI_COMPLETION_USD_PER_MILLION": "0"}
    assert ask(MAYOR, *asked, **address, **ours).returncode == 0


def test_calls_recorded_in_a_store_are_replayed(
    ask: Ask, searches: str, sqlite_url: str, openai_server: OpenAIServer
) -> None:
    Store.open(sqlite_url, create=True)
    settings = ("--store", sqlite_url, "--as-of", "2024-03-14", "--json")
    environment = {"OPENAI_BASE_URL": openai_server.base_url}
    asked = ask(MAYOR, "--search", searches, "--model", "openai:tiny", *settings, **environment)
    assert asked.returncode == 0, asked.stderr
    replayed = ask(MAYOR, "--search", "replay", "--model", "replay", *settings)
    assert json.loads(replayed.stdout)["response"] == json.loads(asked.stdout)["response"]
    assert len(openai_server.requests) == 1


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 2, "Give a QUESTION or --questions FILE"),
        (["q?", "--questions", "f", "-o", "o"], 2, "Give a QUESTION or --questions FILE"),
        (["--questions", "f"], 2, "go together"),
        (["q?", "--as-of", "yesterday"], 2, "Invalid date"),
        (["q?", "--profile", "worst"], 2, "Unknown profile 'worst'"),
        (["q?", "--budget-usd", "much"], 2, "is not a number"),
        (["q?", "--search", "recorded:none.jsonl", "--method", "search-only"], 1, "none.jsonl"),
        (["--questions", "none.jsonl", "-o", "o"], 1, "SERPAPI_API_KEY"),
        (["q?", "--method", "oracle"], 2, "oracle"),
    ],
)
def test_wrong_usage_prints_one_line_and_exits_with_the_documented_code(
    ask: Ask, arguments: list[str], code: int, said: str
) -> None:
    run = ask(*arguments)
    assert run.returncode == code
    assert said in run.stderr and "Traceback" not in run.stderr


@pytest.mark.parametrize(
    ("text", "said"), [("", "no"), ("{}\n", "question"), ('{"question": " "}\n', "question")]
)
def test_a_file_without_questions_is_reported(
    ask: Ask, searches: str, tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "questions.jsonl").write_text(text, "utf-8")
    run = ask(
        "--questions", "questions.jsonl", "-o", "o", "--search", searches, "--method", "search-only"
    )
    assert run.returncode == 1 and said in run.stderr and "Traceback" not in run.stderr
    assert not (tmp_path / "o").exists()
