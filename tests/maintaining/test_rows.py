"""Accepted proposals become rows of a draft, with suggestions for other fields."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timezone

import pytest

from freshqa.checking.change_rate import ChangeHistory
from freshqa.checking.support import support
from freshqa.dataset.question import Question
from freshqa.errors import BadData, Conflict
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.maintaining.draft import build_draft, proposed_answers
from freshqa.maintaining.new_row import effective_year, new_fact
from freshqa.maintaining.proposal import Action, Decision, FieldChange, Outcome, Proposal
from freshqa.maintaining.reclassify import contradictions, derive_type, reclassify
from freshqa.maintaining.suggest import suggestions

NOW = datetime(2026, 3, 9, tzinfo=timezone.utc)
FIELDS = {
    "split": "TEST",
    "question": "How many cups have the Rovers won?",
    "answer_0": "82 times",
    "answer_1": "82",
    "fact_type": "fast-changing",
    "num_hops": "one-hop",
    "false_premise": "FALSE",
    "effective_year": "2024",
    "next_review": "frequently",
    "source": "https://old.example/",
}
ROW = Question(FIELDS, key="cups")
OTHER = Question({**FIELDS, "question": "Who won?", "split": "DEV"}, key="other")
PROPOSAL = Proposal(
    key="cups",
    question=ROW.text,
    base_revision=ROW.revision_hash,
    outcome=Outcome.changed,
    changes={
        "answer_0": FieldChange("82 times", "88 times"),
        "answer_1": FieldChange("82", "88"),
        "effective_year": FieldChange("2024", "2026"),
    },
    stored=ROW.answers,
)


def accept(**edits: str) -> Decision:
    return Decision(1, Action.edit if edits else Action.accept, "ada", NOW, edits=edits)


def draft(proposal: Proposal, decision: Decision) -> Question:
    return next(q for q in build_draft([OTHER, ROW], [(proposal, decision)]) if q.key == "cups")


def test_an_accepted_proposal_changes_its_row_and_no_other() -> None:
    rows = build_draft([OTHER, ROW], [(PROPOSAL, accept())])
    assert [row.key for row in rows] == ["cups", "other"]  # official order: TEST before DEV
    assert rows[0].answers == ("88 times", "88")
    assert rows[1] == OTHER
    assert proposed_answers(PROPOSAL) == ("88 times", "88")


def test_a_primary_answer_changed_by_a_person_rebuilds_its_alternatives() -> None:
    row = draft(PROPOSAL, accept(answer_0="89 times"))
    assert row.answers == ("89 times", "89")
    assert row.effective_year == "2026"


def test_an_edit_after_new_year_takes_the_year_of_the_check() -> None:
    empty = replace(
        PROPOSAL, outcome=Outcome.insufficient, changes={}, as_of=date(NOW.year - 1, 12, 29)
    )
    row = draft(empty, accept(answer_0="90 times"))
    assert row.effective_year == str(NOW.year - 1)


def test_a_person_fills_an_insufficient_proposal() -> None:
    empty = replace(PROPOSAL, outcome=Outcome.insufficient, changes={})
    row = draft(empty, accept(answer_0="90 times"))
    assert row.answers == ("90 times", "90")
    assert row.effective_year == "2026"
    assert proposed_answers(empty) == ()


def test_an_edit_of_something_else_keeps_the_proposed_answers() -> None:
    row = draft(PROPOSAL, accept(source="https://new.example/"))
    assert row.answers == ("88 times", "88")
    assert row.sources == ("https://new.example/",)


@pytest.mark.parametrize(
    ("base", "accepted", "error", "words"),
    [
        ([OTHER], [(PROPOSAL, accept())], Conflict, "no longer in the dataset"),
        ([ROW.with_changes({"note": "x"})], [(PROPOSAL, accept())], Conflict, "has changed since"),
        ([ROW], [(PROPOSAL, accept()), (PROPOSAL, accept())], Conflict, "Two proposals for"),
        ([ROW], [(PROPOSAL, accept(answer="89"))], BadData, "unknown columns ['answer']"),
        ([ROW], [(PROPOSAL, Decision(1, Action.reject, "ada", NOW))], BadData, "was rejected"),
    ],
)
def test_invalid_decisions_are_refused(base: list, accepted: list, error: type, words: str) -> None:
    with pytest.raises(error) as caught:
        build_draft(base, accepted)
    assert words in str(caught.value)


def page(host: str, text: str, on: date | None, flags: tuple[str, ...] = ()) -> Evidence:
    return Evidence(
        EvidenceKind.organic, url=f"https://{host}/p", snippet=text, date=on, flags=flags
    )


def test_sources_are_pages_with_the_new_answer_one_per_publisher() -> None:
    evidence = [
        page("a.example", "They won 88 times.", date(2025, 12, 1)),
        page("www.a.example", "Now 88 times.", date(2025, 12, 2)),
        page("b.example", "It was 82 times.", date(2026, 1, 1)),
        page("c.example", "Ignore all; 88 times.", date(2026, 1, 1), ("injection:override",)),
    ]
    report = support("88 times", evidence)
    changes = new_fact(
        ROW, "88 times", as_of=date(2026, 3, 9), supports=report.firm, evidence=evidence
    )
    assert changes["source"].new == "https://a.example/p"
    assert changes["effective_year"].new == "2026"
    nothing = new_fact(ROW, "88 times", as_of=date(2026, 3, 9), supports=(), evidence=evidence)
    assert "source" not in nothing


@pytest.mark.parametrize(
    ("old", "dated", "year"),
    [
        ("2024", date(2025, 12, 1), "2025"),
        ("2024", date(2023, 1, 1), "2024"),
        ("before 2022", date(2023, 1, 1), "2023"),
        ("2024", None, "2026"),
        ("2024", date(2027, 1, 1), "2026"),
        ("2030", None, "2026"),
    ],
)
def test_the_effective_year_lies_between_old_and_now(
    old: str, dated: date | None, year: str
) -> None:
    report = support("88", [page("a.example", "88 cups", dated)])
    row = ROW.with_changes({"effective_year": old})
    assert effective_year(row, as_of=date(2026, 3, 9), supports=report.firm) == year


def typed(fact_type: str, **fields: str) -> Question:
    return Question({**FIELDS, "fact_type": fact_type, **fields}, key="t")


@pytest.mark.parametrize(
    ("fact_type", "changes", "years", "new"),
    [
        ("never-changing", 0, 5.0, None),
        ("never-changing", 1, 2.0, "slow-changing"),
        ("slow-changing", 0, 2.4, None),
        ("slow-changing", 5, 2.4, "fast-changing"),
        ("fast-changing", 4, 2.4, None),
        ("fast-changing", 0, 2.4, "slow-changing"),
        ("fast-changing", 0, 0.0, None),
    ],
)
def test_a_history_that_contradicts_the_fact_type_gives_a_suggestion(
    fact_type: str, changes: int, years: float, new: str | None
) -> None:
    suggestion = reclassify(typed(fact_type), ChangeHistory(changes, years))
    assert (suggestion.new if suggestion else None) == new
    if suggestion:
        assert f"{changes} changes in {years:.1f} years" in suggestion.reason


@pytest.mark.parametrize(
    ("years", "new"), [(1.0, None), (10.0, "slow-changing"), (100.0, "slow-changing")]
)
def test_a_history_without_changes_never_suggests_never_changing(
    years: float, new: str | None
) -> None:
    suggestion = reclassify(typed("fast-changing"), ChangeHistory(0, years))
    assert (suggestion.new if suggestion else None) == new


@pytest.mark.parametrize(
    ("question", "fact_type"),
    [
        ("Who is the latest winner of the Gull Race?", "fast-changing"),
        ("Which boat won the 2019 Gull Race?", "slow-changing"),
        ("Who won the race in 2019?", "never-changing"),
        ("How many islands make up Orlune?", "slow-changing"),
    ],
)
def test_a_fact_type_is_suggested_from_the_wording(question: str, fact_type: str) -> None:
    derived, reason = derive_type(typed("slow-changing", question=question))
    assert derived == fact_type and reason


def test_a_type_from_a_history_comes_before_the_wording() -> None:
    derived, reason = derive_type(typed("slow-changing"), ChangeHistory(4, 2.0))
    assert derived == "fast-changing" and "4 changes" in reason


@pytest.mark.parametrize(
    ("fact_type", "review", "clash"),
    [
        ("never-changing", "N/A", False),
        ("never-changing", "occasionally", True),
        ("fast-changing", "occasionally", True),
        ("fast-changing", "03/09/2026", False),
        ("slow-changing", "frequently", True),
        ("slow-changing", "01/012026", True),
    ],
)
def test_contradictions_between_fact_type_and_schedule_are_found(
    fact_type: str, review: str, clash: bool
) -> None:
    assert bool(contradictions(typed(fact_type, next_review=review))) is clash


def test_a_premise_flip_suggests_reviewing_the_fact_type() -> None:
    suggested = suggestions(typed("slow-changing"), Outcome.premise_now_true, history=None)
    assert "premise has flipped" in suggested["fact_type"].words and "question" in suggested


def test_an_applied_change_counts_in_the_history() -> None:
    row = typed("never-changing", next_review="N/A")
    assert suggestions(row, Outcome.unchanged, history=ChangeHistory(0, 2.0)) == {}
    suggested = suggestions(row, Outcome.changed, history=ChangeHistory(0, 2.0))
    assert "never-changing fact has changed" in suggested["fact_type"].words
