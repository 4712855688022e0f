"""The baselines and ablations of Table 1 of the paper, and custom demonstrations."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from answering.test_methods import AS_OF, MAYOR, QUESTION, Pages, hit
from evaluation.scripted_model import ScriptedModel

from freshqa.answering.baselines import CLOSED_BOOK
from freshqa.answering.method_options import Way
from freshqa.answering.methods import answer
from freshqa.answering.response import Response
from freshqa.answering.settings import AnswerSettings, settings_for
from freshqa.errors import UsageError
from freshqa.evaluation.prompt_identity import recipe_hash
from freshqa.evaluation.texts import method_texts

PAPER = settings_for("paper-gpt4")
HEAD = [
    ("system", "Knowledge cutoff: March 13, 2024."),
    ("user", "What's today's date?"),
    ("assistant", "Today is March 13, 2024 in Pacific Standard Time."),
]


def asked(
    method: str, reply: str = "Cleo Waffle", settings: AnswerSettings = PAPER
) -> tuple[Response, list[tuple[str, str]]]:
    model = ScriptedModel(lambda chat: reply)
    response = answer(
        QUESTION, method=method, as_of=AS_OF, search=None, model=model, settings=settings
    )
    return response, [(message.role, message.content) for message in model.asked[0]]


def test_vanilla_sends_only_the_question() -> None:
    response, chat = asked("closed-book", "Cleo Waffle is the mayor.", settings_for("best"))
    assert [
        (role, text[-len(end) :]) for (role, text), (_, end) in zip(chat[:3], HEAD, strict=True)
    ] == HEAD
    assert chat[-1] == ("user", QUESTION) and len(chat) == 4
    assert (response.method, response.searches, response.evidence) == ("closed-book", (), ())
    assert response.text == "Cleo Waffle is the mayor."


def test_q_a_sends_one_question_in_the_q_and_a_format() -> None:
    response, chat = asked("q-a", "Cleo Waffle\n\nQ: Who else?\nA: Bo Butter")
    assert chat == [("user", f"Q: {QUESTION}\nA: ")]
    assert (response.text, response.answer) == ("Cleo Waffle", "Cleo Waffle")


def test_few_shot_shows_the_freshprompt_demonstrations_without_evidence() -> None:
    _, chat = asked("few-shot")
    prompt = chat[-1][1]
    assert prompt.count("Q: ") == prompt.count("\nA: ") == 6
    assert "A: The Great Fire of London took place in 1666." in prompt
    assert "encyclopedia.example" not in prompt and prompt.endswith(f"Q: {QUESTION}\nA: ")
    _, fewer = asked("few-shot", settings=AnswerSettings(demonstrations=2))
    assert fewer[-1][1].count("Q: ") == 3


def test_chain_of_thought_asks_for_reasoning_before_the_answer() -> None:
    reply = "She won the vote in 2024. So the answer is: Cleo Waffle."
    response, chat = asked("chain-of-thought", reply)
    example = "The United Kingdom left on January 31, 2020. Thus, the European Union then had 27"
    assert example in chat[-1][1] and "So the answer is: 27." in chat[-1][1]
    assert response.text == reply
    assert response.answer == "Cleo Waffle"


@pytest.mark.parametrize("method", CLOSED_BOOK)
def test_the_256_tokens_ablation_changes_the_limit_and_the_recipe(method: str) -> None:
    assert settings_for("paper-gpt4/256-tokens").max_tokens == 256
    assert recipe_hash(method, settings_for("paper-gpt4")) != recipe_hash(
        method, settings_for("paper-gpt4/256-tokens")
    )


def test_methods_that_search_need_a_search_engine() -> None:
    with pytest.raises(UsageError, match="needs a search engine"):
        asked("freshprompt")


def prompt_of(settings: AnswerSettings, pages: Mapping[str, Any]) -> str:
    model = ScriptedModel(lambda chat: "Cleo Waffle")
    answer(
        QUESTION,
        method="freshprompt",
        as_of=AS_OF,
        search=Pages(pages),
        model=model,
        settings=settings,
    )
    return model.asked[0][-1].content


def own_part(prompt: str) -> str:
    return prompt.rsplit("query: ", 1)[-1]


def test_snippets_only_shows_nothing_but_snippets_in_the_orders_of_table_1() -> None:
    pages = {QUESTION: MAYOR}
    by_time = own_part(prompt_of(settings_for("paper-gpt4/snippets-only"), pages))
    by_search = own_part(prompt_of(settings_for("paper-gpt4/snippets-only/search-order"), pages))
    snippets = [
        "snippet: Cleo Waffle has been mayor of Pancake City since 2024.",
        "snippet: Mayor Bo Butter of Pancake City stays.",
        "snippet: Cleo Waffle is the new mayor of Pancake City.",
    ]
    assert by_time.split("\n\n")[1:-1] == snippets
    assert by_search.split("\n\n")[1:-1] == [snippets[1], snippets[2], snippets[0]]
    assert "source:" not in prompt_of(settings_for("paper-gpt4/snippets-only"), pages)
    settings_for("paper-gpt4/snippets-only/random-order")


def test_the_answer_box_may_be_cut_by_paper_cut_and_by_1_evidence() -> None:
    pages = {QUESTION: MAYOR}
    prompt_part = own_part(prompt_of(settings_for("paper-gpt4/1-evidence"), pages))
    assert "New mayor" in prompt_part and "city.example" not in prompt_part
    dated = [hit(n, f"Day {n}", f"Pancake City {n}", f"Mar {n}, 2024") for n in range(1, 11)]
    many = {QUESTION: {**MAYOR, "organic_results": dated}}
    assert "city.example" in own_part(prompt_of(settings_for("paper-gpt4"), many))
    assert "city.example" not in own_part(prompt_of(settings_for("paper-gpt4/paper-cut"), many))


def test_rgb_prompts_show_findings_as_documents(tmp_path: Path) -> None:
    file = tmp_path / "instruction.yaml"
    file.write_text("en: {system: Read., instruction: '{DOCS}|{QUERY}'}", "utf-8")
    model = ScriptedModel(lambda chat: "Cleo Waffle")
    way = Way("rgb", "paper-gpt4", instruction=str(file))
    response = answer(
        QUESTION,
        method="rgb",
        as_of=AS_OF,
        search=Pages({QUESTION: MAYOR}),
        model=model,
        settings=way.settings(as_of=AS_OF),
    )
    system, user = model.asked[0]
    documents, query = user.content.split("|")
    assert (system.content, query) == ("Read.", QUESTION)
    assert documents.split("\n")[1:] == [
        "Mayor re-elected Mayor Bo Butter of Pancake City stays.",
        "New mayor Cleo Waffle is the new mayor of Pancake City.",
    ]
    assert response.answer == "Cleo Waffle" and len(response.searches) == 1
    texts = method_texts("rgb", "paper-gpt4", way.settings(as_of=AS_OF))
    assert texts["prompt"]["name"] == "instruction.yaml"
    ours = method_texts("rgb", "paper-gpt4", settings_for("paper-gpt4"))
    assert ours["prompt"]["name"] == "ours: RGB's setting, our wording (literal)"
    with pytest.raises(UsageError, match="is for method rgb"):
        Way("freshprompt", "best", instruction=str(file)).settings(as_of=AS_OF)


def lines(folder: Path, *records: Mapping[str, Any]) -> Path:
    path = folder / "mine.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


RIVER = "Which river runs through Pancake City?"
RIVER_PAGE = {"organic_results": [hit(n, f"R{n}", f"Syrup {n}") for n in range(1, 11)]}


def test_own_demonstrations_show_as_many_evidences_as_the_question(tmp_path: Path) -> None:
    file = lines(tmp_path, {"question": RIVER, "answer": "It is the Syrup.", "short": "The Syrup"})
    search = Pages({QUESTION: MAYOR, RIVER: RIVER_PAGE})
    shown = {}
    for profile in ("paper-gpt4/5-evidences", "paper-gpt4/10-evidences"):
        way = Way("freshprompt", profile, demonstrations=str(file))
        settings = way.settings(as_of=AS_OF, search=search)
        shown[profile] = prompt_of(settings, {QUESTION: MAYOR}).split("\n\n\n")[0]
    assert [block.count("source: ") for block in shown.values()] == [5, 10]
    assert search.queries == [RIVER, RIVER]
    assert shown["paper-gpt4/5-evidences"].startswith(f"query: {RIVER}\n\nsource: ")
    assert shown["paper-gpt4/5-evidences"].endswith("It is the Syrup.")


def test_demonstrations_with_evidence_in_the_file_are_not_searched(tmp_path: Path) -> None:
    recorded = {"question": RIVER, "answer": "The Syrup.", "response": RIVER_PAGE}
    written = {
        "question": "Who baked first?",
        "answer": "Ada.",
        "evidence": [{"kind": "organic", "snippet": "Ada baked."}],
    }
    search = Pages({})
    way = Way("freshprompt", "paper-gpt4", demonstrations=str(lines(tmp_path, recorded, written)))
    settings = way.settings(as_of=AS_OF, search=search)
    assert search.queries == []
    prompt = prompt_of(settings, {QUESTION: MAYOR})
    assert "snippet: Syrup 10" in prompt and "snippet: Ada baked." in prompt


RELEASE = (
    "id,split,question,effective_year,next_review,false_premise,num_hops,fact_type,source,"
    "answer_0,answer_1\n"
    "0,TEST,Who is first?,2024,weekly,FALSE,one-hop,fast-changing,,Ada,\n"
    "1,DEV,Which river runs here?,before 2022,,FALSE,one-hop,never-changing,,The Syrup,Syrup\n"
    "2,DEV,When did Ada win twice?,before 2022,,TRUE,one-hop,never-changing,,Ada won once.,\n"
)


def test_dev_rows_of_a_release_serve_as_demonstrations(tmp_path: Path) -> None:
    file = tmp_path / "release.csv"
    file.write_text(RELEASE, "utf-8")
    search = Pages({"Which river runs here?": RIVER_PAGE})
    way = Way("freshprompt", "best", demonstrations=str(file))
    settings = way.settings(as_of=AS_OF, search=search)
    assert settings.examples is not None
    first, second = settings.examples.demonstrations
    assert (first.question, first.concise, first.short) == (
        "Which river runs here?",
        "The Syrup.",
        "The Syrup",
    )
    assert (first.false_premise, second.false_premise) == (False, True)
    assert len(first.findings) == 10 and search.queries == [first.question, second.question]
    assert method_texts("freshprompt", "best", settings)["demonstrations"] == {
        "name": "release.csv",
        "sha256": hashlib.sha256(RELEASE.encode()).hexdigest(),
    }


def test_a_question_is_never_its_own_demonstration(tmp_path: Path) -> None:
    file = lines(
        tmp_path,
        {"question": QUESTION, "answer": "LEAKED."},
        {"question": RIVER, "answer": "The Syrup."},
    )
    way = Way("few-shot", "paper-gpt4/1-demonstration", demonstrations=str(file))
    _, chat = asked("few-shot", settings=way.settings(as_of=AS_OF))
    assert "LEAKED" not in chat[-1][1] and "A: The Syrup." in chat[-1][1]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("none.jsonl", None, "not found"),
        ("none.csv", None, "not found"),
        ("empty.jsonl", "", "is empty"),
        ("bad.jsonl", '{"question": "Q?"}', "bad.jsonl, line 1: 'answer' is missing"),
        ("bad.jsonl", '{"question": "Q?", "answer": "A"}\n[', "bad.jsonl, line 2: "),
        ("bad.jsonl", "[1]", "line 1: "),
        (
            "bad.jsonl",
            '{"question": "Q?", "answer": "A", "response": {"error": "no credit"}}',
            "line 1: ",
        ),
        ("test.csv", RELEASE.replace("DEV", "TEST"), "holds no demonstration"),
        ("other.csv", "a,b\n1,2\n", "other.csv"),
    ],
)
def test_an_invalid_demonstrations_file_is_reported_in_one_line(
    tmp_path: Path, name: str, text: str | None, message: str
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text, "utf-8")
    way = Way("freshprompt", "best", demonstrations=str(tmp_path / name))
    with pytest.raises(UsageError) as refused:
        way.settings(as_of=date(2024, 3, 13))
    assert refused.value.message.startswith("--demonstrations: ")
    assert message in refused.value.message and "\n" not in refused.value.message
    assert refused.value.remedy.startswith("Give JSON lines")


def test_methods_that_show_no_demonstrations_refuse_a_demonstrations_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="shows no demonstrations"):
        Way("self-ask", "best", demonstrations="x.jsonl").settings(as_of=AS_OF)
