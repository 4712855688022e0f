"""Who gives a second opinion in a refresh, and what it reads."""

from __future__ import annotations

import threading
from decimal import Decimal
from typing import Any

import pytest
from evaluation.scripted_model import ScriptedModel
from servers.pages import DAY, QUESTION, Pages

from freshqa.answering.budget import Budget
from freshqa.checking.policy import RULE
from freshqa.dataset.question import Question
from freshqa.errors import UsageError
from freshqa.maintaining.proposal import CheckedQuestion, Outcome
from freshqa.maintaining.recheck import recheck
from freshqa.maintaining.steps import StepReport
from prefect_freshqa.tasks.providers import Providers
from prefect_freshqa.tasks.refresh_settings import RefreshSettings
from prefect_freshqa.tasks.second_opinions import SecondProviders, check_second

OTHER = "Bo Lindt leads Orlune."
FOUND = {QUESTION.text: "Idris Quane leads Orlune."}


def checked(
    pages: Pages, model: ScriptedModel | None, second: SecondProviders, **settings: Any
) -> CheckedQuestion:
    told = RefreshSettings(judge="none", **settings)
    providers = Providers(
        DAY, told, pages, model, None, RULE, Budget(), threading.Semaphore(), second=second
    )
    question = Question({**QUESTION.fields, "next_review": "03/02/2026"}, key="q")
    ask, helpers = providers.ask(question)
    return recheck(question, as_of=DAY, ask=ask, helpers=helpers)


def test_a_second_model_reads_the_evidence_with_its_own_prompt() -> None:
    prompts: list[str] = []

    def replies(answer: str) -> ScriptedModel:
        def reply(chat: Any) -> str:
            prompts.append("\n".join(message.content for message in chat))
            return answer

        return ScriptedModel(reply)

    pages = Pages(FOUND)
    second = SecondProviders(model=replies("Idris Quane"))
    result = checked(pages, replies("Idris Quane"), second, profile="best")
    assert result.outcome is Outcome.changed and pages.queries == [QUESTION.text]
    assert len(prompts) == 2 and prompts[0] != prompts[1]
    assert all("Idris Quane leads Orlune." in prompt for prompt in prompts)
    assert (result.searches, result.completions) == (1, 2)
    report = StepReport()
    report.add(result.rounds)
    assert report.to_json()["second-opinion"] == {"taken": 1, "agreed": 1, "changed": 0}


def test_a_second_engine_is_searched_and_counted() -> None:
    model = ScriptedModel(lambda chat: "Bo Lindt" if OTHER in chat[-1].content else "Idris Quane")
    first, other = Pages(FOUND), Pages({QUESTION.text: OTHER})
    result = checked(first, model, SecondProviders(search=other), profile="best")
    assert other.queries == [QUESTION.text]
    assert result.proposal is not None and "second-differs" in result.proposal.flags
    assert (result.searches, result.cost_usd) == (2, Decimal("0.02"))


def test_search_only_accepts_a_second_engine_and_refuses_a_second_model() -> None:
    first, other = Pages(FOUND), Pages(FOUND)
    checked(first, None, SecondProviders(search=other), method="search-only")
    assert len(other.queries) <= 1
    with pytest.raises(UsageError, match="--second-model has no effect"):
        check_second(RefreshSettings(method="search-only", second_model="openai:gpt-4o-mini"))
