"""The gate: what it refuses, what it lets travel, and that it never passes by accident."""

from __future__ import annotations

from datetime import date

from freshqa.dataset.question import Question
from prefect_freshqa.expectations.gate import validate

AS_OF = date(2025, 3, 10)


def question(text: str = "Who leads the Lantern Guild?", **changes: str) -> Question:
    fields = {
        "split": "TEST",
        "question": text,
        "effective_year": "2024",
        "next_review": "occasionally",
        "false_premise": "FALSE",
        "num_hops": "one-hop",
        "fact_type": "slow-changing",
        "source": "https://example.org/guild",
        "answer_0": "Mira Vale",
    }
    return Question({**fields, **changes})


def test_a_sound_draft_passes_and_every_rule_was_evaluated() -> None:
    report = validate([question()], as_of=AS_OF)
    assert (report.success, report.errors) == (True, ())
    assert report.evaluated > 10


def test_an_empty_draft_is_refused() -> None:
    report = validate([], as_of=AS_OF, base=[question()])
    assert [error.rule for error in report.errors] == ["questions-present"]


def test_an_impossible_review_date_is_refused() -> None:
    report = validate([question(next_review="02/30/2027")], as_of=AS_OF)
    [error] = report.errors
    assert (error.rule, error.column, error.value) == (
        "review-readable",
        "next_review",
        "02/30/2027",
    )


def test_what_the_base_had_is_known_and_does_not_block() -> None:
    loose = question(next_review="2027")
    report = validate([loose], as_of=AS_OF, base=[loose])
    assert report.success
    assert [(v.rule, v.known) for v in report.known] == [("review-readable", True)]


def test_a_new_violation_is_not_hidden_by_an_old_one_elsewhere() -> None:
    old, other = question(next_review="2027"), question("Which river floods Wend?")
    draft = [old, other.with_changes({"next_review": "soon"})]
    report = validate(draft, as_of=AS_OF, base=[old, other])
    assert [error.question for error in report.errors] == ["Which river floods Wend?"]
