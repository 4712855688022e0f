"""The sample dataset, checked on two Mondays with recorded replies, gives every outcome."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timezone
from typing import Any

import pytest
from maintaining.sample_weeks import EXPECTED, check_week

from freshqa.dataset.identity import match
from freshqa.dataset.question import Question
from freshqa.dataset.release import read_release
from freshqa.maintaining.acceptance_policy import decide_by_policy
from freshqa.maintaining.draft import build_draft
from freshqa.maintaining.proposal import Action, CheckedQuestion, Decision, Outcome
from freshqa.sample import path

OPEN = (Outcome.conflicting, Outcome.insufficient)


def accept_settled(
    questions: tuple[Question, ...], checked: list[CheckedQuestion], week: dict[str, Any]
) -> tuple[Question, ...]:
    now = datetime.combine(date.fromisoformat(week["as_of"]), datetime.min.time(), timezone.utc)
    accepted = [
        (check.proposal, Decision(number, Action.accept, "a reviewer", now))
        for number, check in enumerate(checked)
        if check.proposal and check.outcome not in OPEN and check.question not in week["reject"]
    ]
    return build_draft(questions, accepted)


@pytest.fixture(scope="module")
def weeks() -> list[tuple[dict[str, Any], tuple[Question, ...], list[CheckedQuestion]]]:
    questions = match(read_release(path("release.csv")).questions, ()).questions
    result = []
    for week in EXPECTED["refreshes"]:
        checked = check_week(questions, week)
        result.append((week, questions, checked))
        questions = accept_settled(questions, checked, week)
    return result


@pytest.mark.parametrize("number", [0, 1])
def test_every_question_has_the_expected_outcome(number: int, weeks: list[Any]) -> None:
    week, _, checked = weeks[number]
    notable = week["notable"]
    wrong = [
        (check.question, check.outcome.value)
        for check in checked
        if check.outcome.value != notable.get(check.question, {"outcome": "unchanged"})["outcome"]
    ]
    assert wrong == []
    assert Counter(check.outcome.value for check in checked) == week["outcomes"]


@pytest.mark.parametrize("number", [0, 1])
def test_proposed_answers_equal_the_events_of_the_world(number: int, weeks: list[Any]) -> None:
    week, _, checked = weeks[number]
    proposed = {check.question: check.proposed for check in checked}
    expected = {q: known["proposed"] for q, known in week["notable"].items() if "proposed" in known}
    assert expected
    missing = {
        question: answers
        for question, answers in expected.items()
        if not set(answers) <= set(proposed[question])
    }
    assert missing == {}


@pytest.mark.parametrize("policy", ["hold", "assisted"])
def test_no_policy_accepts_a_changed_fact(policy: str, weeks: list[Any]) -> None:
    accepted = 0
    for week, questions, checked in weeks:
        rows = {question.key: question for question in questions}
        now = datetime.fromisoformat(week["as_of"]).replace(tzinfo=timezone.utc)
        for check in checked:
            if check.proposal is None:
                continue
            decided = decide_by_policy(check.proposal, rows[check.key], policy=policy, now=now)
            if decided.action is Action.accept:
                accepted += 1
                assert check.outcome in (Outcome.unchanged, Outcome.alternative)
                assert "answer_0" not in check.proposal.changes
    assert (accepted > 0) is (policy == "assisted")


def test_the_riskiest_questions_are_those_that_changed(weeks: list[Any]) -> None:
    _, _, checked = weeks[0]
    ranked = sorted(checked, key=lambda check: -check.risk)
    moved = {check.key for check in checked if check.outcome is Outcome.changed}
    assert len(moved & {check.key for check in ranked[:10]}) >= 7


def test_forged_evidence_is_flagged(weeks: list[Any]) -> None:
    _, _, checked = weeks[0]
    treaty = next(check for check in checked if "Fennel Rock signed" in check.question)
    assert treaty.proposal is not None
    assert any(flag.startswith("injection:") for flag in treaty.proposal.flags)
