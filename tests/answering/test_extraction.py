"""The answer is extracted from a reply: recorded cases, real replies, arbitrary text."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from freshqa.answering.extraction import extract
from freshqa.answering.find_json import read_json, without_fence
from freshqa.answering.reasoning import without_thinking

CASES = json.loads((Path(__file__).parent / "extraction_cases.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["source"] for case in CASES])
def test_each_case_gives_the_recorded_answer(case) -> None:
    extracted = extract(case["reply"], question=case["question"])
    assert extracted.answer == case["answer"]
    assert extracted.premise_rejected is case["premise_rejected"]
    if "text" in case:
        assert extracted.text == case["text"]


@pytest.mark.real_data
def test_500_real_replies_are_read_at_least_as_well_as_measured(shared_data) -> None:
    """Figures are lower bounds of what was measured: 57 of 72 and 5 of 245."""
    labels = shared_data / "labels" / "gpt-3.5-turbo-1106_freshprompt_2024-06-07.jsonl"
    release = (shared_data / "freshqa" / "FreshQA_v03112024.csv").read_text("utf-8-sig")
    rows = csv.DictReader(io.StringIO(release[release.index("id,split") :]))
    false_premise = {row["question"].strip(): row["false_premise"] == "TRUE" for row in rows}
    rejected: dict[tuple[bool, bool], int] = {}
    answered = 0
    for line in labels.read_text("utf-8").splitlines():
        record = json.loads(line)
        if record["accuracy"] != "Correct":
            continue
        extracted = extract(record["final_answer"], question=record["question"])
        cell = (false_premise[record["question"].strip()], extracted.premise_rejected)
        rejected[cell] = rejected.get(cell, 0) + 1
        answered += bool(extracted.answer)
    assert rejected[True, True] >= 57 and rejected[True, True] + rejected[True, False] == 72
    assert rejected[False, True] <= 5
    assert answered >= 0.97 * 317


@given(st.text(), st.text())
@example(".", "0 .")
@example("0 .", "")
def test_extract_accepts_any_reply(reply: str, question: str) -> None:
    extracted = extract(reply, question=question)
    assert "<think>" not in extracted.text.lower()
    assert extracted.answer == extracted.answer.strip()


TEXT_WITHOUT_MARKS = st.text(st.characters(exclude_characters="<＜[◁&`", exclude_categories=["Cs"]))


@given(
    st.dictionaries(TEXT_WITHOUT_MARKS, st.integers() | TEXT_WITHOUT_MARKS, max_size=3),
    st.sampled_from("abc"),
)
def test_a_json_object_is_found_anywhere_in_the_text(record, letter) -> None:
    text = json.dumps(record)
    for reply in (
        text,
        f"```json\n{text}\n```",
        f"Sure! Here it is:\n{text}\nAnything else, {{{letter}}}?",
        f'<think>{{"no": 1}}</think>{text}',
    ):
        assert read_json(reply) == record


@pytest.mark.parametrize("reply", ["", "no object", "[1, 2]", '{"cut": ', "{" * 5000, "{'a': 1}"])
def test_a_reply_without_json_gives_none(reply: str) -> None:
    assert read_json(reply) is None


def test_thinking_and_code_fences_are_removed() -> None:
    assert without_thinking("<THINK>a</THINK> b <think>c") == "b"
    assert without_fence("```\na\n```") == "a"
    assert without_fence("see ```a``` here") == "see ```a``` here"
