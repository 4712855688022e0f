"""The searches of a check can suggest another number of hops."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone

import pytest

from freshqa.answering.response import Response
from freshqa.dataset.question import Question
from freshqa.evidence.parsing import parse
from freshqa.evidence.search_engine import SearchResult
from freshqa.maintaining.hops import other_hops

AT = datetime(2026, 3, 9, tzinfo=timezone.utc)
BORN = "Where was the president of Orlune born?"
FOLLOW_UP = "Where was Idris Quane born?"
PRESIDENT = "Idris Quane is president of Orlune."
TOWN = "Quane was born in Port Lune, in the north."


def searched(query: str, *snippets: str) -> SearchResult:
    hits = [
        {"position": n, "link": f"https://site{n}.example/", "title": "Page", "snippet": text}
        for n, text in enumerate(snippets, start=1)
    ]
    return SearchResult("serpapi", query, {"organic_results": hits}, AT)


def answered(*searches: SearchResult, question: str = BORN) -> Response:
    evidence = tuple(finding for result in searches for finding in parse(result))
    return Response(question, "freshprompt", "Port Lune", "Port Lune", evidence, searches)


def row(hops: str, question: str = BORN, premise: str = "FALSE") -> Question:
    fields = {"question": question, "answer_0": "Port Lune", "num_hops": hops}
    return Question({**fields, "false_premise": premise}, key="q")


def hops_of(question: Question, response: Response, *answers: str) -> str:
    return other_hops(question, response, answers or ("Port Lune",))[0]


def test_an_answer_reached_only_through_another_entity_is_multi_hop() -> None:
    # The search for the question itself comes last, as in a response of FreshPrompt.
    response = answered(searched(FOLLOW_UP, TOWN), searched(BORN, PRESIDENT))
    assert other_hops(row("one-hop"), response, ("Port Lune",)) == (
        "multi-hop",
        "The answer was found only by asking 'Where was Idris Quane born?'.",
    )


def test_follow_ups_of_self_ask_count_in_their_order() -> None:
    first = searched("Who is president of Orlune?", PRESIDENT)
    assert hops_of(row("one-hop"), answered(first, searched(FOLLOW_UP, TOWN))) == "multi-hop"
    assert hops_of(row("one-hop"), answered(searched(FOLLOW_UP, TOWN), first)) == ""


@pytest.mark.parametrize(
    "searches",
    [
        (searched(BORN, PRESIDENT, TOWN), searched(FOLLOW_UP, TOWN)),  # the first search has it
        (searched(BORN, PRESIDENT), searched("Which is the birthplace?", TOWN)),  # names nothing
        (searched(BORN, PRESIDENT), searched("Where was Mira Tolland born?", TOWN)),  # not found
        (searched(BORN, PRESIDENT), searched("Where was Orlune's president born?", TOWN)),
        (searched(BORN, PRESIDENT), searched(FOLLOW_UP, "Quane likes boats.")),  # no answer
        (searched(BORN, PRESIDENT, TOWN),),
        (),
    ],
)
def test_nothing_else_makes_a_one_hop_question_multi_hop(
    searches: tuple[SearchResult, ...],
) -> None:
    assert hops_of(row("one-hop"), answered(*searches)) == ""


ALONE = "The president of Orlune, Idris Quane, was born in Port Lune."


def test_a_multi_hop_question_answered_by_two_single_sources_is_one_hop() -> None:
    words = "In short: the president of Orlune, Quane, was born in Port Lune in 1975."
    two = answered(searched(BORN, ALONE, words))
    assert hops_of(row("multi-hop"), two) == "one-hop"
    assert hops_of(row("multi-hop"), answered(searched(BORN, ALONE))) == ""
    assert hops_of(row("multi-hop"), answered(searched(BORN, PRESIDENT, TOWN))) == ""
    copies = answered(searched(BORN, ALONE, ALONE))
    assert hops_of(row("multi-hop"), copies) == "", "the second repeats the first"


def test_no_hops_are_suggested_for_false_premises_unknown_labels_or_without_an_answer() -> None:
    response = answered(searched(FOLLOW_UP, TOWN), searched(BORN, PRESIDENT))
    assert hops_of(row("one-hop", premise="TRUE"), response) == ""
    assert hops_of(row(""), response) == ""
    assert other_hops(row("one-hop"), response, ()) == ("", "")
    assert hops_of(row("one-hop"), replace(response, searches=())) == ""
