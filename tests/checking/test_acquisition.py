"""What a step is worth, when a check ends early, and the report of its steps."""

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

    found = Response(question.text, "none", "", "", evidence)
    result = recheck(
        question,
        as_of=DAY,
        ask=ask,
        settings=CheckSettings(1, policy, **settings),  # type: ignore[arg-type]
        helpers=Helpers(fixed_policy(policy), tools=Tools(lambda: found, ask, lambda: True)),
    )
    return result, asked


def test_a_step_that_no_sign_of_would_change_the_decision_gains_nothing() -> None:
    assert gain(0.001, ANSWER) == pytest.approx(0, abs=1e-9)
    assert not pays(Move.answer, 0.001, ANSWER)
    assert pays(Move.answer, 0.01, ANSWER)
    assert gain(0.005, ANSWER) < gain(0.01, ANSWER) < gain(0.02, ANSWER)
    assert keeps(0.02) and not keeps(0.3)
    assert worth(0.0) == 1.0 and worth(1.0) == pytest.approx(0.65)


def test_a_row_of_hardly_any_risk_is_kept_after_the_search() -> None:
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
def test_the_model_is_asked_where_a_decision_rests_on_it(
    question: Question, evidence: tuple[Evidence, ...], policy: str, stop_early: bool
) -> None:
    _, asked = checked(question, evidence, policy=policy, stop_early=stop_early)
    assert asked, "the model was not asked"


def test_steps_are_counted_with_what_they_cost_and_changed() -> None:
    def one(
        move: str, answer: str, agrees: bool, searches: int, completions: int, usd: str
    ) -> dict[str, object]:
        spent = {"searches": searches, "completions": completions, "usd": usd}
        return {"move": move, "answer": answer, "agrees": agrees, "guards": [], "spent": spent}

    report = StepReport()
    first = {
        **one("search-again", "", False, 1, 1, "0.02"),
        "acquired": [{"move": "search"}, {"move": "answer"}],
    }
    report.add((first, one("propose", "Idris Quane", False, 3, 3, "0.06")))
    stopped = {
        **one("keep", "", False, 1, 0, "0.01"),
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
        "completions": 1,
        "cost_usd": "0.02",
    }
    assert figures["search-again"]["searches"] == 2
    assert figures["search-again"]["completions"] == 2
    assert figures["search-again"]["cost_usd"] == "0.04"


def test_a_fitted_policy_ends_a_check_only_where_it_knows_what_an_answer_is_worth() -> None:
    nothing = (0.0,) * len(NAMES)
    sure = (5.0, *nothing[1:])
    moves = frozenset((Move.keep, Move.answer, Move.escalate))
    unknown = FittedPolicy(sure, nothing, {})
    assert unknown.pick((1.0, *nothing[1:]), moves) is Move.answer
    known = FittedPolicy(sure, nothing, {Move.answer: nothing})
    assert known.pick((1.0, *nothing[1:]), moves) is Move.keep
    better = FittedPolicy(nothing, nothing, {Move.answer: (0.9, *nothing[1:])})
    assert better.pick((1.0, *nothing[1:]), moves) is Move.answer
