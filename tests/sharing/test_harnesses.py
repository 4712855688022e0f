"""Exported tasks run in the real harnesses on loopback, and their logs are read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from servers.openai_server import OpenAIServer

from freshqa import sample
from freshqa.dataset.citation import Citation
from freshqa.dataset.question import Question
from freshqa.dataset.release import read_release
from freshqa.evaluation.fresheval import judge_response
from freshqa.evaluation.harness_logs import records_of_log
from freshqa.evaluation.judgement import Mode, Verdict
from freshqa.evaluation.recorded import read_verdicts
from freshqa.evaluation.responses import pair, read_responses
from freshqa.sharing.folder import write_folder
from freshqa.sharing.harness_files import harness_files
from freshqa.sharing.shared_version import SharedVersion
from freshqa.store.verifying import content_hash
from prefect_freshqa.blocks.resolve import load_model

ROWS = [
    question.with_key(f"q-{number}")
    for number, question in enumerate(read_release(sample.path("release.csv")).questions)
]
SHARED = SharedVersion(
    Citation("freshqa", 3, date(2026, 3, 2), content_hash(ROWS)), ROWS, "", [], None, ""
)
ASKED = [question for question in ROWS if question.fields["split"] == "TEST"][:6]
SHORT = SharedVersion(SHARED.citation, ASKED, "", [], None, "")


MODULE = (sys.executable, "-m")
PROMPTFOO = Path(os.environ.get("FRESHQA_PROMPTFOO", f"{sys.prefix}/node_modules/.bin/promptfoo"))


def reply(body: Mapping[str, Any]) -> str:
    """A model that repeats the question, and a judge with every kind of verdict."""
    first = next(m["content"] for m in body["messages"] if m["role"] == "user")
    if "correct answer(s):" not in first:
        return f"It is said that {first}"
    number = len(first.rsplit("question: ", 1)[1].split("\n", 1)[0]) % 3
    reminded = len([m for m in body["messages"] if m["role"] == "user"]) > 1
    if number == 2 and not reminded:
        return "I wonder."  # read only after a reminder
    return ("comment: so.\nevaluation: correct", "evaluation: incorrect", "evaluation: correct")[
        number
    ]


@pytest.fixture
def world(openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> OpenAIServer:
    openai_server.answer = reply
    monkeypatch.setenv("OPENAI_BASE_URL", openai_server.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    return openai_server


def run(folder: Path, *command: str | Path, **environment: str) -> None:
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "hf"), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


def agrees_to_the_row(log: Path, asked: list[Question]) -> None:
    """Their verdicts, read from the log, are ours on the responses read from the log."""
    paired = pair(read_responses(log).responses, ROWS)
    judge = load_model("openai:judge")
    ours = {
        question.key: judge_response(question, given.text, mode=Mode.relaxed, judge=judge).verdict
        for question, given in paired.pairs
    }
    recorded = read_verdicts(log).by_question
    harness_verdicts = {key: recorded[Mode.relaxed, key].verdict for key in ours}
    assert ours == harness_verdicts
    assert sorted(ours) == sorted(question.key for question in asked)
    assert {Verdict.correct, Verdict.incorrect} <= set(ours.values())


@pytest.mark.harness
@pytest.mark.parametrize("format", ["eval", "json"])
def test_a_task_runs_in_inspect(
    format: str, world: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("inspect_ai", reason="harness: inspect_ai is not installed")
    files = harness_files(SHORT, "inspect", mode=Mode.relaxed, split="TEST")
    write_folder({path: text.encode() for path, text in files.items()}, tmp_path)
    # Inspect's provider for servers that speak chat completions alone
    monkeypatch.setenv("LOCAL_BASE_URL", world.base_url)
    monkeypatch.setenv("LOCAL_API_KEY", "key")
    judge = ("--model-role", "grader=openai-api/local/judge")
    shown = ("--display", "none", "--log-format", format, "--log-dir", "logs")
    run(
        tmp_path,
        *MODULE,
        "inspect_ai",
        "eval",
        "task.py",
        "--model",
        "openai-api/local/tested",
        *judge,
        *shown,
    )
    (log,) = (tmp_path / "logs").glob(f"*.{format}")
    agrees_to_the_row(log, ASKED)
    from inspect_ai.log import read_eval_log

    said = read_eval_log(str(log)).eval.metadata or {}
    assert said["content_hash"] == f"sha256:{SHARED.citation.content_hash}"
    assert said["version"] == 3


@pytest.mark.harness
def test_a_task_runs_in_lm_eval(world: OpenAIServer, tmp_path: Path) -> None:
    pytest.importorskip("lm_eval", reason="harness: lm_eval is not installed")
    files = harness_files(SHORT, "lm-eval", mode=Mode.relaxed, split="TEST")
    write_folder({path: text.encode() for path, text in files.items()}, tmp_path)
    url = f"model=tested,base_url={world.base_url}/chat/completions,num_concurrent=1"
    run(
        tmp_path,
        *MODULE,
        *("lm_eval", "--include_path", ".", "--tasks", "freshqa_v3"),
        *("--model", "local-chat-completions", "--model_args", url, "--apply_chat_template"),
        *("--log_samples", "--output_path", "results"),
        FRESHEVAL_JUDGE="judge",
    )
    (log,) = (tmp_path / "results").rglob("samples_*.jsonl")
    agrees_to_the_row(log, ASKED)
    (results,) = (tmp_path / "results").rglob("results_*.json")
    said = json.loads(results.read_text())["configs"]["freshqa_v3"]["metadata"]
    assert said["content_hash"] == f"sha256:{SHARED.citation.content_hash}"


@pytest.mark.harness
@pytest.mark.skipif(not PROMPTFOO.is_file(), reason=f"harness: there is no {PROMPTFOO}")
def test_a_task_runs_in_promptfoo(world: OpenAIServer, tmp_path: Path) -> None:
    files = harness_files(SHORT, "promptfoo", mode=Mode.relaxed, split="TEST")
    write_folder({path: text.encode() for path, text in files.items()}, tmp_path)
    log = tmp_path / "results.json"
    run(
        tmp_path,
        *(PROMPTFOO, "eval", "-c", "promptfooconfig.yaml", "-o", log, "--no-cache"),
        *("--providers", "openai:chat:tested"),
        FRESHEVAL_JUDGE="judge",
        PROMPTFOO_PYTHON=sys.executable,
        PROMPTFOO_CONFIG_DIR=str(tmp_path / "promptfoo"),
        PROMPTFOO_FAILED_TEST_EXIT_CODE="0",  # incorrect responses are no failure of the run
        PROMPTFOO_DISABLE_TELEMETRY="1",
        PROMPTFOO_DISABLE_UPDATE="1",
        PROMPTFOO_DISABLE_REMOTE_GENERATION="1",
    )
    agrees_to_the_row(log, ASKED)
    said = json.loads(log.read_text())["config"]["tags"]
    assert said["content_hash"] == f"sha256:{SHARED.citation.content_hash}"


@pytest.mark.harness
def test_a_task_runs_in_openai_evals(world: OpenAIServer, tmp_path: Path) -> None:
    pytest.importorskip("evals", reason="harness: evals is not installed")
    files = harness_files(SHORT, "openai-evals", mode=Mode.relaxed, split="TEST")
    write_folder({path: text.encode() for path, text in files.items()}, tmp_path)
    log = tmp_path / "log.jsonl"
    run(
        tmp_path,
        *MODULE,
        *("evals.cli.oaieval", "fresheval/model,fresheval/judge", "freshqa_v3"),
        *("--registry_path", "registry", "--record_path", str(log)),
        FRESHEVAL_MODEL="tested",
        FRESHEVAL_JUDGE="judge",
        EVALS_THREADS="2",
    )
    agrees_to_the_row(log, ASKED)
    events = [json.loads(line) for line in log.read_text().splitlines()]
    said = events[0]["spec"]["run_config"]["eval_spec"]["args"]["described"]
    assert said["content_hash"] == f"sha256:{SHARED.citation.content_hash}"
    given = [record["verdict"] for record in records_of_log(log.read_bytes(), name="log") or ()]
    (report,) = [event["final_report"] for event in events if "final_report" in event]
    assert report["accuracy"] == given.count("correct") / len(given)
