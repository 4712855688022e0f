"""When a second opinion is asked for, and its effect on the conclusion."""

from __future__ import annotations

from datetime import date, datetime, timezone

import pytest

from freshqa.answering.language_model import Completion
from freshqa.answering.response import Response
from freshqa.checking.calibration import (
    expected_calibration_error,
    kept_right,
    proposed_right,
)
from freshqa.dataset.question import Question
from freshqa.errors import ProviderError, StoreError
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.evidence.search_engine import SearchResult
from freshqa.maintaining.acceptance_policy import decide_by_policy
from freshqa.maintaining.flags import Flag
from freshqa.maintaining.proposal import CheckedQuestion, Outcome
from freshqa.maintaining.recheck import Helpers, recheck

DAY = date(2026, 3, 9)
NOW = datetime(2026, 3, 9, tzinfo=timezone.utc)
OLD, NEW, THIRD = "Mira Tolland", "Idris Quane", "Bo Lindt"
QUESTION = Question(
    {
        "question": "Who leads Orlune?",
        "answer_0": OLD,
        "fact_type": "fast-changing",
        "next_review": "03/02/2026",
    },
    key="q",
)


def said(answer: str, *holders: str, model: str = "first") -> Response:
    evidence = tuple(
        Evidence(EvidenceKind.organic, url=f"https://{n}.example/", snippet=f"{name} leads {n}.")
        for n, name in enumerate(holders)
    )
    reply = Completion(answer, model, "0" * 64, NOW)
    search = SearchResult("serpapi", QUESTION.text, {}, NOW)
    text = QUESTION.text
    return Response(text, "freshprompt", answer, answer, evidence, (search,), (reply,))


def checked(
    first: Response, second: Response | Exception | None, *, question: Question = QUESTION
) -> tuple[CheckedQuestion, int]:
    asked: list[Response] = []

    def ask(prior: Response) -> Response:
        asked.append(prior)
        if isinstance(second, Exception):
            raise second
        assert second is not None
        return second

    helpers = Helpers(second=ask) if second is not None else Helpers()
    result = recheck(question, as_of=DAY, ask=lambda feedback, prior: first, helpers=helpers)
    return result, len(asked)


def test_a_second_opinion_that_agrees_keeps_the_conclusion() -> None:
    alone, _ = checked(said(NEW, NEW, NEW), None)
    result, asked = checked(said(NEW, NEW, NEW), said(NEW, NEW, model="second"))
    assert asked == 1 and alone.proposal and result.proposal
    assert (result.outcome, result.proposed) == (Outcome.changed, alone.proposed)
    assert result.proposal.confidence == alone.proposal.confidence, "agreement raises nothing"
    assert result.proposal.flags == alone.proposal.flags
    assert "A second opinion (second) agrees." in result.proposal.reasons
    assert result.rounds[-1]["second"] == {
        "asked": True,
        "model": "second",
        "answer": NEW,
        "agrees": True,
        "changed": False,
    }
    assert (result.completions, result.searches) == (2, 2)


def test_a_second_opinion_for_the_stored_answer_makes_a_change_a_conflict() -> None:
    result, _ = checked(said(NEW, NEW, NEW), said(OLD, NEW, OLD))
    assert result.outcome is Outcome.conflicting and result.proposal
    assert Flag.second_differs in result.proposal.flags
    assert result.proposal.changes["answer_0"].new == NEW, "a person sees what was proposed"
    assert result.rounds[-1]["second"]["changed"] is True


@pytest.mark.parametrize("other", [THIRD, ""])
def test_a_second_opinion_with_another_answer_blocks_every_policy(other: str) -> None:
    result, _ = checked(said(NEW, NEW, NEW), said(other, NEW))
    assert result.outcome is Outcome.changed and result.proposal
    for policy in ("assisted", "certified"):
        decided = decide_by_policy(result.proposal, QUESTION, policy=policy, now=NOW)
        assert decided.action is None and "second-differs" in decided.reason


def test_a_second_opinion_with_evidence_questions_a_kept_answer() -> None:
    result, asked = checked(said(OLD, OLD), said(NEW, NEW, NEW))
    assert asked == 1 and result.outcome is Outcome.conflicting and result.proposal
    assert result.proposal.changes["answer_0"].new == NEW
    unsupported, _ = checked(said(OLD, OLD), said(NEW, OLD))
    assert unsupported.outcome is Outcome.unchanged
    assert unsupported.proposal is not None and Flag.second_differs in unsupported.proposal.flags


def test_no_second_opinion_is_asked_for_if_a_person_decides_or_the_conclusion_is_certain() -> None:
    assert checked(said("", NEW), said(NEW, NEW))[1] == 0, "insufficient"
    assert checked(said(NEW, NEW, OLD), said(NEW, NEW))[1] == 0, "conflicting"
    settled = Question(
        {**QUESTION.fields, "fact_type": "never-changing", "next_review": "N/A"}, key="q"
    )
    assert checked(said(OLD, OLD), said(NEW, NEW), question=settled)[1] == 0, "certain"


def test_a_failed_second_opinion_is_reported_and_blocks_certified_acceptance() -> None:
    result, _ = checked(said(NEW, NEW, NEW), ProviderError("It is down.", "Wait."))
    assert result.outcome is Outcome.changed and result.proposal
    assert Flag.second_missing in result.proposal.flags
    assert "A second opinion was not available: It is down." in result.proposal.reasons
    with pytest.raises(StoreError):
        checked(said(NEW, NEW, NEW), StoreError("full", "Free space."))


def test_calibrated_probabilities_follow_risk_and_sources() -> None:
    assert kept_right(0.01) > kept_right(0.2) > kept_right(0.7)
    assert kept_right(0.001) > 0.95
    assert 0 < proposed_right(0.5, 0.4) < 1
    assert proposed_right(0.9, 0.8) >= proposed_right(0.9, 0.4)


def test_the_calibration_error_is_the_mean_distance_over_bins() -> None:
    assert expected_calibration_error([], []) == 0
    assert expected_calibration_error([0.95] * 20, [True] * 19 + [False]) == pytest.approx(0)
    assert expected_calibration_error([1.0, 0.0], [False, False]) == pytest.approx(0.5)
