"""Differences between versions, the history of a question, and rollback."""

from __future__ import annotations

import pytest
from store.ledger import checked, start
from store.sheet import DAY, NOW, WEEK, asked, sheet, with_answer

from freshqa.checking.risk import prior_risk
from freshqa.dataset.diff import diff_snapshots
from freshqa.dataset.wording import normalised_question
from freshqa.errors import Conflict, NotFound, NothingToDo
from freshqa.maintaining.proposal import Action, Decision
from freshqa.maintaining.reclassify import reclassify
from freshqa.store.changes import change_history, diff
from freshqa.store.checks import record_check
from freshqa.store.database import Store
from freshqa.store.history import aliases, history
from freshqa.store.proposal_decisions import decide
from freshqa.store.publishing import publish, rollback
from freshqa.store.snapshots import snapshot
from freshqa.store.verifying import verify
from freshqa.store.versions import find, head


@pytest.fixture
def past(store: Store) -> Store:
    """1: six rows. 2: row 0 changed, row 5 gone. 3: row 5 back, row 1 reworded, one new."""
    questions = sheet()
    second = with_answer(questions, 0, "90")[:5]
    reworded = asked("How many moons does planet 1 have?", "1", key=questions[1].key)
    third = [asked("Which comet came last?", "Oda"), second[0], reworded, *second[2:], questions[5]]
    for number, rows in enumerate((questions, second, third)):
        publish(store, rows, as_of=DAY + 26 * number * WEEK, now=NOW, parent=number or None)
    return store


def test_a_diff_equals_that_of_the_complete_snapshots(past: Store) -> None:
    for old, new in ((1, 2), (2, 3), (1, 3), (3, 1), (2, 2)):
        assert diff(past, old, new) == diff_snapshots(snapshot(past, old), snapshot(past, new))


def test_a_diff_names_fields(past: Store) -> None:
    questions = sheet()
    difference = diff(past, 1, 3).to_json()
    assert difference["added"] == [
        {"key": asked("Which comet came last?").key, "question": "Which comet came last?"}
    ]
    assert difference["removed"] == []
    assert [(change["key"], change["fields"]) for change in difference["changed"]] == [
        (questions[0].key, {"answer_0": {"old": "0", "new": "90"}}),
        (
            questions[1].key,
            {
                "question": {
                    "old": "How many moons has planet 1?",
                    "new": "How many moons does planet 1 have?",
                }
            },
        ),
    ]


def test_a_diff_needs_both_versions(past: Store) -> None:
    with pytest.raises(NotFound, match="Version 9 not found"):
        diff(past, 1, 9)


def test_history_shows_a_question_that_was_removed_and_added_again(past: Store) -> None:
    questions = sheet()
    spans = [(step.first, step.last, step.question) for step in history(past, questions[5].key)]
    assert spans == [(1, 1, questions[5]), (3, 3, questions[5])]
    first, second = history(past, questions[0].key)
    assert (first.first, first.last, first.question.primary) == (1, 1, "0")
    assert (second.first, second.last, second.question.primary) == (2, 3, "90")
    assert (second.as_of, second.published_at) == (DAY + 26 * WEEK, NOW)
    assert second.revision_hash == second.question.revision_hash
    with pytest.raises(NotFound, match="Question 'q-none' not found"):
        history(past, "q-none")


def test_history_shows_the_proposal_behind_a_revision(past: Store) -> None:
    question = snapshot(past, 3)[4]
    start(past)
    id_ = record_check(past, "week-11", checked(question), now=NOW)
    assert id_ is not None
    decided = decide(past, Decision(id_, Action.accept, "Ada", NOW))
    rows = [q.with_changes({"answer_0": "9"}) if q == question else q for q in snapshot(past, 3)]
    publish(past, rows, as_of=DAY + 53 * WEEK, now=NOW, parent=3, proposals=[decided])
    *_, before, last = history(past, question.key)
    assert before.proposal is None
    assert last.proposal is not None
    assert last.proposal.decision is not None
    assert (last.proposal.id, last.proposal.status, last.proposal.decision.by) == (
        id_,
        "published",
        "Ada",
    )


def test_only_a_different_answer_to_the_same_question_is_a_change_of_fact(past: Store) -> None:
    questions = sheet()
    publish(
        past,
        [q.with_changes({"answer_0": f" {q.primary}. "}) for q in snapshot(past, 3)],
        as_of=DAY + 52 * WEEK,
        now=NOW,
        parent=3,
    )
    known = change_history(past)
    assert {key: history.changes for key, history in known.items() if history.changes} == {
        questions[0].key: 1
    }
    assert known[questions[0].key].years == pytest.approx(364 / 365.25)
    assert len(known) == 7


def test_a_different_spelling_of_a_date_is_not_a_change_and_suggests_no_type(
    store: Store,
) -> None:
    spellings = ("Jan 5, 2024", "January 5, 2024", "5 Jan 2024")
    for number, spelling in enumerate(spellings):
        row = asked("When did the dome open?", spelling, key="q-dome", fact_type="never-changing")
        publish(store, [row], as_of=DAY + 26 * number * WEEK, now=NOW, parent=number or None)
    known = change_history(store)["q-dome"]
    assert known.changes == 0
    assert reclassify(row, known) is None
    other = row.with_changes({"answer_0": "January 6, 2024"})
    publish(store, [other], as_of=DAY + 78 * WEEK, now=NOW, parent=3)
    moved = change_history(store)["q-dome"]
    assert moved.changes == 1
    assert reclassify(other, moved) is not None
    day = DAY + 78 * WEEK
    assert prior_risk(row, as_of=day, history=known) < prior_risk(row, as_of=day, history=moved)


def test_every_wording_leads_to_its_question(past: Store) -> None:
    questions = sheet()
    keys = aliases(past)
    assert keys[normalised_question("How many moons has planet 1?")] == questions[1].key
    assert keys[normalised_question("how many moons does planet 1 have")] == questions[1].key
    assert len(keys) == 8


def test_a_reused_wording_leads_to_its_latest_question(store: Store) -> None:
    first = asked("Who rules?", "A", key="q-a")
    publish(store, [first], as_of=DAY, now=NOW, parent=None)
    second = [asked("Who ruled before?", "A", key="q-a"), asked("Who rules?", "B", key="q-b")]
    publish(store, second, as_of=DAY, now=NOW, parent=1)
    assert aliases(store) == {"who rules": "q-b", "who ruled before": "q-a"}


def test_a_rollback_is_a_new_version_with_the_old_rows(past: Store) -> None:
    restored = rollback(past, 1, as_of=DAY + 53 * WEEK, now=NOW)
    assert (restored.number, restored.parent, restored.kind) == (4, 3, "rollback")
    assert restored.message == "Roll back to version 1"
    first = find(past, number=1)
    assert restored.content_hash == first.content_hash
    assert restored.chain_hash != first.chain_hash
    assert snapshot(past, 4) == snapshot(past, 1)
    assert head(past) == restored
    assert {verified.status for verified in verify(past)} == {"ok"}


def test_a_rollback_that_changes_nothing_is_refused(past: Store) -> None:
    with pytest.raises(NothingToDo, match="Version 3 already holds the rows of version 3"):
        rollback(past, 3, as_of=DAY, now=NOW)
    with pytest.raises(NotFound, match="Version 8 not found"):
        rollback(past, 8, as_of=DAY, now=NOW)


def test_a_draft_from_before_a_rollback_is_refused(past: Store) -> None:
    draft = with_answer(list(snapshot(past, 3)), 2, "draft")
    rollback(past, 1, as_of=DAY, now=NOW)
    with pytest.raises(Conflict, match="version 4 is the newest"):
        publish(past, draft, as_of=DAY, now=NOW, parent=3)
