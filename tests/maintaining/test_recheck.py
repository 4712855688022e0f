"""One question is checked from search to outcome, with a scripted method."""

from __future__ import annotations

from datetime import date, datetime, timezone

from freshqa.answering.language_model import Completion
from freshqa.answering.response import Response
from freshqa.dataset.question import Question
from freshqa.errors import ProviderError
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.maintaining.proposal import Outcome
from freshqa.maintaining.recheck import recheck

AS_OF = date(2024, 2, 10)
CONCERT = Question(
    {
        "question": "When did The Lamplighters last play?",
        "answer_0": "Nov 22, 2023",
        "answer_1": "22 November 2023",
        "answer_2": "2023-11-22",
        "fact_type": "fast-changing",
        "num_hops": "one-hop",
        "false_premise": "FALSE",
        "effective_year": "2023",
        "next_review": "02/04/2024",
        "source": "https://old.example.org/",
    },
    key="concert",
)


def finding(host: str, snippet: str, on: date | None = None) -> Evidence:
    return Evidence(
        EvidenceKind.organic, url=f"https://{host}.example/{host}", snippet=snippet, date=on
    )


NEW = (
    finding("east", "They played on February 4, 2024 at the old mill.", date(2024, 2, 4)),
    finding("west", "The show of 4 Feb 2024 was their longest.", date(2024, 2, 5)),
)


def response(answer: str, evidence: tuple[Evidence, ...]) -> Response:
    reply = Completion(answer, "scripted", "0" * 64, datetime(2024, 2, 10, tzinfo=timezone.utc))
    text = f"As of today, {answer}."
    return Response(CONCERT.text, "freshprompt", text, answer, evidence, (), (reply,))


def test_a_new_date_in_two_sources_becomes_a_whole_new_row() -> None:
    checked = recheck(
        CONCERT, as_of=AS_OF, ask=lambda feedback, prior: response("Feb 4, 2024", NEW)
    )
    assert checked.outcome is Outcome.changed
    assert checked.proposal is not None
    assert {column: change.new for column, change in checked.proposal.changes.items()} == {
        "answer_0": "Feb 4, 2024",
        "answer_1": "4 February 2024",
        "answer_2": "2024-02-04",
        "effective_year": "2024",
        "next_review": "frequently",
        "source": "https://east.example/east\nhttps://west.example/west",
    }
    assert set(checked.proposal.quotes.values()) == {"February 4, 2024", "4 Feb 2024"}


def test_an_answer_without_evidence_is_insufficient_after_feedback() -> None:
    heard: list[str] = []

    def ask(feedback: str, prior: Response | None) -> Response:
        heard.append(feedback)
        return response("Jan 1, 2024", NEW)

    checked = recheck(CONCERT, as_of=AS_OF, ask=ask)
    assert checked.outcome is Outcome.insufficient
    assert checked.proposal is not None
    assert not checked.proposal.changes
    assert len(heard) == 2 and heard[1].startswith(
        "No finding says that. Copy the answer from a finding."
    )


def test_a_failing_provider_is_an_outcome_not_an_exception() -> None:
    def ask(feedback: str, prior: Response | None) -> Response:
        raise ProviderError("the search engine timed out", "Try again.")

    checked = recheck(CONCERT, as_of=AS_OF, ask=ask)
    assert checked.outcome is Outcome.failed
    assert checked.error == "provider: the search engine timed out Try again."
    assert checked.proposal is None


PAINTED = Question(
    {**CONCERT.fields, "question": "Who painted the mill?", "answer_0": "Mira Vale",
     "answer_1": "", "answer_2": "", "fact_type": "never-changing"},
    key="mill",
)  # fmt: skip
HELD = (
    finding("north", "The mill was painted by Mira Vale in 1911."),
    finding("east", "Mira Vale, painter of the mill, lived nearby."),
    finding("south", "Idris Quane painted the mill."),
)


def test_a_never_changing_fact_is_kept_while_equally_many_sources_support_it() -> None:
    checked = recheck(PAINTED, as_of=AS_OF, ask=lambda *_: response("Idris Quane", HELD))
    assert checked.outcome is Outcome.unchanged
    fewer = recheck(PAINTED, as_of=AS_OF, ask=lambda *_: response("Idris Quane", HELD[2:]))
    assert fewer.outcome is Outcome.changed
    fast = Question({**PAINTED.fields, "fact_type": "fast-changing"}, key="mill")
    other = recheck(fast, as_of=AS_OF, ask=lambda *_: response("Idris Quane", HELD))
    assert other.outcome is Outcome.conflicting


RACE = Question(
    {**PAINTED.fields, "question": "Who won the race of 1911?", "answer_0": "It was cancelled.",
     "false_premise": "TRUE"},
    key="race",
)  # fmt: skip
WON = (
    finding("north", "Idris Quane won the race of 1911."),
    finding("east", "The race of 1911 went to Idris Quane."),
)


def test_a_never_changing_false_premise_does_not_become_true() -> None:
    checked = recheck(RACE, as_of=AS_OF, ask=lambda *_: response("Idris Quane", WON))
    assert checked.outcome is Outcome.insufficient
    slow = Question({**RACE.fields, "fact_type": "slow-changing"}, key="race")
    other = recheck(slow, as_of=AS_OF, ask=lambda *_: response("Idris Quane", WON))
    assert other.outcome is Outcome.premise_now_true
