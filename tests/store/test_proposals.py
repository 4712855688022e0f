"""The status of a proposal follows from recorded events, with one decision each."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from store.ledger import checked, start
from store.sheet import DAY, NOW, WEEK, sheet, with_answer

from freshqa.errors import Conflict, NotFound, Refused, UsageError
from freshqa.maintaining.proposal import Action, Decision
from freshqa.store.checks import record_check
from freshqa.store.database import Store
from freshqa.store.ledger_schema import decision as decisions
from freshqa.store.proposal_decisions import decide, decide_all
from freshqa.store.proposals import StoredProposal, proposal, proposals
from freshqa.store.publishing import publish, rollback
from freshqa.store.versions import head

QUESTIONS = sheet()


@pytest.fixture
def store(store: Store) -> Store:
    """Version 1 and the run `week-11`."""
    publish(store, QUESTIONS, as_of=DAY, now=NOW, parent=None)
    start(store)
    return store


def propose(store: Store, row: int, run: str = "week-11", *, risk: float = 0.5) -> int:
    id_ = record_check(store, run, checked(QUESTIONS[row], risk=risk), now=NOW)
    assert id_ is not None
    return id_


def by(who: str, id_: int, action: Action = Action.accept, **edits: str) -> Decision:
    return Decision(id_, action, who, NOW + timedelta(hours=1), reason="seen", edits=edits)


def statuses(store: Store) -> dict[int, str]:
    return {stored.id: stored.status for stored in proposals(store, status=None)}


def test_the_riskiest_proposal_comes_first(store: Store) -> None:
    ids = [propose(store, row, risk=risk) for row, risk in enumerate((0.2, 0.9, 0.5, 0.9))]
    assert [stored.id for stored in proposals(store)] == [ids[1], ids[3], ids[2], ids[0]]
    assert proposals(store, run="week-11") == proposals(store)


def test_a_decision_reads_back(store: Store) -> None:
    id_ = propose(store, 1)
    decision = by("Ada", id_, Action.edit, answer_0="eight", note="by hand")
    decided = decide(store, decision)
    assert decided == proposal(store, id_)
    assert (decided.status, decided.decision) == ("edited", decision)
    made_of = checked(QUESTIONS[1], risk=0.5).proposal
    assert made_of is not None
    assert decided.proposal == replace(made_of, as_of=DAY)
    assert decided.to_json()["decision"] == {
        "action": "edit",
        "by": "Ada",
        "at": "2026-03-09T13:30:00+00:00",
        "reason": "seen",
        "edits": {"answer_0": "eight", "note": "by hand"},
    }


def test_the_second_reviewer_is_told_who_decided(store: Store) -> None:
    for row, action in enumerate(Action):
        id_ = propose(store, row)
        decide(store, by("Ada", id_, action))
        with pytest.raises(Conflict, match=f"Ada has decided it: {action.value}, 2026-03-09 13:30"):
            decide(store, by("Bob", id_))
        decision = proposal(store, id_).decision
        assert decision is not None
        assert decision.by == "Ada"


def test_only_one_of_many_simultaneous_reviewers_decides(store: Store) -> None:
    id_ = propose(store, 1)

    def attempt(who: int) -> StoredProposal | Conflict:
        try:
            return decide(store, by(f"reviewer {who}", id_))
        except Conflict as conflict:
            return conflict

    with ThreadPoolExecutor(8) as threads:
        outcomes = list(threads.map(attempt, range(8)))
    won = [outcome for outcome in outcomes if isinstance(outcome, StoredProposal)]
    assert len(won) == 1
    assert won[0].decision is not None
    lost = [str(outcome) for outcome in outcomes if isinstance(outcome, Conflict)]
    assert len(lost) == 7
    assert all(f"{won[0].decision.by} has decided it" in message for message in lost)


def test_keep_closes_a_proposal_or_accepts_it_with_a_new_review_date(store: Store) -> None:
    closed, waiting = propose(store, 1), propose(store, 2)
    assert decide(store, by("Ada", closed, Action.keep)).status == "kept"
    rolled = decide(store, by("Ada", waiting, Action.keep, next_review="frequently"))
    assert rolled.status == "accepted"
    rows = with_answer(QUESTIONS, 1, "other")
    publish(store, rows, as_of=DAY, now=NOW, parent=1, proposals=[rolled])
    assert statuses(store) == {closed: "kept", waiting: "published"}
    start(store, "week-12")
    assert decide(store, by("Bob", propose(store, 3, "week-12"))).status == "accepted"


def test_an_acceptance_that_changes_nothing_is_refused(store: Store) -> None:
    check = checked(QUESTIONS[1])
    assert check.proposal is not None
    empty = replace(check, proposal=replace(check.proposal, changes={}))
    id_ = record_check(store, "week-11", empty, now=NOW)
    assert id_ is not None
    with pytest.raises(Refused, match="has no value to accept"):
        decide(store, by("Ada", id_))
    assert statuses(store) == {id_: "pending"}


def test_a_newer_proposal_supersedes_a_pending_one(store: Store) -> None:
    old, other = propose(store, 1), propose(store, 2)
    start(store, "week-12")
    new = propose(store, 1, "week-12")
    assert statuses(store) == {old: "superseded", other: "pending", new: "pending"}
    with pytest.raises(Conflict, match="a newer proposal for the same question"):
        decide(store, by("Ada", old))
    assert [stored.id for stored in proposals(store, run="week-12")] == [new]


def test_a_decided_proposal_is_not_superseded(store: Store) -> None:
    old = propose(store, 1)
    decide(store, by("Ada", old))
    start(store, "week-12")
    new = propose(store, 1, "week-12")
    assert statuses(store) == {old: "accepted", new: "pending"}
    with pytest.raises(Conflict, match=f"Proposal {old} for the same question was accepted by Ada"):
        decide(store, by("Bob", new))
    assert decide(store, by("Bob", new, Action.reject)).status == "rejected"


def test_publishing_outdates_other_proposals_for_the_row(store: Store) -> None:
    first, second = propose(store, 1), propose(store, 2)
    decided = decide(store, by("Ada", first))
    start(store, "week-12")
    late = propose(store, 1, "week-12")
    publish(
        store,
        with_answer(QUESTIONS, 1, "9"),
        as_of=DAY + WEEK,
        now=NOW,
        parent=1,
        proposals=[decided],
    )
    assert statuses(store) == {first: "published", second: "pending", late: "outdated"}
    with pytest.raises(Conflict, match="the row it is based on has changed since"):
        decide(store, by("Bob", late))
    with pytest.raises(Conflict, match=r"Ada has decided it: accept, .*published in version 2"):
        decide(store, by("Bob", first))


def test_an_accepted_proposal_whose_row_changed_is_outdated_and_proposed_again(
    store: Store,
) -> None:
    id_ = propose(store, 1)
    decide(store, by("Ada", id_))
    publish(store, with_answer(QUESTIONS, 1, "other"), as_of=DAY, now=NOW, parent=1)
    assert proposals(store, status="accepted") == ()
    assert statuses(store) == {id_: "outdated"}
    rollback(store, 1, as_of=DAY, now=NOW)
    assert statuses(store) == {id_: "accepted"}


def test_a_question_that_left_the_dataset_makes_its_proposal_outdated(store: Store) -> None:
    id_ = propose(store, 5)
    publish(store, QUESTIONS[:5], as_of=DAY, now=NOW, parent=1)
    assert statuses(store) == {id_: "outdated"}


def test_an_unpublished_decision_may_be_replaced_and_is_kept(store: Store) -> None:
    id_ = propose(store, 1)
    decide(store, by("Ada", id_))
    with pytest.raises(Conflict, match="Replace the decision with --revise"):
        decide(store, by("Ada", id_, Action.reject))
    for action, status in (("edit", "edited"), ("reject", "rejected"), ("accept", "accepted")):
        decision = by("Bob", id_, Action(action))
        decided = decide(store, decision, revise=True)
        assert (decided.status, decided.decision) == (status, decision)
        assert statuses(store) == {id_: status}
    with store.read() as connection:
        rows = connection.execute(decisions.select().order_by(decisions.c.sequence)).all()
    assert [(row.sequence, row.decided_by, row.action) for row in rows] == [
        (1, "Ada", "accept"),
        (2, "Bob", "edit"),
        (3, "Bob", "reject"),
        (4, "Bob", "accept"),
    ]


def test_a_published_decision_cannot_be_replaced(store: Store) -> None:
    decided = decide(store, by("Ada", propose(store, 1)))
    rows = with_answer(QUESTIONS, 1, "9")
    publish(store, rows, as_of=DAY, now=NOW, parent=1, proposals=[decided])
    with pytest.raises(Conflict, match="published in version 2"):
        decide(store, by("Bob", decided.id, Action.reject), revise=True)


def test_a_decision_is_not_revised_into_an_invalid_one(store: Store) -> None:
    first, second = propose(store, 1), propose(store, 2)
    decide(store, by("Ada", first, Action.reject))
    start(store, "week-12")
    late = propose(store, 1, "week-12")
    decide(store, by("Ada", late))
    with pytest.raises(Conflict, match=f"Proposal {late} for the same question was accepted"):
        decide(store, by("Bob", first), revise=True)
    decide(store, by("Ada", second, Action.reject))
    publish(store, with_answer(QUESTIONS, 2, "other"), as_of=DAY, now=NOW, parent=1)
    with pytest.raises(Conflict, match="the row it is based on has changed since"):
        decide(store, by("Bob", second), revise=True)
    assert statuses(store) == {first: "rejected", second: "rejected", late: "accepted"}


def test_a_draft_from_before_a_revision_is_not_published(store: Store) -> None:
    decided = decide(store, by("Ada", propose(store, 1)))
    decide(store, by("Bob", decided.id, Action.edit, answer_0="eight"), revise=True)
    rows = with_answer(QUESTIONS, 1, "9")
    with pytest.raises(Conflict, match=f"Proposal {decided.id} is edited now and was accepted"):
        publish(store, rows, as_of=DAY, now=NOW, parent=1, proposals=[decided])
    assert head(store).number == 1


def test_all_decisions_are_recorded_or_none(store: Store) -> None:
    ids = [propose(store, row) for row in (1, 2, 3)]
    decide(store, by("Ada", ids[2]))
    with pytest.raises(Conflict, match=f"Proposal {ids[2]} is not open"):
        decide_all(store, [by("Bob", id_) for id_ in ids])
    assert statuses(store) == {ids[0]: "pending", ids[1]: "pending", ids[2]: "accepted"}
    done = decide_all(store, [by("Bob", id_, Action.reject) for id_ in ids[:2]])
    assert [stored.status for stored in done] == ["rejected", "rejected"]


def test_inconsistent_options_are_refused(store: Store) -> None:
    id_ = propose(store, 1)
    with pytest.raises(NotFound, match="Proposal 99 not found"):
        proposal(store, 99)
    with pytest.raises(NotFound, match="Proposal 99 not found"):
        decide(store, by("Ada", 99))
    with pytest.raises(UsageError, match="Unknown columns: answer_99"):
        decide(store, by("Ada", id_, Action.edit, answer_99="x"))
    with pytest.raises(UsageError, match=r"Unknown proposal status 'open'\. Use one of: pending"):
        proposals(store, status="open")
    assert statuses(store) == {id_: "pending"}
