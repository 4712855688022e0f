from datetime import date

import pytest
from evaluation.scripted_model import ScriptedModel

from freshqa.answering.settings import settings_for
from freshqa.evaluation.rgb.prompts import Style
from freshqa.evaluation.rgb.reader import DocumentSearch, MethodReader, ModelReader
from freshqa.evaluation.rgb.reply import Status

DAY = date(2026, 3, 9)
QUERY = "Where was the fair held?"
DOCUMENTS = ("The fair was held in Rome.", "The fair\nhad many\tguests.")


def test_a_model_is_asked_as_rgb_asks() -> None:
    model = ScriptedModel(lambda chat: "status: answered\nanswer: Rome")
    reply = ModelReader(model, style=Style.structured).read(QUERY, DOCUMENTS, language="en")
    assert (reply.answer, reply.status) == ("Rome", Status.answered)
    system, user = model.asked[0]
    assert "status:" in system.content
    assert "The fair was held in Rome.\nThe fair had many guests." in user.content
    ModelReader(model, style=Style.literal).read(QUERY, DOCUMENTS, language="en")
    assert "status:" not in model.asked[1][0].content


def test_without_documents_nothing_is_said_of_documents() -> None:
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


def test_a_response_without_an_answer_declines() -> None:
    model = ScriptedModel(lambda chat: "The evidence does not say where the fair was held.")
    reader = MethodReader("freshprompt", as_of=DAY, model=model, settings=settings_for("best"))
    assert reader.read(QUERY, DOCUMENTS, language="en").status is Status.insufficient


def test_search_alone_shows_the_first_passage_and_never_doubts() -> None:
    reader = MethodReader("search-only", as_of=DAY)
    shown = reader.read(QUERY, DOCUMENTS, language="en")
    assert "Rome" in shown.answer and shown.status is Status.answered
    assert reader.name == "search-only"
    assert reader.read(QUERY, (), language="en").status is Status.insufficient


@pytest.mark.parametrize("query", ["anything", QUERY])
def test_the_same_documents_are_found_whatever_is_asked(query: str) -> None:
    found = DocumentSearch(DOCUMENTS).search(query, as_of=DAY)
    assert [r["snippet"] for r in found.body["organic_results"]] == [
        "The fair was held in Rome.",
        "The fair had many guests.",
    ]
