"""What the loop policy of a refresh acquires, with the real answering methods."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Any

import pytest
from evaluation.scripted_model import ScriptedModel
from servers.pages import DAY, QUESTION, Pages

from freshqa.answering.budget import Budget
from freshqa.checking.policy import fixed_policy
from freshqa.dataset.question import Question
from freshqa.evidence.web_page import WebPage
from freshqa.maintaining.flags import Flag
from freshqa.maintaining.proposal import CheckedQuestion, Outcome
from freshqa.maintaining.recheck import CheckSettings, recheck
from prefect_freshqa.tasks.providers import Providers
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

RECENT = "Who leads Orlune March 2026"


@dataclass
class Site:
    """Pages by address, and which were read."""

    pages: Mapping[str, str]
    read_urls: list[str] = field(default_factory=list)

    def read(self, url: str, *, as_of: date, select: str = "", path: str = "") -> WebPage:
        self.read_urls.append(url)
        at = datetime(2026, 3, 9, tzinfo=timezone.utc)
        text = self.pages.get(url, "")
        return WebPage(url, at, text, problem="" if text else "nobody there")


def checked(
    pages: Pages,
    model: ScriptedModel | None,
    policy: str,
    *,
    question: Question = QUESTION,
    reader: Site | None = None,
    **settings: Any,
) -> CheckedQuestion:
    told, budget = RefreshSettings(**settings), Budget()
    chosen = fixed_policy(policy)
    providers = Providers(
        DAY, told, pages, model, None, chosen, budget, threading.Semaphore(), pages=reader
    )
    ask, helpers = providers.ask(question)
    return recheck(question, as_of=DAY, ask=ask, helpers=helpers)


def acquired(result: CheckedQuestion) -> list[str]:
    return [step["move"] for step in result.rounds[0]["acquired"]]


def test_the_rule_pays_for_one_search_and_counts_it() -> None:
    pages = Pages({QUESTION.text: "Idris Quane leads Orlune."})
    result = checked(pages, ScriptedModel(lambda chat: "Idris Quane"), "rule", judge="none")
    assert acquired(result) == ["search", "answer"]
    assert pages.queries == [QUESTION.text]
    assert (result.outcome, result.cost_usd) == (Outcome.changed, Decimal("0.01"))


@pytest.mark.parametrize("policy", ["self-ask", "no-consolidator"])
def test_a_policy_that_answers_from_memory_searches_nothing(policy: str) -> None:
    pages = Pages({QUESTION.text: "Idris Quane leads Orlune."})
    model = ScriptedModel(lambda chat: "No." if "look something up" in chat[-1].content else "Bo")
    result = checked(pages, model, policy, judge="none")
    assert acquired(result) == ["answer"] and pages.queries == []
    assert result.outcome is not Outcome.changed, "no evidence speaks for it"


def test_with_follow_ups_the_rule_searches_once_more_for_what_is_not_supported() -> None:
    follow_up = "Who won the election in Orlune?"
    pages = Pages({QUESTION.text: "Orlune held an election.", follow_up: "Idris Quane won it."})

    def reply(chat: Any) -> str:
        last = chat[-1].content
        if "follow up questions needed here:" in last:
            return f"Yes.\nFollow up: {follow_up}"
        return "Idris Quane" if "Idris Quane won it." in last else "unknown"

    result = checked(pages, ScriptedModel(reply), "rule", profile="best", judge="none")
    assert [step["move"] for step in result.rounds][-2:] == ["search-again", "propose"]
    assert pages.queries == [QUESTION.text, RECENT, follow_up]
    assert result.outcome is Outcome.changed and result.cost_usd == Decimal("0.03")
    assert result.searches == 3


def test_a_one_hop_row_that_needed_a_sub_question_comes_with_a_suggestion_of_hops() -> None:
    question = Question(
        {
            "question": "Where was the president of Orlune born?",
            "answer_0": "Vellmark",
            "fact_type": "slow-changing",
            "num_hops": "one-hop",
            "false_premise": "FALSE",
            "next_review": "occasionally",
        },
        key="q",
    )
    follow_up = "Where was Idris Quane born?"
    pages = Pages(
        {
            question.text: "Idris Quane is president of Orlune.",
            follow_up: "Quane was born in Port Lune.",
        }
    )

    def reply(chat: Any) -> str:
        last = chat[-1].content
        if "follow up questions needed here:" in last:
            return f"Yes.\nFollow up: {follow_up}"
        return "Port Lune" if "born in Port Lune" in last else "unknown"

    model = ScriptedModel(reply)
    result = checked(pages, model, "rule", question=question, profile="best", judge="none")
    assert result.outcome is Outcome.changed and result.proposal is not None
    assert result.proposal.suggested_values == {"num_hops": "multi-hop"}
    assert follow_up in result.proposal.suggestions["num_hops"]
    assert "num_hops" not in result.proposal.changes


def test_the_results_of_a_recent_search_are_used_and_end_the_searching() -> None:
    pages = Pages({QUESTION.text: "Orlune held an election.", RECENT: "Idris Quane leads Orlune."})
    model = ScriptedModel(
        lambda chat: "Idris Quane" if "Quane leads" in chat[-1].content else "unknown"
    )
    result = checked(pages, model, "rule", profile="best", judge="none")
    assert pages.queries == [QUESTION.text, RECENT]
    assert (result.outcome, result.searches) == (Outcome.changed, 2)


def test_at_most_two_further_searches_are_made_and_all_are_counted() -> None:
    statement = Question({**QUESTION.fields, "question": "Who is the head of Orlune?"}, key="q")
    pages = Pages({statement.text: "Orlune held an election."})
    result = checked(
        pages,
        ScriptedModel(lambda chat: "unknown"),
        "rule",
        question=statement,
        profile="best",
        judge="none",
    )
    assert pages.queries == [
        statement.text,
        "Who is the head of Orlune March 2026",
        "the head of Orlune is",
    ]
    assert result.searches == 3 and result.cost_usd == Decimal("0.03")
    assert result.outcome is Outcome.insufficient


@pytest.mark.parametrize("settings", [{"extra_searches": 0}, {"profile": "paper-gpt4"}])
def test_further_searches_can_be_switched_off(settings: dict[str, Any]) -> None:
    pages = Pages({QUESTION.text: "Orlune held an election."})
    told = {"profile": "best", "judge": "none", **settings}
    checked(pages, ScriptedModel(lambda chat: "unknown"), "rule", **told)
    assert pages.queries == [QUESTION.text]


def test_a_row_of_low_risk_is_searched_once() -> None:
    settled = Question(
        {**QUESTION.fields, "fact_type": "never-changing", "next_review": "hardly_ever"}, key="q"
    )
    pages = Pages({QUESTION.text: "Mira Tolland leads Orlune."})
    model = ScriptedModel(lambda chat: "unknown")
    result = checked(pages, model, "rule", question=settled, profile="best", judge="none")
    assert result.risk < 0.05 and pages.queries == [QUESTION.text]


def test_agreement_from_memory_alone_leads_to_another_search() -> None:
    stale = Question({**QUESTION.fields, "next_review": "03/02/2026"}, key="q")
    pages = Pages({QUESTION.text: "Orlune held an election.", RECENT: "Idris Quane leads Orlune."})
    model = ScriptedModel(
        lambda chat: "Idris Quane" if "Quane leads" in chat[-1].content else "Mira Tolland"
    )
    result = checked(pages, model, "rule", question=stale, profile="best", judge="none")
    assert pages.queries == [QUESTION.text, RECENT]
    assert result.outcome is Outcome.changed


def test_sub_questions_of_a_multi_hop_row_are_asked_after_the_whole_question() -> None:
    hops = Question({**QUESTION.fields, "num_hops": "multi-hop"}, key="q")
    pages = Pages({hops.text: "Idris Quane leads Orlune."})
    result = checked(
        pages,
        ScriptedModel(lambda chat: "Idris Quane"),
        "rule",
        question=hops,
        profile="best",
        judge="none",
    )
    assert pages.queries == [hops.text], "the whole question settled it"
    assert result.outcome is Outcome.changed

    steps = ["Where is Orlune?", "Who leads that place?"]
    pages = Pages({hops.text: "Orlune is a place.", steps[1]: "Idris Quane leads it."})

    def reply(chat: Any) -> str:
        last = chat[-1].content
        if "follow up questions needed here:" in last:
            asked = [step for step in steps if step in last]
            return f"Yes.\nFollow up: {steps[min(len(asked), 1)]}"
        return "Idris Quane" if "Idris Quane leads it." in last else "unknown"

    result = checked(
        pages, ScriptedModel(reply), "rule", question=hops, profile="best", judge="none"
    )
    assert pages.queries == [hops.text, *steps] and result.outcome is Outcome.changed


BEHIND = {
    "https://1.example/": "The harbour was busy. Idris Quane leads Orlune since March 2026.",
    "https://2.example/": "Idris Quane leads Orlune, the gazette says.",
}


@pytest.mark.parametrize("method", ["freshprompt", "search-only"])
def test_pages_are_read_for_a_risky_row_and_its_search_is_counted_once(method: str) -> None:
    pytest.importorskip("rank_bm25", reason="extra pages")
    pages, site = Pages({QUESTION.text: "Orlune has a new leader."}), Site(BEHIND)
    model = ScriptedModel(
        lambda chat: "Idris Quane" if "Quane leads" in chat[-1].content else "unknown"
    )
    asked = None if method == "search-only" else model
    result = checked(pages, asked, "rule", method=method, judge="none", reader=site, read_pages=2)
    assert acquired(result) == ["search", "read-pages", "answer"]
    assert sorted(site.read_urls) == sorted(BEHIND)
    assert result.searches == 1 and result.cost_usd == Decimal("0.01")
    assert all(finding.page for finding in result.evidence)
    if asked:
        assert result.outcome is Outcome.changed


def test_no_page_is_read_for_a_row_of_low_risk() -> None:
    settled = Question(
        {
            "question": QUESTION.text,
            "answer_0": "Mira Tolland",
            "fact_type": "never-changing",
            "next_review": "N/A",
        },
        key="q",
    )
    pages, site = Pages({QUESTION.text: "Mira Tolland leads Orlune."}), Site(BEHIND)
    model = ScriptedModel(lambda chat: "Mira Tolland")
    result = checked(
        pages, model, "rule", question=settled, judge="none", reader=site, read_pages=2
    )
    assert acquired(result) == ["search", "answer"]
    assert site.read_urls == [] and result.risk < 0.02


def test_the_pages_of_a_further_search_are_read_with_it() -> None:
    pytest.importorskip("rank_bm25", reason="extra pages")
    pages = Pages({QUESTION.text: "Orlune held an election.", RECENT: "Orlune counted."})
    site = Site({})
    model = ScriptedModel(lambda chat: "unknown")
    checked(pages, model, "rule", profile="best", judge="none", reader=site, read_pages=1)
    assert pages.queries[:2] == [QUESTION.text, RECENT]
    assert len(site.read_urls) == 2, "a page of each search that found one, each read once"


def test_self_ask_reads_pages_only_after_an_uncertain_answer() -> None:
    pytest.importorskip("rank_bm25", reason="extra pages")
    pages, site = Pages({QUESTION.text: "Orlune has a new leader."}), Site(BEHIND)
    model = ScriptedModel(
        lambda chat: (
            "So the final answer is: Idris Quane"
            if "Quane leads" in chat[-1].content
            else "So the final answer is: unknown"
        )
    )
    result = checked(
        pages, model, "rule", method="self-ask", judge="none", reader=site, read_pages=2
    )
    assert acquired(result) == ["search", "answer"]
    assert "read-pages" in [step["move"] for step in result.rounds]
    assert sorted(site.read_urls) == sorted(BEHIND)


def test_configured_mirrors_support_no_answer_and_are_flagged() -> None:
    pages = Pages({QUESTION.text: "Idris Quane leads Orlune."})
    told = RefreshSettings(judge="none", mirrors=("1.Example", "2.example"))
    model = ScriptedModel(lambda chat: "Idris Quane")
    providers = Providers(
        DAY, told, pages, model, None, fixed_policy("rule"), Budget(), threading.Semaphore()
    )
    ask, helpers = providers.ask(QUESTION)
    checking = CheckSettings(mirrors=told.known_mirrors)
    result = recheck(QUESTION, as_of=DAY, ask=ask, settings=checking, helpers=helpers)
    assert result.evidence == () and result.outcome is Outcome.insufficient
    assert result.proposal is not None and Flag.benchmark_copy in result.proposal.flags
    plain = checked(Pages(pages.pages), model, "rule", judge="none")
    assert plain.outcome is Outcome.changed and plain.proposal is not None
    assert Flag.benchmark_copy not in plain.proposal.flags
