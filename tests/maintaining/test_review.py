"""The meaning of each review choice is the same for the command line, the sheet and the forms."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timezone

import pytest

from freshqa.checking.candidate import Candidate
from freshqa.dataset.question import Question
from freshqa.errors import Refused, UsageError
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.maintaining.choice import Choice, Chosen, Reviewable, read_action
from freshqa.maintaining.draft import build_draft
from freshqa.maintaining.proposal import Action, Decision, FieldChange, Outcome, Proposal
from freshqa.maintaining.review import decision_of, decisions_of

AT = datetime(2027, 1, 5, 9, tzinfo=timezone.utc)
CHECKED = date(2026, 12, 28)
ROW = Question(
    {
        "split": "TEST",
        "question": "How many lighthouses does Orlune have?",
        "answer_0": "14",
        "effective_year": "2024",
        "next_review": "12/20/2026",
        "fact_type": "slow-changing",
        "num_hops": "one-hop",
        "false_premise": "FALSE",
        "source": "https://old.example/",
    },
    key="lights",
)
PAGE = Evidence(
    EvidenceKind.organic,
    url="https://harbour.example/count",
    snippet="Orlune has 15 lighthouses.",
    date=date(2026, 11, 2),
)
CHANGED = Proposal(
    key="lights",
    question=ROW.text,
    base_revision=ROW.revision_hash,
    outcome=Outcome.changed,
    changes={
        "answer_0": FieldChange("14", "16"),
        "effective_year": FieldChange("2024", "2026"),
        "source": FieldChange("https://old.example/", "https://other.example/"),
    },
    evidence=(PAGE,),
    stored=("14",),
    suggestions={"fact_type": "fast-changing? 5 changes in 2.0 years."},
    suggested_values={"fact_type": "fast-changing"},
    candidates=(Candidate("15", 4), Candidate("17", 1)),
    as_of=CHECKED,
)
EMPTY = replace(CHANGED, outcome=Outcome.insufficient, changes={})


def decide(proposal: Proposal, action: str, **choice: object) -> Decision | None:
    item = Reviewable(3, proposal, ROW)
    return decision_of(Choice(3, Chosen(action), **choice), item, by="Ada", at=AT)


def row_after(proposal: Proposal, action: str, **choice: object) -> Question:
    decision = decide(proposal, action, **choice)
    assert decision is not None
    return build_draft([ROW], [(proposal, decision)])[0]


def test_accept_takes_what_is_proposed() -> None:
    decision = decide(CHANGED, "accept", reason=" seen ")
    assert decision == Decision(3, Action.accept, "Ada", AT, "seen")


def test_defer_makes_no_decision() -> None:
    assert decide(CHANGED, "defer") is None


@pytest.mark.parametrize("outcome", [Outcome.insufficient, Outcome.conflicting])
def test_accept_without_a_value_is_refused_with_what_to_do(outcome: Outcome) -> None:
    with pytest.raises(Refused, match=f"Proposal 3 is {outcome.value} and has no value") as caught:
        decide(replace(EMPTY, outcome=outcome), "accept")
    assert "review keep 3" in caught.value.remedy
    assert "review accept 3 --candidate 1; 1: 15 (4 sources); 2: 17" in caught.value.remedy
    assert "review accept 3 --with-suggestions" in caught.value.remedy
    assert "review edit 3 --set" in caught.value.remedy


def test_accepting_an_unchanged_row_keeps_it() -> None:
    decision = decide(replace(EMPTY, outcome=Outcome.unchanged), "accept")
    assert decision is not None
    assert (decision.action, decision.edits) == (Action.keep, {})


def test_keep_confirms_the_stored_answer_and_moves_a_passed_review_on() -> None:
    for proposal in (CHANGED, EMPTY):
        row = row_after(proposal, "keep")
        assert row.with_changes({"next_review": ""}) == ROW.with_changes({"next_review": ""})
        assert row.next_review == "occasionally"
    lasting = ROW.with_changes({"next_review": "occasionally"})
    kept = Reviewable(3, replace(EMPTY, base_revision=lasting.revision_hash), lasting)
    decision = decision_of(Choice(3, Chosen.keep), kept, by="Ada", at=AT)
    assert decision is not None and decision.edits == {}


def test_a_picked_candidate_is_the_new_fact_with_everything_that_follows() -> None:
    decision = decide(EMPTY, "accept", candidate=1)
    assert decision is not None
    assert (decision.action, decision.edits) == (Action.edit, {"answer_0": "15"})
    assert decision.reason == "Candidate 1: 15 (4 sources)"
    row = row_after(EMPTY, "accept", candidate=1)
    assert row.answers[0] == "15"
    assert (row.effective_year, row.next_review) == ("2026", "occasionally")
    assert row.sources == ("https://harbour.example/count",)


@pytest.mark.parametrize("number", [0, 3])
def test_a_candidate_that_does_not_exist_is_refused(number: int) -> None:
    with pytest.raises(UsageError, match=f"does not have a candidate {number}") as caught:
        decide(EMPTY, "accept", candidate=number)
    assert "1: 15 (4 sources); 2: 17 (1 source)" in caught.value.remedy


def test_an_edit_counts_from_the_day_of_the_check_not_of_the_decision() -> None:
    row = row_after(CHANGED, "edit", edits={"answer_0": "18"})
    assert (row.answers[0], row.effective_year) == ("18", "2026")
    year = ROW.with_changes({"question": "How many lighthouses opened this year?"})
    proposal = replace(EMPTY, base_revision=year.revision_hash, question=year.text)
    kept = decision_of(Choice(3, Chosen.keep), Reviewable(3, proposal, year), by="Ada", at=AT)
    assert kept is not None and kept.edits == {"next_review": "01/01/2027"}


def test_other_text_typed_with_accept_is_an_edit_and_the_same_text_an_acceptance() -> None:
    typed = decide(CHANGED, "accept", edits={"answer_0": "15"})
    assert typed is not None
    assert (typed.action, typed.edits) == (Action.edit, {"answer_0": "15"})
    for action in ("accept", "edit"):
        same = decide(CHANGED, action, edits={"answer_0": "16"})
        assert same is not None
        assert (same.action, same.edits) == (Action.accept, {})


def test_the_stored_answer_typed_again_keeps_it() -> None:
    kept = decide(EMPTY, "edit", edits={"answer_0": "14"})
    assert kept is not None and kept.action is Action.keep
    row = row_after(CHANGED, "edit", edits={"answer_0": "14"})
    assert row.with_changes({"next_review": ""}) == ROW.with_changes({"next_review": ""})


def test_suggestions_are_applied_with_the_same_decision() -> None:
    row = row_after(CHANGED, "accept", with_suggestions=True)
    assert (row.primary, row.fact_type) == ("16", "fast-changing")
    decision = decide(CHANGED, "accept", with_suggestions=True)
    assert decision is not None and decision.action is Action.accept
    picked = row_after(EMPTY, "accept", candidate=1, with_suggestions=True)
    assert (picked.primary, picked.fact_type) == ("15", "fast-changing")
    kept = row_after(EMPTY, "keep", with_suggestions=True)
    assert (kept.primary, kept.fact_type, kept.next_review) == ("14", "fast-changing", "frequently")
    alone = row_after(EMPTY, "accept", with_suggestions=True)
    assert (alone.primary, alone.fact_type) == ("14", "fast-changing")


def test_a_changed_fact_type_updates_the_next_review() -> None:
    weekly = ROW.with_changes({"fact_type": "fast-changing", "next_review": "frequently"})
    values = {"fact_type": "slow-changing", "num_hops": "multi-hop", "false_premise": "TRUE"}
    proposal = replace(CHANGED, base_revision=weekly.revision_hash, suggested_values=values)
    item = Reviewable(3, proposal, weekly)
    decision = decision_of(Choice(3, Chosen.accept, with_suggestions=True), item, by="Ada", at=AT)
    assert decision is not None
    assert decision.edits == {**values, "next_review": "occasionally"}


def test_suggestions_of_earlier_releases_state_their_value_in_the_text() -> None:
    record = EMPTY.to_json()
    del record["suggested_values"], record["candidates"], record["as_of"]
    old = Proposal.from_json(record)
    assert old.suggested_values == {"fact_type": "fast-changing"}
    assert (old.candidates, old.as_of) == ((), None)
    assert Proposal.from_json(CHANGED.to_json()) == CHANGED


@pytest.mark.parametrize(
    ("action", "choice", "problem"),
    [
        ("reject", {"edits": {"answer_0": "15"}}, "answer_0 given, but the decision is reject"),
        ("defer", {"edits": {"answer_0": "15"}}, "answer_0 given, but the decision is defer"),
        ("reject", {"candidate": 1}, "candidate 1 given, but the decision is reject"),
        ("keep", {"edits": {"answer_1": "x"}}, "another answer is given"),
        ("keep", {"candidate": 1}, "another answer is given"),
        ("accept", {"candidate": 1, "edits": {"answer_0": "15"}}, "both candidate 1 and a written"),
        ("edit", {}, "no text differs"),
        ("edit", {"edits": {"answer_99": "x"}}, "Unknown columns: answer_99"),
    ],
)
def test_a_choice_that_contradicts_itself_is_refused(
    action: str, choice: dict[str, object], problem: str
) -> None:
    with pytest.raises(UsageError, match=problem):
        decide(CHANGED, action, **choice)


def test_a_form_decides_only_what_it_shows_and_each_proposal_once() -> None:
    shown = [Reviewable(3, CHANGED, ROW)]
    twice = [Choice(3, Chosen.accept), Choice(3, Chosen.reject)]
    _, problems = decisions_of(twice, shown, by="Ada", at=AT)
    assert [problem.message for problem in problems] == ["Proposal 3 is decided 2 times."]
    _, problems = decisions_of([Choice(4, Chosen.accept)], shown, by="Ada", at=AT)
    assert [problem.message for problem in problems] == ["Proposal 4 is not among those shown."]
    _, problems = decisions_of([Choice(3, Chosen.accept)], shown, by=" ", at=AT)
    assert "name of the reviewer is missing" in str(problems[0])


@pytest.mark.parametrize(
    ("words", "action", "candidate", "suggestions"),
    [
        ("Accept ", Chosen.accept, None, False),
        ("accept: 16", Chosen.accept, None, False),
        ("accept with suggestions", Chosen.accept, None, True),
        ("with-suggestions", Chosen.accept, None, True),
        ("candidate 2", Chosen.accept, 2, False),
        ("accept candidate 1: Oppenheimer", Chosen.accept, 1, False),
        ("candidate 1 with suggestions", Chosen.accept, 1, True),
        ("KEEP", Chosen.keep, None, False),
        ("keep with suggestions", Chosen.keep, None, True),
        ("skip", Chosen.defer, None, False),
        ("", Chosen.defer, None, False),
        ("reject", Chosen.reject, None, False),
    ],
)
def test_choices_are_read_from_words(
    words: str, action: Chosen, candidate: int | None, suggestions: bool
) -> None:
    read = read_action(words)
    assert (read.action, read.candidate, read.with_suggestions) == (action, candidate, suggestions)


@pytest.mark.parametrize("words", ["yes", "accept it", "candidate", "candidate one", "accept 2"])
def test_unknown_words_are_refused(words: str) -> None:
    with pytest.raises(UsageError, match="Invalid decision"):
        read_action(words)
