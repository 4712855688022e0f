"""What raises and lowers the risk, and how it ranks real changes."""

from __future__ import annotations

import json
from datetime import date, datetime, timezone
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from freshqa.checking.change_rate import ChangeHistory, change_rate
from freshqa.checking.expiry import expired, may_be_past
from freshqa.checking.logistic import area_under_curve
from freshqa.checking.risk import Reading, after_reading, prior_risk, risk
from freshqa.dataset.question import Question
from freshqa.dataset.release import read_release
from freshqa.dataset.wording import normalised_question
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.evidence.parsing import parse
from freshqa.evidence.search_engine import SearchResult

AS_OF = date(2026, 3, 9)


def row(fact_type: str = "fast-changing", review: str = "frequently", **fields: str) -> Question:
    fields_of_row = {"question": "Which song is number one?", "answer_0": "Paper Boats"}
    return Question(
        {**fields_of_row, "fact_type": fact_type, "next_review": review, **fields}, key="k"
    )


def page(kind: EvidenceKind, text: str, on: date | None = None) -> Evidence:
    return Evidence(kind, url="https://a.example/", snippet=text, date=on)


def test_before_a_search_type_and_schedule_order_the_questions() -> None:
    ordered = [
        row("never-changing", "N/A"),
        row("slow-changing", "occasionally"),
        row("fast-changing", "03/10/2027"),
        row("fast-changing", "frequently"),
        row("fast-changing", "every_time"),
        row("fast-changing", "03/08/2026"),
    ]
    risks = [prior_risk(question, as_of=AS_OF) for question in ordered]
    assert risks == sorted(risks)
    assert risks[0] < 0.01 and risks[-1] > 0.5


def test_a_question_that_changes_often_and_one_long_unchecked_are_riskier() -> None:
    question = row()
    often = ChangeHistory(10, 2.0)
    seldom = ChangeHistory(0, 2.0)
    assert change_rate(question, often) > change_rate(question, seldom)
    assert prior_risk(question, as_of=AS_OF, history=often) > prior_risk(
        question, as_of=AS_OF, history=seldom
    )
    lately = ChangeHistory(0, 2.0, last_checked=date(2026, 3, 8))
    long_ago = ChangeHistory(0, 2.0, last_checked=date(2025, 3, 8))
    assert prior_risk(question, as_of=AS_OF, history=long_ago) > prior_risk(
        question, as_of=AS_OF, history=lately
    )


def test_evidence_for_another_answer_raises_the_risk() -> None:
    question = row()
    holds = [page(EvidenceKind.answer_box, "Paper Boats")]
    other = [page(EvidenceKind.answer_box, "Lantern Song")]
    weak = [page(EvidenceKind.organic, "Lantern Song")]
    values = [risk(question, evidence, as_of=AS_OF) for evidence in (holds, weak, other)]
    assert values == sorted(values)
    old = page(EvidenceKind.organic, "number one song: Paper Boats", date(2026, 3, 1))
    new = page(EvidenceKind.organic, "number one song: Lantern Song", date(2026, 3, 8))
    assert risk(question, [old, new], as_of=AS_OF) > risk(question, [old], as_of=AS_OF)


def test_a_bare_no_does_not_match_any_text() -> None:
    question = row(answer_0="No")
    text = [page(EvidenceKind.organic, "There is no doubt.")]
    assert risk(question, text, as_of=AS_OF) == risk(question, [], as_of=AS_OF)


@given(st.floats(0, 1), st.sampled_from(list(Reading)))
def test_every_reading_gives_a_probability_in_the_expected_order(
    value: float, reading: Reading
) -> None:
    after = after_reading(value, reading)
    assert 0.0 <= after <= 1.0
    assert after_reading(value, Reading.agrees) <= after <= after_reading(value, Reading.quoted)


@pytest.mark.parametrize(
    ("question", "fields", "impossible"),
    [
        ("When is the next full moon?", {"answer_0": "Mar 3, 2026"}, True),
        ("When is the next full moon?", {"answer_0": "Apr 3, 2026"}, None),
        ("When is the next leap year?", {"answer_0": "2024"}, True),
        ("When is the next leap year?", {"answer_0": "2026"}, None),
        ("When is the next leap year?", {"answer_0": "2028"}, None),
        ("When is the next fair?", {"answer_0": "February 2026"}, True),
        ("When is the next fair?", {"answer_0": "March 2026"}, None),
        ("When was the leap year before?", {"answer_0": "2024"}, None),
        ("When is this year's race?", {"answer_0": "Mar 3", "effective_year": "2025"}, False),
        ("When is this year's race?", {"answer_0": "Mar 3", "effective_year": "2026"}, None),
        ("Who won last year?", {"effective_year": "before 2022"}, None),
        ("Who won last year?", {"effective_year": "2024", "false_premise": "TRUE"}, None),
    ],
)
def test_facts_that_expire_with_time_alone_are_recognised(
    question: str, fields: dict[str, str], impossible: bool | None
) -> None:
    expiry = expired(row(question=question, **fields), as_of=AS_OF)
    assert (expiry.impossible if expiry else None) is impossible


@pytest.mark.parametrize(
    ("question", "answer", "doubtful"),
    [
        ("When is the next leap year?", "2026", True),
        ("When is the upcoming fair?", "March 2026", True),
        ("When is the upcoming fair?", "April 2026", False),
        ("When is the next leap year?", "2028", False),
        ("When is the next full moon?", "Mar 12, 2026", False),
        ("Which year is it?", "2026", False),
    ],
)
def test_the_next_event_may_have_passed_within_the_stored_year_or_month(
    question: str, answer: str, doubtful: bool
) -> None:
    assert may_be_past(row(question=question, answer_0=answer), as_of=AS_OF) is doubtful


def test_an_answer_for_this_month_expires_only_if_the_last_check_is_known() -> None:
    question = row(question="What month is it?")
    assert expired(question, as_of=AS_OF) is None
    assert expired(question, as_of=AS_OF, since=date(2026, 2, 27)) is not None
    assert expired(question, as_of=AS_OF, since=date(2026, 3, 1)) is None


def test_the_weights_say_where_they_come_from() -> None:
    record = json.loads((files("freshqa.checking") / "risk.json").read_text(encoding="utf-8"))
    assert "benchmarks/triage.py" in record["origin"]
    assert set(record["models"]) == {"prior", "evidence", "reading"}
    assert set(record["models"]["reading"]) == {reading.value for reading in Reading}


@pytest.mark.real_data
def test_real_changes_rank_high(shared_data: Path) -> None:
    """This is not cross-validated and so optimistic; see docs/measurements/checking.md."""
    questions = read_release(shared_data / "freshqa" / "FreshQA_v02052024.csv").questions
    changed: dict[str, bool] = {}
    truth = shared_data / "truth" / "transitions_2023-11_to_2024-05.jsonl"
    for line in truth.read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        if pair["from_version"] in ("2024-02-05", "2024-03-04"):
            key = normalised_question(pair["question"])
            changed[key] = changed.get(key, False) or pair["answer_fact_changed"]
    by_text = {normalised_question(question.text): question for question in questions}
    day = datetime(2024, 3, 13, tzinfo=timezone.utc)
    scores, outcomes = [], []
    history = ChangeHistory(0, 0.0, last_checked=date(2024, 2, 5))
    for line in (shared_data / "serp" / "google_2024-03-13_dev.jsonl").read_text().splitlines():
        record = json.loads(line)
        key = normalised_question(record["question"])
        if key not in by_text or key not in changed:
            continue
        evidence = parse(SearchResult("serpapi", record["question"], record["response"], day))
        scores.append(risk(by_text[key], evidence, history, as_of=day.date()))
        outcomes.append(float(changed[key]))
    assert len(scores) > 300 and sum(outcomes) > 10
    assert area_under_curve(np.array(scores), np.array(outcomes)) > 0.9
