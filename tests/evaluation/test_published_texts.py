"""The published files are used unchanged: `instruction.yaml` of RGB and the FreshEval notebooks."""

from __future__ import annotations

import hashlib
import json
from datetime import date
from pathlib import Path

import pytest
from evaluation.rgb_items import testbed
from evaluation.scripted_model import ScriptedModel
from evaluation.town import responses_file

from freshqa.answering.documents_prompt import Style, instruction_source, read_instruction
from freshqa.dataset.question import Question
from freshqa.errors import ErrorKind, UsageError
from freshqa.evaluation.fresheval import judge_response
from freshqa.evaluation.judge_prompt import judge_prompts, published, read_judge_prompt
from freshqa.evaluation.judgement import Mode, Verdict
from freshqa.evaluation.prompt_identity import rgb_recipe_hash
from freshqa.evaluation.rgb.reader import ModelReader
from freshqa.evaluation.rgb.testbed import Kind, write_testbed

DAY = date(2026, 3, 9)
YAML = """\
en:
  system: "Read with care. Say 'insufficient information' or 'factual errors'."
  instruction: "Docs:\\n{DOCS} \\n\\nAsk:\\n{QUERY}"
zh:
  system: "请仔细阅读。"
  instruction: "文档：\\n{DOCS} \\n\\n问题：\\n{QUERY}"
"""
CELL = r"""#@title Instructions
prefix = (
    "Judge under strict evaluation."
    " Answers cost \$1."
)
demo_examples = [
    {
        "question": "How old is Ada?",
        "correct_answers": ["7", "seven"],
        "response": (
            f"As of today {current_date}, she is"
            " 7."
        ),
        "comment": "Thus, the response is credited.",
        "evaluation": "correct",
    },
]
demo_questions = [ex["question"] for ex in demo_examples]
"""
TEXT = """\
Judge under relaxed evaluation.


question: Is water wet?
correct answer(s): Yes
response: Yes.
comment: Thus, the response is credited.
evaluation: correct
"""


def notebook(path: Path, cell: str = CELL) -> Path:
    cells = [
        {"cell_type": "code", "source": ["!pip install openai"]},
        {"cell_type": "code", "source": cell.splitlines(keepends=True)},
    ]
    path.write_text(json.dumps({"cells": cells, "nbformat": 4}), "utf-8")
    return path


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_the_prompt_in_the_file_is_sent_to_the_model(tmp_path: Path) -> None:
    file = written(tmp_path, "instruction.yaml", YAML)
    model = ScriptedModel(lambda chat: "Rome")
    reader = ModelReader(model, style=Style.literal, instruction=read_instruction(file))
    reader.read("Where?", ("It was in {QUERY}.", "It was\nin Rome."), language="en")
    reader.read("哪里？", ("罗马。",), language="zh")
    reader.read("Where?", (), language="en")
    system, user = model.asked[0]
    assert system.content == "Read with care. Say 'insufficient information' or 'factual errors'."
    assert user.content == "Docs:\nIt was in {QUERY}.\nIt was in Rome. \n\nAsk:\nWhere?"
    assert model.asked[1][0].content == "请仔细阅读。"
    assert [message.content for message in model.asked[2]] == ["Docs:\n \n\nAsk:\nWhere?"]


def test_the_name_and_hash_of_a_prompt_identify_its_source(tmp_path: Path) -> None:
    instruction = read_instruction(written(tmp_path, "instruction.yaml", YAML))
    sha256 = hashlib.sha256(YAML.encode()).hexdigest()
    assert instruction_source(Style.literal, instruction).to_json() == {
        "name": "instruction.yaml",
        "sha256": sha256,
    }
    ours = instruction_source(Style.literal)
    assert ours.name == "ours: RGB's setting, our wording (literal)"
    assert ours.sha256 != instruction_source(Style.structured).sha256
    assert rgb_recipe_hash(Style.literal, instruction) != rgb_recipe_hash(Style.literal)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "not found"),
        ("", "is empty"),
        ("en: [", "is not valid YAML in line 1"),
        ("- en", "does not hold languages"),
        ("fr: {system: a, instruction: '{QUERY} {DOCS}'}", "holds none of: en, zh"),
        ("en: {instruction: '{QUERY} {DOCS}'}", "has no text at en: system"),
        ("en: {system: a, instruction: '{QUERY}'}", "lacks {DOCS} at en: instruction"),
        ("en: {system: a, instruction: 7}", "has no text at en: instruction"),
    ],
)
def test_an_invalid_instruction_file_is_reported_in_one_line_with_a_remedy(
    cli, tmp_path: Path, text: str | None, message: str
) -> None:
    file = tmp_path / "own.yaml"
    if text is not None:
        file.write_text(text, "utf-8")
    bed = tmp_path / "base.jsonl"
    bed.write_bytes(write_testbed(testbed(Kind.base).items))
    done = cli("qualify", "--testbed", bed, "--method", "rgb", "--model", "openai:reader",
               "--instruction", file, "--json")  # fmt: skip
    assert done.code == 2
    error = done.json["error"]
    assert error["message"].startswith("--instruction: ") and "own.yaml" in error["message"]
    assert message in error["message"] and "\n" not in error["message"]
    assert "instruction.yaml" in error["remedy"]


def test_qualify_uses_the_file_and_records_it(cli, prefect_api, judge_server, tmp_path) -> None:
    judge_server.answer = lambda body: "I can not answer: insufficient information."
    file = written(tmp_path, "instruction.yaml", YAML)
    bed = tmp_path / "base.jsonl"
    bed.write_bytes(write_testbed(testbed(Kind.base).items))
    usual = ("qualify", "--testbed", bed, "--method", "rgb", "--model", "openai:reader",
             "--scoring", "official", "--as-of", "2026-03-09", "--json")  # fmt: skip
    replaced = cli(*usual, "--instruction", file)
    assert replaced.code == 0, replaced.err
    prompt = {"name": "instruction.yaml", "sha256": hashlib.sha256(YAML.encode()).hexdigest()}
    assert replaced.json["texts"] == {"prompt": prompt}
    sent = judge_server.requests[-1].body["messages"]
    assert sent[0]["content"].startswith("Read with care.")
    ours = cli(*usual)
    assert ours.json["texts"]["prompt"]["name"] == "ours: RGB's setting, our wording (literal)"
    assert ours.json["prompt_hash"] != replaced.json["prompt_hash"]
    refused = cli("qualify", "--testbed", bed, "--model", "openai:reader", "--instruction", file,
                  "--json")  # fmt: skip
    assert refused.code == 2 and "is for method rgb" in refused.json["error"]["message"]


def test_the_notebook_is_read_without_being_run(tmp_path: Path) -> None:
    prompt = read_judge_prompt(notebook(tmp_path / "fresheval_strict.ipynb"))
    assert prompt.says is Mode.strict and prompt.source.name == "fresheval_strict.ipynb"
    chat = prompt.messages("Who?", ["A", "B"], "It is A.", as_of=DAY)
    assert chat[0].content.endswith("Knowledge cutoff: March 09, 2026.")
    assert chat[-1].content == (
        "Judge under strict evaluation. Answers cost \\$1.\n\n\n"
        "question: How old is Ada?\ncorrect answer(s): 7 | seven\n"
        "response: As of today March 09, 2026, she is 7.\n"
        "comment: Thus, the response is credited.\nevaluation: correct\n\n\n"
        "question: Who?\ncorrect answer(s): A | B\nresponse: It is A.\ncomment: "
    )


def test_a_text_file_is_put_before_the_case_unchanged(tmp_path: Path) -> None:
    template = "\n\n\nquestion: {question}\nresponse: {response}\ncomment: "
    for text in (TEXT, TEXT.rstrip() + template):
        prompt = read_judge_prompt(written(tmp_path, "relaxed.txt", text))
        asked = prompt.messages("Q?", ["A"], "R", as_of=DAY)[-1].content
        assert asked == TEXT.rstrip() + (
            "\n\n\nquestion: Q?\ncorrect answer(s): A\nresponse: R\ncomment: "
        )


def test_a_response_is_judged_with_the_published_prompt(tmp_path: Path) -> None:
    prompts = judge_prompts([written(tmp_path, "relaxed.txt", TEXT)], [Mode.relaxed])
    model = ScriptedModel(lambda chat: "Right.\nevaluation: correct")
    judged = judge_response(
        Question({"question": "Q?", "answer_0": "A"}),
        "A",
        mode=Mode.relaxed,
        judge=model,
        words=published(prompts, as_of=DAY),
    )
    assert judged.verdict is Verdict.correct
    assert model.asked[0][-1].content.startswith("Judge under relaxed evaluation.")


def test_prompt_files_must_match_the_modes(tmp_path: Path) -> None:
    relaxed = written(tmp_path, "relaxed.txt", TEXT)
    strict = notebook(tmp_path / "strict.ipynb")
    silent = written(tmp_path, "silent.txt", TEXT.replace("relaxed evaluation", "care"))
    both = judge_prompts([strict, relaxed], list(Mode))
    assert {mode: prompt.source.name for mode, prompt in both.items()} == {
        Mode.relaxed: "relaxed.txt",
        Mode.strict: "strict.ipynb",
    }
    assert Mode.strict in judge_prompts([silent], [Mode.strict])
    assert judge_prompts([], list(Mode)) == {}
    for files, modes in (
        ([strict], [Mode.relaxed]),
        ([relaxed], list(Mode)),
        ([silent], list(Mode)),
        ([relaxed, relaxed], [Mode.relaxed]),
    ):
        with pytest.raises(UsageError, match="--judge-prompt"):
            judge_prompts(files, modes)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("none.ipynb", None, "not found"),
        ("empty.txt", " ", "is empty"),
        ("text.txt", "Judge well.", "holds no demonstration"),
        ("broken.ipynb", "{", "is not a notebook"),
        ("other.ipynb", '{"cells": []}', "assigns no `prefix` and `demo_examples`"),
        ("list.ipynb", "[]", "is not a notebook"),
    ],
)
def test_an_invalid_judge_prompt_is_reported_in_one_line_with_a_remedy(
    cli, tmp_path: Path, name: str, text: str | None, message: str
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text, "utf-8")
    done = cli("evaluate", "--responses", responses_file(tmp_path), "--judge", "openai:judge",
               "--judge-prompt", tmp_path / name, "--json")  # fmt: skip
    assert done.code == 2
    error = done.json["error"]
    assert error["message"].startswith("--judge-prompt: ") and name in error["message"]
    assert message in error["message"] and error["remedy"].startswith("Give fresheval_relaxed")


@pytest.mark.parametrize("what", ["missing", "folder"])
@pytest.mark.parametrize(
    ("command", "option"),
    [
        (("qualify", "--testbed", "BED", "--model", "openai:reader", "--method", "rgb"),
         "--instruction"),
        (("qualify", "--testbed", "BED", "--model", "openai:reader", "--judge", "openai:judge"),
         "--judge-prompt"),
        (("testbed", "-o", "beds", "--model", "openai:reader"), "--instruction"),
        (("testbed", "-o", "beds", "--model", "openai:reader", "--judge", "openai:judge"),
         "--judge-prompt"),
        (("ask", "Who?", "--method", "rgb", "--model", "openai:reader", "--search", "serpapi"),
         "--instruction"),
        (("evaluate", "--method", "rgb", "--model", "openai:reader", "--judge", "lexical"),
         "--instruction"),
        (("evaluate", "--method", "closed-book", "--model", "openai:reader", "--judge", "openai:judge"),
         "--judge-prompt"),
    ],
)  # fmt: skip
def test_an_unreadable_file_is_reported_in_one_line_by_every_command(
    cli, tmp_path: Path, command: tuple[str, ...], option: str, what: str
) -> None:
    file = tmp_path / "theirs"
    if what == "folder":
        file.mkdir()
    bed = tmp_path / "base.jsonl"
    bed.write_bytes(write_testbed(testbed(Kind.base).items))
    done = cli(*(bed if part == "BED" else part for part in command), option, file, "--json")
    assert done.code == 2, done.err
    error = done.json["error"]
    reason = "not found" if what == "missing" else "cannot read"
    assert error["message"].startswith(f"{option}: ") and reason in error["message"]
    assert str(file) in error["message"] and "\n" not in error["message"] + error["remedy"]
    assert error["remedy"].startswith("Give ")


def test_qualify_judges_replies_with_the_published_prompt(
    cli, prefect_api, judge_server, tmp_path: Path
) -> None:
    prompt = written(tmp_path, "strict.txt", TEXT.replace("relaxed", "strict"))
    bed = tmp_path / "base.jsonl"
    bed.write_bytes(write_testbed(testbed(Kind.base).items))

    def reply(body: dict[str, object]) -> str:
        asked = str(body["messages"][-1]["content"])  # type: ignore[index]
        if "Judge under strict evaluation." in asked:
            return "evaluation: correct" if "fair 0 " in asked else "evaluation: incorrect"
        return "addressed: yes" if "addressed:" in asked else "status: answered\nanswer: a town"

    judge_server.answer = reply
    usual = ("qualify", "--testbed", bed, "--method", "rgb", "--model", "openai:reader",
             "--as-of", "2026-03-09", "--json")  # fmt: skip
    judged = cli(*usual, "--judge", "openai:judge", "--judge-prompt", prompt)
    assert judged.code == 0, judged.err
    noise, rejection = judged.json["details"]
    assert (noise["rates"]["ACC*"]["hits"], noise["rates"]["ACC*"]["n"]) == (1, 6)
    assert noise["rates"]["ACC"]["hits"] == 0
    assert "ACC*" not in rejection["rates"], "without an answering document nothing is right"
    assert judged.json["texts"]["judge (accuracy)"]["name"] == "strict.txt"
    plain = cli(*usual, "--judge", "openai:judge")
    assert "ACC*" not in plain.json["details"][0]["rates"]
    shown = cli(*usual[:-1], "--judge", "openai:judge", "--judge-prompt", prompt)
    assert "ACC*" in shown.out
    alone = cli(*usual, "--judge-prompt", prompt)
    assert alone.code == 2 and alone.json["error"]["message"] == "--judge-prompt needs a judge."


def test_a_testbed_of_known_facts_uses_the_verdicts_of_the_judge(
    cli, judge_server, tmp_path: Path
) -> None:
    prompt = written(tmp_path, "relaxed.txt", TEXT)

    def reply(body: dict[str, object]) -> str:
        asked = str(body["messages"][-1]["content"])  # type: ignore[index]
        return "evaluation: correct" if "evaluation." in asked else "I know, but in other words."

    judge_server.answer = reply
    usual = ("testbed", "-o", "beds", "--model", "openai:reader", "--json")
    words = cli(*usual)
    assert words.json["closed_book"]["known"] == 0
    judged = cli(*usual, "--judge", "openai:judge", "--judge-prompt", prompt)
    assert judged.code == 0, judged.err
    assert judged.json["closed_book"] == {"asked": 4, "known": 4, "accuracy": 1.0}
    assert judged.json["texts"]["judge (accuracy)"]["name"] == "relaxed.txt"
    for option, needs in (("--judge", "model"), ("--judge-prompt", "judge")):
        alone = cli("testbed", "-o", "beds", option, "x", "--json")
        assert alone.code == 2
        assert alone.json["error"]["message"] == f"{option} needs a {needs}."


def test_a_notebook_that_computes_its_prompt_is_refused(tmp_path: Path) -> None:
    cell = 'prefix = open("/etc/hostname").read()\ndemo_examples = []\n'
    with pytest.raises(UsageError, match="assigns no `prefix`") as refused:
        read_judge_prompt(notebook(tmp_path / "n.ipynb", cell))
    assert refused.value.kind is ErrorKind.usage


def test_evaluate_records_the_source_of_the_judge_prompt(
    cli, prefect_api, judge_server, tmp_path
) -> None:
    responses = responses_file(tmp_path)
    judge_server.answer = lambda body: "evaluation: correct"
    usual = ("evaluate", "--responses", responses, "--judge", "openai:judge", "--json")
    ours = cli(*usual)
    assert ours.code == 0, ours.err
    name = ours.json["texts"]["judge (relaxed)"]["name"]
    assert name == "ours: FreshEval's criteria, our wording (relaxed)"
    replaced = cli(*usual, "--judge-prompt", written(tmp_path, "relaxed.txt", TEXT))
    assert replaced.json["texts"]["judge (relaxed)"] == {
        "name": "relaxed.txt",
        "sha256": hashlib.sha256(TEXT.encode()).hexdigest(),
    }
    assert not replaced.json["resumed"]
    assert "Is water wet?" in judge_server.requests[-1].body["messages"][-1]["content"]
    lexical = cli("evaluate", "--responses", responses, "--judge", "lexical", "--json")
    assert lexical.json["texts"] == {}
    wrong = cli("evaluate", "--responses", responses, "--judge", "lexical", "--judge-prompt",
                tmp_path / "relaxed.txt", "--json")  # fmt: skip
    assert wrong.code == 2
