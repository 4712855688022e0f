"""The gate: what it refuses, what it only warns of, and that it never passes by accident."""

from __future__ import annotations

from datetime import date

from freshqa.dataset.question import Question
from freshqa.dataset.validation import ValidationReport
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
    alone = validate([question()], as_of=AS_OF)
    assert (alone.success, alone.errors, alone.evaluated) == (True, (), 47)
    beside = validate([question()], as_of=AS_OF, base=[question()])
    assert (beside.success, beside.errors, beside.warnings) == (True, (), ())
    assert beside.evaluated > alone.evaluated


def test_an_empty_draft_is_refused() -> None:
    report = validate([], as_of=AS_OF, base=[question()])
    assert not report.success
    assert [error.rule for error in report.errors] == ["questions-present"]


def test_a_violation_in_the_base_is_known_and_does_not_block() -> None:
    broken = question(next_review="24-Nov")
    report = validate([broken], as_of=AS_OF, base=[broken])
    assert report.success
    assert {(v.rule, v.known) for v in report.known} == {
        ("review-readable", True),
        ("review-official-form", True),
    }


def test_a_new_violation_is_not_hidden_by_an_old_one_elsewhere() -> None:
    old, other = question(next_review="24-Nov"), question("Which river floods Wend?")
    draft = [old, other.with_changes({"fact_type": "quick"})]
    report = validate(draft, as_of=AS_OF, base=[old, other])
    assert "Which river floods Wend?" in {error.question for error in report.errors}
    assert report.known and not report.success
    assert ValidationReport.from_json(report.to_json()) == report


def test_a_review_overdue_since_the_base_is_a_new_warning() -> None:
    row = question(next_review="03/05/2025")
    report = validate([row], as_of=AS_OF, base=[row], base_as_of=date(2025, 3, 3))
    assert report.success
    assert [warning.rule for warning in report.warnings] == ["review-ahead"]


def test_an_error_names_rule_question_column_and_value() -> None:
    report = validate([question(answer_0="=HYPERLINK(1)")], as_of=AS_OF)
    assert not report.success
    [error] = report.errors
    assert (error.rule, error.severity, error.question, error.column, error.value) == (
        "text-no-formula",
        "error",
        "Who leads the Lantern Guild?",
        "answer_0",
        "=HYPERLINK(1)",
    )
    assert error.key.startswith("q-")
    assert set(report.to_json()["errors"][0]) >= {"rule", "severity", "question", "column", "value"}


def test_a_broken_rule_is_known_only_where_the_base_breaks_it_too() -> None:
    """Unchanged rows are evaluated once; a second row with the same key counts as new."""
    kept, moved = question(next_review="24-Nov"), question("Which river floods Wend?")
    kept, moved = kept.with_key("q-kept"), moved.with_key("q-moved")
    twin = question("Who chairs the court of Wend?", next_review="24-Dec").with_key("q-kept")
    report = validate(
        [kept, moved.with_changes({"answer_0": "=1"})], as_of=AS_OF, base=[kept, moved]
    )
    assert {v.rule for v in report.known} >= {"review-readable", "review-official-form"}
    assert {v.rule for v in report.errors} >= {"text-no-formula"}
    doubled = validate([kept, twin], as_of=AS_OF, base=[question().with_key("q-kept")])
    assert "review-readable" in {error.rule for error in doubled.errors}


def test_an_unchanged_draft_passes_with_every_rule_evaluated() -> None:
    rows = [question(f"Who leads guild {number}?") for number in range(3)]
    assert validate(rows, as_of=AS_OF, base=rows).evaluated == (
        validate([rows[0].with_changes({"note": "a"}), *rows[1:]], as_of=AS_OF, base=rows).evaluated
    )
