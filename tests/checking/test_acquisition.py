"""The value of a step, the early end of a check, and the report of its steps."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from freshqa.answering.response import Response
from freshqa.checking.acquisition import ANSWER, gain, keeps, pays, worth
from freshqa.checking.fitted import FittedPolicy
from freshqa.checking.loop import Tools
from freshqa.checking.policy import fixed_policy
from freshqa.checking.policy_features import NAMES
from freshqa.checking.round import Move
from freshqa.dataset.question import Question
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.maintaining.proposal import CheckedQuestion, Outcome
from freshqa.maintaining.recheck import CheckSettings, Helpers, recheck
from freshqa.maintaining.steps import StepReport

DAY = date(2026, 3, 9)
SETTLED = Question(
    {
        "question": "Who founded Orlune?",
        "answer_0": "Mira Tolland",
        "fact_type": "never-changing",
        "next_review": "N/A",
    },
    key="q",
)
FOUND = (
    Evidence(EvidenceKind.answer_box, url="https://a.example/", snippet="Mira Tolland founded it."),
)


def checked(
    question: Question, evidence: tuple[Evidence, ...], *, policy: str = "rule", **settings: object
) -> tuple[CheckedQuestion, list[str]]:
    asked: list[str] = []

    def ask(feedback: str, prior: Response | None) -> Response:
        asked.append(feedback)
        return Response(question.text, "freshprompt", "Mira Tolland", "Mira Tolland", evidence)

    response = Response(question.text, "none", "", "", evidence)
    result = recheck(
        question,
        as_of=DAY,
        ask=ask,
        settings=CheckSettings(1, policy, **settings),  # type: ignore[arg-type]
        helpers=Helpers(fixed_policy(policy), tools=Tools(lambda: response, ask, lambda: True)),
    )
    return result, asked


def test_a_step_that_cannot_change_the_decision_has_no_gain() -> None:
    assert gain(0.001, ANSWER) == pytest.approx(0, abs=1e-9)
    assert not pays(Move.answer, 0.001, ANSWER)
    assert pays(Move.answer, 0.01, ANSWER)
    assert gain(0.005, ANSWER) < gain(0.01, ANSWER) < gain(0.02, ANSWER)
    assert keeps(0.02) and not keeps(0.3)
    assert worth(0.0) == 1.0 and worth(1.0) == pytest.approx(0.65)


def test_a_question_of_very_low_risk_is_kept_after_the_search() -> None:
    result, asked = checked(SETTLED, FOUND, stop_early=True)
    assert asked == [] and result.risk < 0.01
    assert (result.outcome, result.proposal) == (Outcome.unchanged, None)
    assert [step["move"] for step in result.rounds[0]["acquired"]] == ["search", "keep"]


@pytest.mark.parametrize(
    ("question", "evidence", "policy", "stop_early"),
    [
        (SETTLED, FOUND, "rule", False),
        (SETTLED, FOUND, "always-use", True),
        (SETTLED, (), "rule", True),
        (SETTLED, (replace(FOUND[0], flags=("injection:override",)),), "rule", True),
        (Question({**SETTLED.fields, "fact_type": "fast-changing"}, key="q"), (), "rule", True),
        (
            Question(
                {**SETTLED.fields, "fact_type": "fast-changing", "next_review": "03/02/2026"},
                key="q",
            ),
            FOUND,
            "rule",
            True,
        ),
        (Question({**SETTLED.fields, "next_review": "03/02/2026"}, key="q"), FOUND, "rule", True),
    ],
    ids=["off", "other policy", "nothing found", "attack", "fast", "risky", "review date moves"],
)
def test_the_model_is_asked_if_the_decision_depends_on_it(
    question: Question, evidence: tuple[Evidence, ...], policy: str, stop_early: bool
) -> None:
    _, asked = checked(question, evidence, policy=policy, stop_early=stop_early)
    assert asked, "the model was not asked"


def test_steps_are_counted_with_their_cost_and_effect() -> None:
    def step(
        move: str, answer: str, agrees: bool, searches: int, completions: int, usd: str
    ) -> dict[str, object]:
        spent = {"searches": searches, "completions": completions, "usd": usd}
        return {"move": move, "answer": answer, "agrees": agrees, "guards": [], "spent": spent}

    report = StepReport()
    first = {
        **step("search-again", "", False, 1, 1, "0.02"),
        "acquired": [{"move": "search"}, {"move": "answer"}],
    }
    report.add((first, step("propose", "Idris Quane", False, 3, 3, "0.06")))
    stopped = {
        **step("keep", "", False, 1, 0, "0.01"),
        "acquired": [{"move": "search"}, {"move": "keep"}],
    }
    report.add((stopped,))
    figures = report.to_json()
    assert list(figures) == ["search", "answer", "search-again"]
    assert figures["search"]["taken"] == 2 and figures["search"]["searches"] == 2
    assert figures["answer"] == {
        "taken": 1,
        "changed": 1,
        "searches": 0,
        "pages": 0,
        "completions": 1,
        "cost_usd": "0.02",
    }
    assert figures["search-again"]["searches"] == 2
    assert figures["search-again"]["completions"] == 2
    assert figures["search-again"]["cost_usd"] == "0.04"


RISKY = Question(
    {**SETTLED.fields, "fact_type": "fast-changing", "next_review": "03/02/2026"}, key="q"
)
MIDDLING = Question(
    {**SETTLED.fields, "fact_type": "fast-changing", "next_review": "frequently"}, key="q"
)
ELSEWHERE = (Evidence(EvidenceKind.organic, url="https://b.example/", snippet="Orlune is a town."),)
BEHIND = (
    Evidence(EvidenceKind.organic, url="https://b.example/", snippet="Idris Quane founded it."),
)


def rounds_with_pages(
    question: Question,
    evidence: tuple[Evidence, ...],
    *answers: str,
    policy: str = "rule",
    behind: tuple[Evidence, ...] = BEHIND,
) -> tuple[CheckedQuestion, list[str]]:
    """Check with pages that may be read; returns what was done."""
    done: list[str] = []
    said = iter(answers)
    shown = evidence

    def response(step: str, evidence: tuple[Evidence, ...]) -> Response:
        nonlocal shown
        done.append(step)
        shown = evidence
        return Response(question.text, "none", "", "", evidence)

    def ask(feedback: str, prior: Response | None) -> Response:
        done.append("ask")
        answer = next(said)
        return Response(question.text, "freshprompt", answer, answer, shown)

    tools = Tools(
        lambda: response("search", evidence),
        ask,
        lambda: True,
        read=lambda: response("read", behind),
    )
    result = recheck(
        question,
        as_of=DAY,
        ask=ask,
        settings=CheckSettings(1, policy),
        helpers=Helpers(fixed_policy(policy), tools=tools),
    )
    return result, done


def test_pages_are_read_before_the_answer_unless_the_risk_is_low() -> None:
    result, done = rounds_with_pages(RISKY, ELSEWHERE, "Idris Quane")
    assert done == ["search", "read", "ask"]
    assert result.outcome is Outcome.changed
    _, done = rounds_with_pages(RISKY, ELSEWHERE, "Idris Quane", policy="always-use")
    assert done == ["search", "read", "ask"]


def test_no_page_is_read_if_the_risk_is_low_or_nothing_was_found() -> None:
    result, done = rounds_with_pages(SETTLED, FOUND, "Mira Tolland")
    assert done == ["search", "ask"] and result.risk < 0.02
    _, done = rounds_with_pages(SETTLED, FOUND, "Idris Quane")
    assert done == ["search", "ask"], "no answer makes this row risky"
    _, done = rounds_with_pages(RISKY, (), "Mira Tolland", "Mira Tolland", behind=())
    assert done[:2] == ["search", "ask"]


def test_pages_are_read_once_after_an_answer_that_raises_the_risk() -> None:
    result, done = rounds_with_pages(MIDDLING, FOUND, "Idris Quane", "Mira Tolland")
    assert done == ["search", "ask", "read", "ask"]
    assert [step["move"] for step in result.rounds] == ["read-pages", "keep"]


def test_pages_without_new_evidence_do_not_cause_another_answer() -> None:
    result, done = rounds_with_pages(MIDDLING, FOUND, "Idris Quane", behind=FOUND)
    assert done == ["search", "ask", "read"]
    assert result.outcome is not Outcome.changed


def test_pages_are_a_step_of_the_report() -> None:
    report = StepReport()
    before, _ = rounds_with_pages(RISKY, ELSEWHERE, "Idris Quane")
    first = {**before.rounds[0], "spent": {"searches": 1, "pages": 3, "completions": 1}}
    report.add((first,))
    again, _ = rounds_with_pages(MIDDLING, FOUND, "Idris Quane", "Mira Tolland")
    spent = ({"searches": 1}, {"searches": 1, "pages": 2, "completions": 1})
    report.add(
        tuple({**step, "spent": told} for step, told in zip(again.rounds, spent, strict=True))
    )
    figures = report.to_json()
    assert list(figures) == ["search", "read-pages", "answer"]
    assert figures["read-pages"] == {
        "taken": 2,
        "changed": 1,
        "searches": 0,
        "pages": 5,
        "completions": 1,
        "cost_usd": "0",
    }
    assert figures["answer"]["pages"] == 0


def test_a_computed_answer_is_a_separate_step() -> None:
    report = StepReport()
    report.add_computed(changes=True)
    report.add_computed(changes=False)
    assert report.to_json()["computed"]["taken"] == 2
    assert report.to_json()["computed"]["changed"] == 1


def test_a_fitted_policy_without_data_on_pages_reads_them() -> None:
    nothing = (0.0,) * len(NAMES)
    moves = frozenset((Move.read, Move.answer, Move.escalate))
    unknown = FittedPolicy(nothing, nothing, {Move.answer: (5.0, *nothing[1:])})
    assert unknown.pick((1.0, *nothing[1:]), moves) is Move.read
    known = FittedPolicy(nothing, nothing, {Move.answer: (5.0, *nothing[1:]), Move.read: nothing})
    assert known.pick((1.0, *nothing[1:]), moves) is Move.answer


def test_a_fitted_policy_without_data_on_answers_asks_for_one() -> None:
    nothing = (0.0,) * len(NAMES)
    sure = (5.0, *nothing[1:])
    moves = frozenset((Move.keep, Move.answer, Move.escalate))
    unknown = FittedPolicy(sure, nothing, {})
    assert unknown.pick((1.0, *nothing[1:]), moves) is Move.answer
    known = FittedPolicy(sure, nothing, {Move.answer: nothing})
    assert known.pick((1.0, *nothing[1:]), moves) is Move.keep
    better = FittedPolicy(nothing, nothing, {Move.answer: (0.9, *nothing[1:])})
    assert better.pick((1.0, *nothing[1:]), moves) is Move.answer
