"""The prompt of numbered findings, and replies in JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freshqa.answering.default_prompt import FIELDS, reply_schema
from freshqa.answering.extraction import extract
from freshqa.answering.freshprompt import cited, freshprompt
from freshqa.answering.reply_json import as_labels, cited_numbers
from freshqa.answering.settings import AnswerSettings
from freshqa.evidence.evidence import Evidence, EvidenceKind

AS_OF = date(2024, 3, 5)
FIELD_NAMES = ("short_answer", "answer", "premise", "evidence")
JSON = AnswerSettings(fields=FIELD_NAMES, order=(4, 0, 1), premise_check=True)
FOUND = (
    Evidence(
        EvidenceKind.organic, source="herald.example", title="Mayor stays", snippet="Bo\nstays"
    ),
    Evidence(
        EvidenceKind.answer_box,
        source="city.example",
        snippet="Cleo Waffle has been mayor since 2024.",
        date=date(2024, 3, 1),
    ),
)


def test_each_finding_is_one_numbered_line() -> None:
    *_, last = freshprompt("Who is mayor?", FOUND, as_of=AS_OF, settings=JSON)
    assert last.content == (
        "[1] (herald.example) Mayor stays: Bo stays\n"
        "[2] (city.example, Mar 01, 2024) Cleo Waffle has been mayor since 2024.\n"
        "\nQuestion: Who is mayor?"
    )


def test_demonstrations_are_chat_turns_that_answer_in_the_configured_fields() -> None:
    settings = replace(JSON, fields=("short_answer", "premise"))
    messages = freshprompt("Who is mayor?", FOUND, as_of=AS_OF, settings=settings)
    replies = [json.loads(m.content) for m in messages if m.role == "assistant"]
    assert [list(reply) for reply in replies] == [["short_answer", "premise"]] * 3
    assert [reply["premise"] for reply in replies] == ["false", "valid", "valid"]
    assert replies[-1]["short_answer"] == "27"


def test_the_demonstrations_setting_limits_how_many_are_shown() -> None:
    fewer = replace(JSON, demonstrations=1)
    messages = freshprompt("Who is mayor?", FOUND, as_of=AS_OF, settings=fewer)
    (reply,) = [json.loads(m.content) for m in messages if m.role == "assistant"]
    assert reply["premise"] == "false"
    none = freshprompt("Who?", FOUND, as_of=AS_OF, settings=replace(JSON, demonstrations=0))
    assert [m.role for m in none] == ["system", "user"]


def test_the_schema_holds_exactly_the_fields_in_order() -> None:
    schema = reply_schema(("premise", "short_answer"))
    assert list(schema["properties"]) == ["premise", "short_answer"]
    assert schema["required"] == ["premise", "short_answer"]
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize(
    ("reply", "answer", "rejected"),
    [
        ('{"short_answer": "Cleo Waffle", "answer": "It is her.", "premise": "valid"}', "Cleo Waffle", False),
        ('```json\n{"short_answer": "27", "premise": "valid", "evidence": [3]}\n```', "27", False),
        ('{"short_answer": "unknown", "answer": "No finding says.", "premise": "valid"}', "", False),
        ('{"short_answer": "never", "answer": "Euler never received it.", "premise": "false"}', "Euler never received it.", True),
        ('{"short_answer": ["Ann", "Bo"], "premise": "valid"}', "Ann, Bo", False),
        ('{"short_answer": 27}', "27", False),
        ("premise: valid\nshort answer: Cleo Waffle", "Cleo Waffle", False),
    ],
)  # fmt: skip
def test_replies_in_json_and_with_labels_give_the_same_answer(
    reply: str, answer: str, rejected: bool
) -> None:
    extracted = extract(reply, question="Who is the mayor?")
    assert (extracted.answer, extracted.premise_rejected) == (answer, rejected)


def test_cited_findings_are_numbers_from_one() -> None:
    assert cited_numbers('{"short_answer": "x", "evidence": [3, 0, "2", -1, 1]}') == (3, 1)
    assert cited_numbers('{"short_answer": "x", "evidence": "3"}') == ()
    assert cited_numbers("no JSON") == ()


def test_cited_numbers_beyond_the_findings_shown_are_ignored() -> None:
    reply = '{"short_answer": "x", "evidence": [2, 3, 1]}'
    assert cited(reply, FOUND) == (FOUND[1].id, FOUND[0].id)


VALUES = st.sampled_from(
    ["", "unknown", "27", " a\nb ", "premise: false", 3, None, True, [1, "x"], [], {}]
)


@given(st.fixed_dictionaries({name: VALUES for name in (*FIELDS, "other")}))
def test_extract_accepts_any_json_object(values: dict[str, object]) -> None:
    extract(json.dumps(values), question="Who?")


@given(st.text())
def test_text_without_a_json_object_is_unchanged(text: str) -> None:
    assert as_labels(text.replace("{", "")) == text.replace("{", "")


def test_the_dated_setting_asks_for_an_answer_that_begins_with_as_of() -> None:
    settings = replace(JSON, fields=("answer",), dated=True)
    system, *_, reply, _ = freshprompt("Who is mayor?", FOUND, as_of=AS_OF, settings=settings)
    assert (
        'answer: the answer in one sentence that begins "As of March 05, 2024,"' in system.content
    )
    assert json.loads(reply.content)["answer"].startswith(
        "As of March 05, 2024, The European Union"
    )
    extracted = extract(reply.content, question="How many?")
    assert extracted.answer.startswith("The European Union had 27")


def test_without_a_premise_check_the_schema_has_no_premise() -> None:
    unchecked = replace(JSON, premise_check=False)
    system, *rest = freshprompt("Who?", FOUND, as_of=AS_OF, settings=unchecked)
    assert "premise" not in system.content and unchecked.reply_fields == (
        "short_answer", "answer", "evidence",
    )  # fmt: skip
    assert not any('"premise"' in message.content for message in rest)
