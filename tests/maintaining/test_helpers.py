"""Optional calls of a check: a critic, and the probe for answers from memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timezone
from typing import Any

import pytest

from freshqa.answering.language_model import Completion
from freshqa.answering.response import Response
from freshqa.checking.criticism import self_critic
from freshqa.checking.probe import Grounding, forged_answer, probe
from freshqa.dataset.question import Question
from freshqa.errors import ProviderError
from freshqa.evidence.parsing import parse
from freshqa.evidence.search_engine import SearchResult
from freshqa.facts.tokens import fold
from freshqa.maintaining.proposal import Outcome
from freshqa.maintaining.recheck import Helpers, recheck

AS_OF = date(2026, 3, 9)
NOW = datetime(2026, 3, 9, tzinfo=timezone.utc)
ROW = Question(
    {
        "question": "Who is the president of Orlune?",
        "answer_0": "Mira Tolland",
        "fact_type": "slow-changing",
        "next_review": "occasionally",
    },
    key="p",
)
BODY = {
    "organic_results": [
        {"link": f"https://{host}.example/", "title": host, "snippet": text}
        for host, text in (
            ("courier", "Idris Quane is the new president of Orlune."),
            ("observer", "President Idris Quane of Orlune opened the fair."),
        )
    ]
}
FOUND = SearchResult("serpapi", ROW.text, BODY, NOW)


def reply(text: str) -> Completion:
    return Completion(text, "scripted", "0" * 64, NOW)


def respond(answer: str, results: Sequence[SearchResult] = (FOUND,)) -> Response:
    evidence = tuple(finding for result in results for finding in parse(result))
    return Response(
        ROW.text, "freshprompt", answer, answer, evidence, tuple(results), (reply(answer),)
    )


def reader(results: Sequence[SearchResult]) -> Response:
    """Answers with the first two words of what it is given."""
    words = results[0].body["organic_results"][0]["snippet"].split()
    return respond(" ".join(words[:2]), results)


def rememberer(results: Sequence[SearchResult]) -> Response:
    return respond("Idris Quane", results)


def test_a_method_that_repeats_a_forged_answer_is_grounded_in_evidence() -> None:
    assert probe("Idris Quane", respond("Idris Quane"), reader).grounding is Grounding.evidence
    shown = probe("Idris Quane", respond("Idris Quane"), rememberer)
    assert shown.grounding is Grounding.memory
    nothing = probe(
        "Idris Quane", respond("Idris Quane"), lambda results: respond("Nobody", results)
    )
    assert nothing.grounding is Grounding.unclear


@pytest.mark.parametrize("answer", ["Mar 9, 2026", "412", "seven", "83%", "$6", "Idris Quane"])
def test_a_forged_answer_is_a_different_answer_of_the_same_kind(answer: str) -> None:
    fake = forged_answer(answer)
    assert fold(fake) != fold(answer)
    assert any(c.isdigit() for c in fake) is any(c.isdigit() for c in answer)


def check(ask_from: Any) -> Any:
    return recheck(
        ROW,
        as_of=AS_OF,
        ask=lambda feedback, prior: respond("Idris Quane"),
        helpers=Helpers(ask_from=ask_from),
    )


def test_a_change_supported_by_evidence_remains_a_change() -> None:
    checked = check(reader)
    assert checked.outcome is Outcome.changed
    assert checked.completions == 2


def test_a_change_from_memory_is_insufficient() -> None:
    checked = check(rememberer)
    assert checked.outcome is Outcome.insufficient
    assert checked.proposal.changes == {}
    assert "from-memory" in checked.proposal.flags
    assert "still says 'Idris Quane'" in checked.proposal.reasons[-1]


def test_a_failing_probe_leaves_a_flag() -> None:
    def fail(results: Sequence[SearchResult]) -> Response:
        raise ProviderError("no answer")

    checked = check(fail)
    assert checked.outcome is Outcome.changed and "unprobed" in checked.proposal.flags


def test_a_critic_writes_the_feedback_and_is_charged() -> None:
    class Model:
        name = "scripted"

        def complete(self, messages: Any, **settings: Any) -> Completion:
            assert "Vera Stroud" in messages[0].content
            assert "stands in none of the evidence" in messages[0].content
            return reply("The evidence names another person.")

    heard: list[str] = []

    def ask(feedback: str, prior: Response | None) -> Response:
        heard.append(feedback)
        return respond("Idris Quane" if prior else "Vera Stroud")

    helpers = Helpers(critic=self_critic(Model(), as_of=AS_OF))
    checked = recheck(ROW, as_of=AS_OF, ask=ask, helpers=helpers)
    assert heard == ["", "The evidence names another person."]
    assert checked.outcome is Outcome.changed
    assert checked.completions == 3
    assert checked.rounds[0]["critique"] == "The evidence names another person."


def test_a_stale_answer_from_memory_is_not_trusted() -> None:
    stale = replace(
        ROW, fields={**ROW.fields, "fact_type": "fast-changing", "next_review": "03/08/2026"}
    )
    checked = recheck(stale, as_of=AS_OF, ask=lambda feedback, prior: respond("Mira Tolland"))
    assert checked.outcome is Outcome.insufficient and checked.risk > 0.5
    calm = recheck(ROW, as_of=AS_OF, ask=lambda feedback, prior: respond("Mira Tolland"))
    assert calm.outcome is Outcome.unchanged


def test_a_return_to_the_stored_answer_after_feedback_is_a_conflict() -> None:
    against = {"link": "https://other.example/", "title": "x", "snippet": "Mira Tolland stays."}
    results_page = replace(FOUND, body={"organic_results": [BODY["organic_results"][0], against]})
    checked = recheck(
        ROW,
        as_of=AS_OF,
        ask=lambda feedback, prior: respond(
            "Mira Tolland" if prior else "Idris Quane", (results_page,)
        ),
    )
    assert checked.outcome is Outcome.conflicting
    assert checked.proposed == ("Idris Quane",)
