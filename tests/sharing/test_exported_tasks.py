"""Exported tasks without their harnesses: files, grading, logs."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from command_line import runner
from servers.openai_server import OpenAIServer, completion

from freshqa import sample
from freshqa.dataset.citation import Citation
from freshqa.dataset.release import read_release
from freshqa.errors import BadData
from freshqa.evaluation.fresheval import judge_response
from freshqa.evaluation.judgement import Mode, Verdict
from freshqa.evaluation.recorded import holds_verdicts, read_verdicts
from freshqa.evaluation.responses import read_responses
from freshqa.sharing.folder import write_folder
from freshqa.sharing.grading import Said, grade
from freshqa.sharing.harness_files import HARNESSES, harness_files
from freshqa.sharing.shared_version import SharedVersion
from freshqa.store.verifying import content_hash
from prefect_freshqa.blocks.language_models import OpenAIModel

ROWS = [
    question.with_key(f"q-{number}")
    for number, question in enumerate(read_release(sample.path("release.csv")).questions)
]
CANARY = "freshqa-canary:GUID:00000000-0000-5000-8000-000000000000"
SHARED = SharedVersion(
    Citation("freshqa", 3, date(2026, 3, 2), content_hash(ROWS)), ROWS, "", [], None, CANARY
)
FIRST, SECOND = ROWS[:2]


@pytest.mark.parametrize("harness", HARNESSES)
@pytest.mark.parametrize("mode", list(Mode))
def test_a_task_names_version_and_hash_and_holds_every_question(harness: str, mode: Mode) -> None:
    files = harness_files(SHARED, harness, mode=mode, split="TEST")
    said = json.loads(files["version.json"])
    assert (said["version"], said["mode"], said["canary"]) == (3, mode.value, CANARY)
    assert said["content_hash"] == f"sha256:{SHARED.citation.content_hash}"
    assert said["questions"] == len([q for q in ROWS if q.fields["split"] == "TEST"])
    whole = "\n".join(files.values())
    assert all(json.dumps(q.text) in whole or q.text in whole for q in ROWS[:5])
    for path, text in files.items():
        if path.endswith(".py"):
            compile(text, path, "exec")
        elif path.endswith((".yaml", ".cff")):
            yaml.compose(text)  # `!function` is a tag of lm-eval


REPLIES = {
    "right": ["comment: so.\nevaluation: correct"],
    "wrong": ["evaluation: incorrect"],
    "after a reminder": ["I wonder.", "evaluation: correct"],
    "never": ["I wonder.", "Hm.", "Hm."],
    "cut while thinking": [("<think>Let me", True), "evaluation: incorrect"],
    "cut after words": [("It is", True), "evaluation: correct"],
    "cut and empty": [("", True), "evaluation: correct"],
}


@pytest.mark.parametrize("case", REPLIES)
def test_a_harness_grades_as_we_do(case: str, openai_server: OpenAIServer) -> None:
    replies = [reply if isinstance(reply, tuple) else (reply, False) for reply in REPLIES[case]]
    openai_server.script(
        *(completion(text, finish_reason="length" if cut else "stop") for text, cut in replies)
    )
    model = OpenAIModel(model="judge", base_url=openai_server.base_url).get_model()
    ours = judge_response(FIRST, "Nobody.", mode=Mode.relaxed, judge=model)
    asked = [request.body for request in openai_server.requests]
    grading = grade(FIRST.text, FIRST.answers, "Nobody.", "relaxed")
    turns: list[dict[str, Any]] = []
    try:
        turn = next(grading)
        for text, cut in replies:
            chat = [{"role": m.role, "content": m.content} for m in turn.chat]
            turns.append({"messages": chat, "max_tokens": turn.max_tokens})
            turn = grading.send(Said(text, cut))
    except StopIteration as done:
        reply = done.value
    assert (reply.verdict, reply.comment) == (ours.verdict, ours.comment)
    assert [body["messages"] for body in asked] == [turn["messages"] for turn in turns]
    assert [body["max_tokens"] for body in asked] == [turn["max_tokens"] for turn in turns]


def test_an_empty_response_makes_no_call_to_the_judge() -> None:
    with pytest.raises(StopIteration) as done:
        next(grade("Who?", ["Ada"], " \n", "strict"))
    assert done.value.value.verdict is Verdict.unrated


def test_the_promptfoo_assertion_grades(
    openai_server: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = harness_files(SHARED, "promptfoo", mode=Mode.strict, split="TEST")
    write_folder({path: text.encode() for path, text in files.items()}, tmp_path)
    config = yaml.safe_load(files["promptfooconfig.yaml"])
    assert config["defaultTest"]["assert"][0]["value"] == "file://fresheval_assert.py"
    monkeypatch.setenv("OPENAI_BASE_URL", openai_server.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    monkeypatch.setenv("FRESHEVAL_JUDGE", "judge")
    monkeypatch.syspath_prepend(str(tmp_path))
    openai_server.answer = lambda body: "comment: so.\nevaluation: correct"
    grading = importlib.import_module("fresheval_assert").get_assert("Ada.", config["tests"][0])
    for name in ("fresheval_assert", "fresheval_judge"):
        sys.modules.pop(name)
    assert grading == {"pass": True, "score": 1.0, "reason": "correct: so."}
    assert "strict evaluation" in openai_server.prompts()[0]


def of_promptfoo(question: Mapping[str, str], output: str, reason: str) -> dict[str, Any]:
    return {
        "vars": dict(question),
        "response": {"output": output},
        "gradingResult": {"componentResults": [{"reason": reason}], "reason": reason},
    }


NAMED = [{"key": q.key, "question": q.text} for q in (FIRST, SECOND)]
LOGS: dict[str, list[Any]] = {
    "promptfoo": [
        {
            "evalId": "eval-1",
            "results": {
                "version": 3,
                "results": [
                    of_promptfoo(NAMED[0], "Nobody.", "correct: as given"),
                    of_promptfoo(NAMED[1], "Ada.", "unrated: no verdict"),
                ],
            },
        }
    ],
    "lm-eval": [
        {
            "doc_id": number,
            "doc": named,
            "resps": [[response]],
            "filtered_resps": [response],
            "fresheval": score,
        }
        for number, (named, response, score) in enumerate(
            zip(NAMED, ("Nobody.", "Ada."), (1.0, float("nan")), strict=True)
        )
    ],
    "inspect": [
        {
            "version": 2,
            "eval": {"task": "freshqa_v3"},
            "samples": [
                {
                    "id": named["key"],
                    "metadata": named,
                    "output": {"choices": [{"message": {"content": response}}]},
                    "scores": {"fresheval": {"value": value, "explanation": "as given"}},
                }
                for named, response, value in zip(
                    NAMED, ("Nobody.", "Ada."), ("C", float("nan")), strict=True
                )
            ],
        }
    ],
    "openai-evals": [
        {"spec": {"eval_name": "freshqa_v3.relaxed.v3", "run_id": "1"}},
        *(
            {"run_id": "1", "event_id": event, "sample_id": f"freshqa.{n}", "type": kind, "data": d}
            for event, (n, kind, d) in enumerate(
                (
                    (0, "sampling", {"prompt": [{"content": FIRST.text}], "sampled": ["Nobody."]}),
                    (0, "sampling", {"prompt": [{"content": "Judge"}], "sampled": ["Yes"]}),
                    (0, "metrics", {"key": "q-0", "choice": "correct", "score": 1.0}),
                    (1, "sampling", {"prompt": [{"content": SECOND.text}], "sampled": ["Ada."]}),
                    (1, "metrics", {"key": "q-1", "choice": "unrated", "score": None}),
                )
            )
        ),
        {"final_report": {"accuracy": 1.0}},
    ],
}


@pytest.mark.parametrize("harness", LOGS)
def test_a_log_is_read_as_responses_and_as_verdicts(harness: str, tmp_path: Path) -> None:
    log = tmp_path / "log.json"
    log.write_text("".join(f"{json.dumps(line)}\n" for line in LOGS[harness]))
    given = read_responses(log).responses
    assert [(response.question, response.text) for response in given] == [
        (FIRST.text, "Nobody."),
        (SECOND.text, "Ada."),
    ]
    assert holds_verdicts(log)
    verdicts = read_verdicts(log).by_question.values()
    assert [judgement.verdict for judgement in verdicts] == [Verdict.correct, Verdict.unrated]


def test_a_reply_that_openai_evals_could_not_read_is_unrated(tmp_path: Path) -> None:
    """Its own model-graded evals count such a reply as the lowest score."""
    log = tmp_path / "log.jsonl"
    *events, report = LOGS["openai-evals"]
    events[-1] = {**events[-1], "data": {"choice": "__invalid__", "score": 0.0}}
    log.write_text("".join(f"{json.dumps(line)}\n" for line in (*events, report)))
    verdicts = read_verdicts(log).by_question.values()
    assert [judgement.verdict for judgement in verdicts] == [Verdict.correct, Verdict.unrated]


def test_a_broken_log_is_refused(tmp_path: Path) -> None:
    import zipfile

    log = tmp_path / "log.eval"
    with zipfile.ZipFile(log, "w") as archive:
        archive.writestr("header.json", "{}")
        archive.writestr("samples/q-0_epoch_1.json", "{cut")
    with pytest.raises(BadData, match="is not a readable Inspect log"):
        read_responses(log)


def test_the_command_writes_a_task(tmp_path: Path) -> None:
    store = runner(tmp_path)
    assert store("init").code == 0
    assert store("import", sample.path("release.csv"), "--as-of", "2026-03-02").code == 0
    done = store("export", "inspect", "-o", str(tmp_path / "task"), "--json")
    assert done.code == 0, done.stderr
    assert "task.py" in done.json["files"]
    nothing = store("export", "lm-eval", "-o", str(tmp_path / "no"), "--split", "OTHER")
    assert nothing.code == 3 and not (tmp_path / "no").exists()
    assert store("export", "other", "-o", "x").code == 2
