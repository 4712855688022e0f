"""The review form of the Prefect UI: what it shows and which choices it accepts."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timezone

import pytest
from pydantic import ValidationError

from freshqa.checking.candidate import Candidate
from freshqa.dataset.question import Question
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.maintaining.choice import Chosen, Reviewable
from freshqa.maintaining.proposal import Action, FieldChange, Outcome, Proposal
from freshqa.maintaining.review import decisions_of
from freshqa.store.proposals import StoredProposal
from prefect_freshqa.tasks.review_form import (
    FormInput,
    Place,
    ProposalDecision,
    ReviewForm,
    blank_form,
    read_form,
    shown_in,
    with_all_accepted,
)

AT = datetime(2026, 3, 9, 12, tzinfo=timezone.utc)
PAGE = Evidence(
    EvidenceKind.organic,
    url="https://harbour.example/count",
    source="harbour.example",
    snippet="Orlune has 15 lighthouses.",
    date=date(2026, 3, 2),
)
ROW = Question({"question": "How many lighthouses?", "answer_0": "14"}, key="lights")
CHANGED = Proposal(
    key="lights",
    question=ROW.text,
    base_revision=ROW.revision_hash,
    outcome=Outcome.changed,
    changes={"answer_0": FieldChange("14", "15")},
    evidence=(PAGE,),
    quotes={PAGE.id: "15 lighthouses"},
    risk=0.9,
    stored=("14",),
)
EMPTY = replace(
    CHANGED,
    outcome=Outcome.insufficient,
    changes={},
    candidates=(Candidate("15", 4),),
    suggestions={"fact_type": "fast-changing? Often."},
    suggested_values={"fact_type": "fast-changing"},
)
FLIP = replace(CHANGED, outcome=Outcome.premise_now_false)
PENDING = [
    StoredProposal(number, "week", "pending", AT, proposal)
    for number, proposal in ((7, CHANGED), (8, EMPTY), (9, FLIP))
]


def schema() -> dict:
    return blank_form(PENDING, place=Place(3, 14)).model_json_schema()


def test_every_field_names_its_question_and_shows_old_new_and_the_quote() -> None:
    fields = schema()["properties"]
    decision = fields["decision_7"]
    assert decision["title"] == "7. How many lighthouses?"
    assert "changed, risk 0.90: 14 → 15" in decision["description"]
    assert "“15 lighthouses” (harbour.example, 2026-03-02)" in decision["description"]
    assert fields["answers_8"]["title"] == "8. Another answer"
    assert "How many lighthouses?" in fields["answers_8"]["description"]
    assert "14 (no new value)" in fields["decision_8"]["description"]
    assert "Suggested fact_type: fast-changing? Often." in fields["decision_8"]["description"]
    assert fields["reviewer"]["description"].startswith("Form 3 of 14, 3 proposals.")
    assert not any("$ref" in field for field in fields.values())
    assert shown_in(fields) == [7, 8, 9]


def test_a_proposal_without_a_value_does_not_ask_to_be_accepted() -> None:
    fields = schema()["properties"]
    assert fields["decision_7"]["enum"] == ["skip", "accept", "keep", "edit", "reject"]
    assert fields["decision_8"]["enum"] == [
        "skip",
        "accept with suggestions",
        "candidate 1: 15 (4 sources)",
        "keep",
        "edit",
        "reject",
    ]


def test_a_form_states_its_number_the_total_and_the_mistakes() -> None:
    assert str(blank_form(PENDING, place=Place(3, 14))._description).startswith("## Form 3 of 14")
    filled = ReviewForm(
        reviewer="Ada", decisions=[ProposalDecision(proposal=7, action="edit", answers="16")]
    )
    again = blank_form(PENDING, ["Proposal 8: …"], filled)
    assert "**Please fix:**\n\n- Proposal 8: …" in str(again._description)
    assert again.model_fields["reviewer"].default == "Ada"
    assert again.model_fields["decision_7"].default == "edit"
    assert again.model_fields["answers_7"].default == "16"


def test_the_fields_are_returned_as_one_line_for_each_proposal() -> None:
    form: type[FormInput] = blank_form(PENDING)
    answer = form(reviewer="Ada", decision_8="candidate 1: 15 (4 sources)", reason_8="seen")
    assert answer.filled().decisions[1] == ProposalDecision(
        proposal=8, action="candidate 1: 15 (4 sources)", reason="seen"
    )
    with pytest.raises(ValidationError):
        form(reviewer="Ada", decision_8="accept")
    with pytest.raises(ValidationError):
        form(reviewer="Ada", decision_99="accept")


def read(*lines: ProposalDecision, known: tuple[int, ...] = (1, 2)) -> tuple[list, list[str]]:
    return read_form(ReviewForm(reviewer="Ada", decisions=list(lines)), known, at=AT)


def line(id: int, action: str, answers: str = "") -> ProposalDecision:
    return ProposalDecision(proposal=id, action=action, answers=answers)


def test_text_typed_with_accept_is_an_edit() -> None:
    (choice,), problems = read(line(1, "accept", "Grey Petrel | the Petrel"))
    assert (choice.action, problems) == (Chosen.edit, [])
    assert choice.edits["answer_0"] == "Grey Petrel" and choice.edits["answer_2"] == ""


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ([line(1, "reject", "15")], "answer_0"),
        ([line(1, "skip", "15")], "the decision is defer"),
        ([line(1, "keep", "15")], "keep confirms the stored answer"),
        ([line(1, "candidate 1", "15")], "both candidate 1 and a written answer"),
        ([line(1, "edit")], "An edit needs an answer"),
        ([line(2, "accept"), line(2, "reject")], "Proposal 2 is decided 2 times"),
        ([line(2, "accept"), line(2, "accept")], "Proposal 2 is decided 2 times"),
        ([line(3, "accept")], "Proposal 3 is not among those shown"),
        ([line(1, "maybe")], "Invalid decision 'maybe'"),
    ],
)
def test_unclear_choices_are_asked_again(lines: list[ProposalDecision], problem: str) -> None:
    _, problems = read(*lines)
    assert len(problems) == 1 and problem in problems[0]


def test_accept_all_accepts_skipped_proposals_that_allow_it() -> None:
    shown = {
        stored.id: Reviewable(stored.id, stored.proposal, ROW)
        for stored in (*PENDING, StoredProposal(10, "week", "pending", AT, CHANGED))
    }
    lines = [line(7, "skip"), line(8, "skip"), line(9, "skip"), line(10, "reject")]
    choices, problems = read(*lines, known=tuple(shown))
    decisions, wrong = decisions_of(
        with_all_accepted(choices, shown), list(shown.values()), by="Ada", at=AT
    )
    assert not problems and not wrong
    assert [(d.proposal, d.action) for d in decisions] == [(7, Action.accept), (10, Action.reject)]


def test_the_form_links_to_the_desk_when_it_is_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "review desk" not in str(blank_form(PENDING)._description)
    monkeypatch.setenv("PREFECT_FRESHQA_DESK_URL", "https://desk.example.org")
    shown = str(blank_form(PENDING)._description)
    assert "[review desk](https://desk.example.org/queue)" in shown
