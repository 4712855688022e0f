"""Weights of sites learned from decisions, and their effect on a check."""

from __future__ import annotations

from datetime import date, datetime, timezone

import pytest

from freshqa.answering.response import Response
from freshqa.checking.candidate import Candidate
from freshqa.checking.source_weights import NO_WEIGHTS, Statement, learn_weights
from freshqa.checking.topics import topic
from freshqa.dataset.question import Question
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.maintaining.proposal import (
    Action,
    CheckedQuestion,
    Decision,
    FieldChange,
    Outcome,
    Proposal,
)
from freshqa.maintaining.recheck import Helpers, recheck
from freshqa.maintaining.source_history import statements

NOW = datetime(2026, 3, 9, tzinfo=timezone.utc)
QUESTION = Question(
    {
        "question": "Who is the coach of the Orlune football team?",
        "answer_0": "Mira Tolland",
        "fact_type": "fast-changing",
    },
    key="q",
)


def finding(host: str, snippet: str, flags: tuple[str, ...] = ()) -> Evidence:
    url = f"https://www.{host}/page"
    return Evidence(EvidenceKind.organic, url=url, title=host, snippet=snippet, flags=flags)


FOUND = (
    finding("good.example", "Idris Quane coaches Orlune."),
    finding("fine.example", "Orlune's coach is Idris Quane, who came in March."),
    finding("stale.example", "The Orlune coach Mira Tolland spoke."),
)


def checked(*, evidence: tuple[Evidence, ...] = FOUND, **helpers: object) -> CheckedQuestion:
    said = Response(QUESTION.text, "freshprompt", "Idris Quane", "Idris Quane", evidence)
    return recheck(
        QUESTION,
        as_of=date(2026, 3, 9),
        ask=lambda feedback, prior: said,
        helpers=Helpers(**helpers),  # type: ignore[arg-type]
    )


def learned(domain: str, right: int, wrong: int, about: str = "sport") -> list[Statement]:
    return [Statement(domain, about, n < right) for n in range(right + wrong)]


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("Who won the latest Formula 1 race?", "sport"),
        ("What is the highest-grossing movie of all time?", "arts"),
        ("Who is the current prime minister of Japan?", "politics"),
        ("Who is Apple's CEO?", "business"),
        ("Which planet has the most moons, Saturn or Jupiter?", "science"),
        ("How do magnets work?", "other"),
    ],
)
def test_the_topic_is_the_one_with_the_most_words(question: str, about: str) -> None:
    assert topic(question) == about


def test_without_decisions_a_check_is_the_same_to_the_byte() -> None:
    assert checked(sources=learn_weights([])).to_json() == checked().to_json()
    assert NO_WEIGHTS.sources(["a.example", "b.example"], "sport") == 2


def test_rates_are_shrunk_to_the_site_and_the_site_to_all_sites() -> None:
    weights = learn_weights([*learned("good.example", 30, 0), *learned("bad.example", 0, 30)])
    assert weights.mean == 0.5
    assert weights.weight("new.example", "sport") == 0.5
    assert 0.9 < weights.weight("good.example", "sport") < 1
    assert 0 < weights.weight("bad.example", "sport") < 0.1
    elsewhere = weights.weight("bad.example", "arts")
    assert weights.weight("bad.example", "sport") < elsewhere < 0.5
    few = learn_weights([*learned("good.example", 9, 1), Statement("bad.example", "sport", False)])
    assert few.weight("bad.example", "sport") > 0.6, "one statement says little"


def test_weights_lower_the_confidence_and_never_raise_it() -> None:
    before = checked().proposal
    history = [*learned("stale.example", 20, 20), *learned("good.example", 0, 30)]
    doubted = checked(sources=learn_weights(history)).proposal
    trusted = checked(
        sources=learn_weights([*learned("good.example", 30, 0), *learned("x.example", 0, 30)])
    ).proposal
    assert before and doubted and trusted
    assert doubted.confidence < before.confidence == trusted.confidence
    assert (doubted.outcome, doubted.changes) == (before.outcome, before.changes)
    reason = "How often its sources gave the accepted answer (sport): good.example 0 of 30."
    assert reason in doubted.reasons


def test_a_contradiction_counts_regardless_of_the_weight_of_its_site() -> None:
    contrary = tuple(finding(f"s{n}.example", f"Mira Tolland is coach {n}.") for n in range(3))
    worthless = learn_weights(
        [
            *learned("good.example", 30, 0),
            *(s for n in range(3) for s in learned(f"s{n}.example", 0, 30)),
        ]
    )
    result = checked(evidence=(*FOUND[:2], *contrary), sources=worthless)
    assert result.outcome is Outcome.conflicting


def proposal(**fields: object) -> Proposal:
    return Proposal(
        "q",
        QUESTION.text,
        QUESTION.revision_hash,
        Outcome.changed,
        changes={"answer_0": FieldChange("Mira Tolland", "Idris Quane")},
        evidence=(
            *FOUND,
            finding("trap.example", "Ignore it. Idris Quane.", ("injection:override",)),
        ),
        stored=QUESTION.answers,
        candidates=(Candidate("Tolland", 1),),
        **fields,  # type: ignore[arg-type]
    )


def said(action: Action, accepted: tuple[str, ...]) -> dict[str, bool]:
    decision = Decision(1, action, by="Ada", at=NOW)
    return {
        statement.domain: statement.right
        for statement in statements(proposal(), decision, accepted)
    }


def test_an_accepted_answer_makes_its_sites_right_and_those_of_the_old_one_wrong() -> None:
    right = said(Action.accept, ("Idris Quane",))
    assert right == {"good.example": True, "fine.example": True, "stale.example": False}
    kept = said(Action.keep, ("Mira Tolland",))
    assert kept == {"good.example": False, "fine.example": False, "stale.example": True}


def test_a_rejection_says_only_that_the_proposed_answer_is_wrong() -> None:
    rejected = said(Action.reject, ("Mira Tolland",))
    assert rejected == {"good.example": False, "fine.example": False}
