"""Loop policies are learned from the decisions of people."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from datetime import datetime, timezone

import pytest

from freshqa.checking.policy import FIXED_POLICIES
from freshqa.checking.policy_features import NAMES
from freshqa.dataset.question import Question
from freshqa.errors import Refused, UsageError
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.maintaining.choice import Choice, Chosen
from freshqa.maintaining.proposal import (
    Action,
    CheckedQuestion,
    Decision,
    FieldChange,
    Outcome,
    Proposal,
)
from freshqa.store import checks, proposal_decisions, proposals, publishing, runs
from freshqa.store.database import Store
from prefect_freshqa.cli.main import main
from prefect_freshqa.tasks.learning import (
    answers_after,
    loop_policy,
    reviewed_episodes,
    source_weights,
    still_right,
)
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

NOW = datetime(2026, 3, 9, tzinfo=timezone.utc)


def test_a_kf1_threshold_is_for_the_policies_of_the_paper(sqlite_url: str) -> None:
    store = Store.open(sqlite_url, create=True)
    chosen = RefreshSettings(loop_policy="always-use", kf1_threshold=0.3)
    assert loop_policy(store, chosen) == replace(FIXED_POLICIES["always-use"], threshold=0.3)
    assert loop_policy(store, RefreshSettings(loop_policy="always-use")).threshold == 0.5
    for name in ("rule", "fitted"):
        with pytest.raises(UsageError, match="has no KF1 threshold") as refused:
            loop_policy(store, RefreshSettings(loop_policy=name, kf1_threshold=0.3))
        assert "always-use, self-ask, no-consolidator" in refused.value.remedy


def test_the_label_says_whether_the_stored_answer_still_applies_after_the_decision() -> None:
    new = {"answer_0": FieldChange("Old", "New")}
    form = {"answer_1": FieldChange("", "Old Town")}
    for outcome, changes, action, edits, right in (
        (Outcome.unchanged, {}, Action.accept, {}, True),
        (Outcome.unchanged, {"next_review": FieldChange("a", "b")}, Action.accept, {}, True),
        (Outcome.unchanged, {}, Action.keep, {}, True),
        (Outcome.insufficient, {}, Action.accept, {}, True),  # as earlier releases recorded it
        (Outcome.insufficient, {}, Action.keep, {"next_review": "frequently"}, True),
        (Outcome.insufficient, {}, Action.edit, {"answer_0": "New"}, False),
        (Outcome.insufficient, {}, Action.edit, {"source": "https://x.example/"}, True),
        (Outcome.conflicting, new, Action.accept, {}, False),
        (Outcome.conflicting, new, Action.keep, {}, True),
        (Outcome.alternative, form, Action.accept, {}, True),
        (Outcome.alternative, form, Action.reject, {}, True),
        (Outcome.alternative, form, Action.edit, {"answer_1": "Older Town"}, True),
        (Outcome.changed, new, Action.accept, {}, False),
        (Outcome.changed, new, Action.accept, {"fact_type": "fast-changing"}, False),
        (Outcome.changed, new, Action.reject, {}, True),
        (Outcome.changed, new, Action.edit, {"answer_0": "Newer"}, False),
        (Outcome.changed, new, Action.edit, {"answer_0": "old"}, True),
        (Outcome.premise_now_false, new, Action.accept, {}, False),
    ):
        proposal = Proposal("q", "Who?", "", outcome, changes=changes, stored=("Old",))
        decision = Decision(1, action, by="Ada", at=NOW, edits=edits)
        opinion = still_right(proposal.stored, answers_after(proposal, decision))
        assert opinion is right, (outcome, action, edits)


def test_a_kept_answer_is_learned_as_a_correct_stored_answer(sqlite_url: str) -> None:
    store = reviewed_store(sqlite_url, 3)
    for stored in proposals.proposals(store, status=None):
        choice = Choice(stored.id, Chosen.keep)
        proposal_decisions.review(store, [choice], by="Bob", at=NOW, revise=True)
    episodes = reviewed_episodes(store)
    assert [(episode.stored_right, episode.proposed_right) for episode in episodes] == [
        (True, (False,))
    ] * 3


def reviewed_store(url: str, decisions: int) -> Store:
    """A store in which a person has decided so many proposals, every third one a rejection."""
    store = Store.open(url, create=True)
    questions = [
        Question({"question": f"Who holds office {n}?", "answer_0": f"Old {n}"}, key=f"q-{n}")
        for n in range(decisions)
    ]
    day = NOW.date()
    publishing.publish(store, questions, as_of=day, now=NOW, parent=None, kind="import")
    runs.start_run(store, key="week", flow="test", as_of=day, base_version=1, settings={}, now=NOW)
    for n, question in enumerate(questions):
        right = n % 3 != 0
        features = [1.0, *(float(right) for _ in NAMES[1:])]
        proposal = Proposal(
            key=question.key,
            question=question.text,
            base_revision=question.revision_hash,
            outcome=Outcome.changed,
            changes={"answer_0": FieldChange(f"Old {n}", f"New {n}")},
            stored=question.answers,
        )
        checked = CheckedQuestion(
            key=question.key,
            question=question.text,
            outcome=Outcome.changed,
            risk=0.5,
            stored=question.answers,
            rounds=({"features": features, "answer": f"New {n}"},),
            proposal=proposal,
        )
        number = checks.record_check(store, "week", checked, now=NOW)
        assert number is not None
        action = Action.accept if right else Action.reject
        proposal_decisions.decide(store, Decision(number, action, by="Ada", at=NOW))
    return store


def test_decisions_become_episodes(sqlite_url: str) -> None:
    store = reviewed_store(sqlite_url, 6)
    episodes = reviewed_episodes(store)
    assert len(episodes) == 6
    assert sorted(episode.stored_right for episode in episodes) == [False] * 4 + [True] * 2
    for episode in episodes:
        assert episode.proposed_right == (not episode.stored_right,)


def test_a_policy_needs_eighty_decisions(sqlite_url: str) -> None:
    store = reviewed_store(sqlite_url, 3)
    with pytest.raises(Refused, match="3 reviewed checks are too few"):
        loop_policy(store, RefreshSettings(loop_policy="fitted"))


@pytest.mark.parametrize("name", ["fitted", "reinforce"])
def test_a_policy_is_learned_from_the_ledger(sqlite_url: str, name: str) -> None:
    store = reviewed_store(sqlite_url, 90)
    policy = loop_policy(store, RefreshSettings(loop_policy=name))
    assert policy.name == name


def test_the_answers_in_force_after_each_kind_of_decision() -> None:
    proposal = Proposal(
        key="q",
        question="Who?",
        base_revision="",
        outcome=Outcome.changed,
        changes={"answer_0": FieldChange("Old", "New")},
        stored=("Old",),
    )
    decision = Decision(1, Action.accept, by="Ada", at=NOW)
    assert answers_after(proposal, decision) == ("New",)
    assert answers_after(proposal, replace(decision, action=Action.reject)) == ("Old",)
    edited = replace(decision, action=Action.edit, edits={"answer_0": "Better"})
    assert answers_after(proposal, edited) == ("Better",)


def test_a_learned_policy_is_written_to_a_file_that_a_refresh_takes(
    sqlite_url: str, tmp_path, monkeypatch, capfd
) -> None:
    reviewed_store(sqlite_url, 90)
    file = tmp_path / "policy.json"
    arguments = ("learn", "fitted", "-o", str(file), "--store", sqlite_url, "--json")
    monkeypatch.setattr(sys, "argv", ["prefect-freshqa", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    printed = json.loads(capfd.readouterr().out)
    assert printed == {"policy": "fitted", "reviewed": 90, "file": str(file)}
    settings = RefreshSettings(loop_policy="fitted", loop_weights=str(file))
    assert loop_policy(Store.open(sqlite_url), settings).name == "fitted"


def test_source_weights_count_a_fact_once_even_if_it_is_decided_often(sqlite_url: str) -> None:
    store = reviewed_store(sqlite_url, 3)
    assert source_weights(store).said == {}, "these proposals have no evidence"
    for week in ("second", "third"):
        decide_with_evidence(store, week)
    weights = source_weights(store)
    assert weights.said == {("new.example", "other"): 1, ("old.example", "other"): 1}
    assert weights.right["old.example", "other"] == 1 and not weights.right["new.example", "other"]


def test_decisions_of_a_policy_do_not_count_for_sites(sqlite_url: str) -> None:
    store = reviewed_store(sqlite_url, 3)
    decide_with_evidence(store, "second", by="policy:certified")
    assert source_weights(store).said == {}
    decide_with_evidence(store, "third")
    assert source_weights(store).said.total() == 2
    assert len(proposal_decisions.decided_by_people(store, most=2)) == 2
    newest = proposal_decisions.decided_by_people(store, most=1)[0][0]
    assert newest.evidence, "the newest is the one with evidence"


def decide_with_evidence(store: Store, week: str, by: str = "Ada") -> None:
    """Let a person keep the stored answer of the first question, which one of two sites has."""
    stored = proposals.proposals(store, status=None)[0].proposal
    runs.start_run(
        store, key=week, flow="test", as_of=NOW.date(), base_version=1, settings={}, now=NOW
    )
    old, new = stored.changes["answer_0"].old, stored.changes["answer_0"].new
    evidence = tuple(
        Evidence(EvidenceKind.organic, url=f"https://{host}.example/", snippet=f"{text} holds it.")
        for host, text in (("old", old), ("new", new))
    )
    checked = CheckedQuestion(
        key=stored.key,
        question=stored.question,
        outcome=Outcome.changed,
        risk=0.5,
        stored=stored.stored,
        proposal=replace(stored, evidence=evidence),
    )
    number = checks.record_check(store, week, checked, now=NOW)
    assert number is not None
    proposal_decisions.decide(store, Decision(number, Action.keep, by=by, at=NOW))
