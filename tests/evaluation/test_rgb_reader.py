import json
from datetime import date
from pathlib import Path

import pytest
from evaluation.rgb_items import base_item, fact_item
from evaluation.scripted_model import ScriptedModel

from freshqa.answering.documents_prompt import Style
from freshqa.answering.settings import settings_for
from freshqa.evaluation.rgb.metrics import metrics
from freshqa.evaluation.rgb.reader import DocumentSearch, MethodReader, ModelReader
from freshqa.evaluation.rgb.reply import Status
from freshqa.evaluation.rgb.scoring import Scoring, score

DAY = date(2026, 3, 9)
QUERY = "Where was the fair held?"
DOCUMENTS = ("The fair was held in Rome.", "The fair\nhad many\tguests.")


def test_a_model_gets_the_rgb_prompt() -> None:
    model = ScriptedModel(lambda chat: "status: answered\nanswer: Rome")
    reply = ModelReader(model, style=Style.structured).read(QUERY, DOCUMENTS, language="en")
    assert (reply.answer, reply.status) == ("Rome", Status.answered)
    system, user = model.asked[0]
    assert "status:" in system.content
    assert "The fair was held in Rome.\nThe fair had many guests." in user.content
    ModelReader(model, style=Style.literal).read(QUERY, DOCUMENTS, language="en")
    assert "status:" not in model.asked[1][0].content


def test_a_prompt_without_documents_does_not_mention_them() -> None:
    model = ScriptedModel(lambda chat: "Rome")
    ModelReader(model).read(QUERY, (), language="en")
    assert [message.role for message in model.asked[0]] == ["user"]


def test_a_method_reads_the_documents_as_search_results() -> None:
    model = ScriptedModel(lambda chat: "premise: valid\nshort answer: Rome")
    reader = MethodReader("freshprompt", as_of=DAY, model=model, settings=settings_for("best"))
    reply = reader.read(QUERY, DOCUMENTS, language="en")
    assert (reply.answer, reply.status, reader.name) == ("Rome", Status.answered, "scripted")
    prompt = model.asked[0][-1].content
    assert "The fair was held in Rome." in prompt and "document-1.example" in prompt


def test_a_response_without_an_answer_is_a_refusal() -> None:
    model = ScriptedModel(lambda chat: "The evidence does not say where the fair was held.")
    reader = MethodReader("freshprompt", as_of=DAY, model=model, settings=settings_for("best"))
    assert reader.read(QUERY, DOCUMENTS, language="en").status is Status.insufficient


def test_search_only_returns_the_first_passage_and_never_declines() -> None:
    reader = MethodReader("search-only", as_of=DAY)
    shown = reader.read(QUERY, DOCUMENTS, language="en")
    assert "Rome" in shown.answer and shown.status is Status.answered
    assert reader.name == "search-only"
    assert reader.read(QUERY, (), language="en").status is Status.insufficient


@pytest.mark.parametrize("query", ["anything", QUERY])
def test_every_query_returns_the_same_documents(query: str) -> None:
    result = DocumentSearch(DOCUMENTS).search(query, as_of=DAY)
    assert [r["snippet"] for r in result.body["organic_results"]] == [
        "The fair was held in Rome.",
        "The fair had many guests.",
    ]


CASES = Path(__file__).parent.parent / "answering"
REFUSALS = [
    case["text"]
    for case in json.loads((CASES / "abstention_cases.json").read_text("utf-8"))
    if case["abstains"]
]


def by_method(reply: str) -> MethodReader:
    return MethodReader("freshprompt", as_of=DAY, model=ScriptedModel(lambda chat: reply))


@pytest.mark.parametrize("refusal", REFUSALS[::3])
def test_a_refusal_by_the_default_method_counts_as_a_rejection(refusal: str) -> None:
    reply = by_method(refusal).read(QUERY, DOCUMENTS[1:], language="en")
    scored = score(reply, base_item(0), language="en", scoring=Scoring.fixed)
    assert (scored.declined_in_sense, scored.labels) == (True, (0,))


@pytest.mark.parametrize(
    ("language", "reply"),
    [
        ("en", "There are factual errors in the provided documents. The answer should be Rome."),
        ("en", "The documents contradict one another; the correct answer is Rome."),
        ("en", "The correct answer is Rome. There are factual errors in the documents."),
        ("zh", "提供文档的文档存在事实性错误。正确答案应该是Rome。"),
        ("zh", "文档存在事实性错误，答案是Rome。"),
    ],
)
def test_errors_reported_by_the_default_method_are_detected_and_corrected(language, reply) -> None:
    read = by_method(reply).read(QUERY, DOCUMENTS, language=language)
    assert (read.status, read.answer) == (Status.conflict, "Rome")
    scored = score(read, fact_item(0), language=language, scoring=Scoring.fixed)
    assert scored.detected_in_sense and scored.correct
    assert scored.detected is ("factual errors" in reply or "事实性错误" in reply)
    rates = metrics([scored], scoring=Scoring.fixed)
    assert [rates[name].hits for name in ("ACC", "ED*", "CR")] == [1, 1, 1]


@pytest.mark.parametrize(
    ("language", "refusal"),
    [
        (
            "en",
            "I can not answer the question because of the insufficient information in documents.",
        ),
        ("zh", "文档信息不足，因此我无法基于提供的文档回答该问题。"),
    ],
)
def test_a_model_that_always_refuses_in_the_papers_words_rejects_every_time(
    language, refusal
) -> None:
    replies = [by_method(refusal).read(QUERY, DOCUMENTS, language=language) for _ in range(3)]
    scores = [score(r, base_item(0), language=language, scoring=Scoring.fixed) for r in replies]
    rates = metrics(scores, scoring=Scoring.fixed, noise=1.0)
    assert (rates["Rej"].hits, rates["Rej*"].hits, rates["Rej*"].n) == (3, 3, 3)
