"""What each policy may decide; certificates and bounds."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freshqa.dataset.question import Question
from freshqa.errors import Refused, UsageError
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.maintaining.acceptance_policy import decide_by_policy
from freshqa.maintaining.binomial import lower_bound, upper_bound
from freshqa.maintaining.certify import (
    AcceptanceBound,
    acceptance_bound,
    audited,
    certificate_now,
    drifted,
    eligible,
)
from freshqa.maintaining.flags import Blocks, Flag
from freshqa.maintaining.proposal import Action, Decision, FieldChange, Outcome, Proposal
from freshqa.maintaining.review import accepted_in_bulk

NOW = datetime(2026, 3, 9, tzinfo=timezone.utc)
PAGE = Evidence(EvidenceKind.organic, snippet="Grey Petrel won.")
ROW = Question({"question": "Who won?", "answer_0": "Saltwind", "fact_type": "fast-changing"}, "k")
CHANGED = Proposal(
    key="k",
    question="Who won?",
    base_revision=ROW.revision_hash,
    outcome=Outcome.changed,
    changes={"answer_0": FieldChange("Saltwind", "Grey Petrel")},
    evidence=(PAGE,),
    quotes={PAGE.id: "Grey Petrel"},
    confidence=0.7,
    method="freshprompt",
    model="m",
)
ROLLED = replace(
    CHANGED,
    outcome=Outcome.unchanged,
    changes={"next_review": FieldChange("03/08/2026", "03/08/2027")},
)
WORDED = replace(
    CHANGED, outcome=Outcome.alternative, changes={"answer_1": FieldChange("", "the Saltwind")}
)


def action(
    proposal: Proposal, policy: str, certificate: AcceptanceBound | None = None
) -> Action | None:
    decided = decide_by_policy(proposal, ROW, policy=policy, certificate=certificate, now=NOW)
    assert decided.reason
    return decided.action


def reviewed(right: int, wrong: int, confidence: float = 0.7) -> list[tuple[Proposal, Decision]]:
    decided = []
    for number in range(right + wrong):
        proposal = replace(CHANGED, key=f"q{number}", confidence=confidence)
        kind = Action.accept if number < right else Action.reject
        decided.append((proposal, Decision(number, kind, "ada", NOW)))
    return decided


def test_policy_hold_accepts_nothing() -> None:
    assert [action(p, "hold") for p in (CHANGED, ROLLED, WORDED)] == [None, None, None]


def test_policy_assisted_accepts_proposals_that_change_no_fact() -> None:
    wanted = [None, Action.accept, Action.accept]
    assert [action(p, "assisted") for p in (CHANGED, ROLLED, WORDED)] == wanted


@pytest.mark.parametrize(
    "change",
    [
        {"base_revision": "0" * 64},
        {"flags": ("injection:override",)},
        {"flags": ("unjudged",)},
        {"flags": ("judged-only",)},
        {"suggestions": {"fact_type": "fast-changing?"}},
        {"changes": {"fact_type": FieldChange("fast-changing", "slow-changing")}},
        {"changes": {"effective_year": FieldChange("2025", "2026")}},
        {"changes": {"answer_0": FieldChange("Saltwind", "the Saltwind")}},
        {"outcome": Outcome.premise_now_false},
        {"outcome": Outcome.insufficient},
        {"outcome": Outcome.conflicting},
    ],
)
def test_some_proposals_are_accepted_by_no_policy(change: dict[str, object]) -> None:
    certificate = acceptance_bound(reviewed(600, 0), alpha=0.05, now=NOW)
    for policy in ("hold", "assisted", "certified"):
        assert action(replace(WORDED, **change), policy, certificate) is None


def test_a_never_changing_question_is_never_changed_by_policy() -> None:
    row = ROW.with_changes({"fact_type": "never-changing"})
    proposal = replace(WORDED, base_revision=row.revision_hash)
    assert decide_by_policy(proposal, row, policy="assisted", now=NOW).action is None


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(UsageError, match="Use one of: hold, assisted, certified"):
        action(CHANGED, "automatic")


def test_a_certificate_accepts_changes_within_its_bounds() -> None:
    certificate = acceptance_bound(reviewed(600, 0), alpha=0.05, now=NOW)
    assert certificate.bound <= 0.05 and certificate.level == 1.0
    assert AcceptanceBound.from_json(certificate.to_json()) == certificate
    assert action(CHANGED, "certified", certificate) is Action.accept
    assert action(CHANGED, "certified") is None
    assert action(replace(CHANGED, confidence=0.6), "certified", certificate) is None
    assert action(replace(CHANGED, model="other"), "certified", certificate) is None
    assert action(replace(CHANGED, quotes={}), "certified", certificate) is None
    assert action(replace(CHANGED, flags=("single-source",)), "certified", certificate) is None
    late = replace(certificate, expires_at=NOW)
    assert action(CHANGED, "certified", late) is None


def test_too_few_decisions_or_too_many_errors_give_no_certificate() -> None:
    with pytest.raises(Refused, match="50 reviewed changes do not bound"):
        acceptance_bound(reviewed(50, 0), alpha=0.05, now=NOW)
    with pytest.raises(Refused):
        acceptance_bound(reviewed(300, 60), alpha=0.05, now=NOW)


def test_a_stricter_level_is_certified_if_the_loosest_fails() -> None:
    rows = reviewed(0, 60, confidence=0.3) + [
        (replace(p, key=f"s{p.key}"), d) for p, d in reviewed(200, 0, confidence=0.9)
    ]
    certificate = acceptance_bound(rows, alpha=0.05, now=NOW)
    assert certificate.threshold == 0.9 and certificate.errors == 0
    assert certificate.level < 1.0


def test_a_bound_counts_the_latest_decision_of_a_person_per_question() -> None:
    again = [
        (p, replace(d, at=NOW + timedelta(days=1), action=Action.reject))
        for p, d in reviewed(60, 0)
    ]
    with pytest.raises(Refused):
        acceptance_bound(reviewed(100, 0) + again, alpha=0.05, now=NOW)
    policy = [(p, replace(d, by="policy:certified")) for p, d in reviewed(600, 0)]
    with pytest.raises(Refused, match="0 reviewed"):
        acceptance_bound(policy, alpha=0.05, now=NOW)


def test_decisions_of_two_scorers_do_not_mix() -> None:
    rows = reviewed(100, 0)
    mixed = [*rows, (replace(rows[0][0], key="x", model="other"), rows[0][1])]
    with pytest.raises(Refused, match="2 scorers"):
        acceptance_bound(mixed, alpha=0.05, now=NOW)


def test_audited_errors_disable_a_certificate() -> None:
    certificate = acceptance_bound(reviewed(600, 0), alpha=0.05, now=NOW)
    assert not drifted(certificate, [])
    assert not drifted(certificate, [True] * 20)
    assert not drifted(certificate, [True] * 19 + [False])
    assert drifted(certificate, [True] * 10 + [False] * 4)


def test_the_same_five_percent_of_proposals_are_always_audited() -> None:
    proposals = [replace(CHANGED, key=f"q{number}") for number in range(2000)]
    chosen = [number for number, proposal in enumerate(proposals) if audited(proposal)]
    assert 0.035 < len(chosen) / len(proposals) < 0.065
    assert chosen[:5] == [37, 50, 131, 139, 170], "the same in every process"


def test_the_least_reviews_for_a_bound_are_those_of_the_tables() -> None:
    for alpha, counts in (
        (0.05, (59, 93, 124, 153)),
        (0.02, (149, 236, 313, 386)),
        (0.01, (299, 473, 628, 773)),
    ):
        for errors, least in enumerate(counts):
            assert upper_bound(errors, least, 0.05) <= alpha < upper_bound(errors, least - 1, 0.05)


@settings(deadline=None)
@given(st.integers(1, 800), st.data(), st.sampled_from([0.05, 0.01, 0.05 / 6]))
def test_bounds_enclose_the_rate_and_are_exact(
    trials: int, data: st.DataObject, delta: float
) -> None:
    beta = pytest.importorskip("scipy.stats").beta
    errors = data.draw(st.integers(0, trials))
    low, high = lower_bound(errors, trials, delta), upper_bound(errors, trials, delta)
    assert low <= errors / trials <= high
    if errors < trials:
        assert high == pytest.approx(beta.ppf(1 - delta, errors + 1, trials - errors), abs=1e-9)
    if errors:
        assert low == pytest.approx(beta.ppf(delta, errors, trials - errors + 1), abs=1e-9)


def test_bounds_refuse_impossible_counts() -> None:
    for errors, trials, delta in ((-1, 3, 0.05), (4, 3, 0.05), (1, 3, 0.0), (1, 3, 1.0)):
        with pytest.raises(ValueError):
            upper_bound(errors, trials, delta)
    assert upper_bound(0, 0, 0.05) == 1.0


def test_todays_certificate_uses_all_decisions_and_is_revoked_by_the_audit() -> None:
    certificate, reason = certificate_now(reviewed(600, 0), alpha=0.05, now=NOW)
    assert certificate is not None and reason == ""
    none, reason = certificate_now(reviewed(20, 0), alpha=0.05, now=NOW)
    assert none is None and "20 reviewed changes" in reason
    held = [row for row in reviewed(2000, 0) if audited(row[0])]
    wrong = [(p, replace(d, action=Action.reject)) for p, d in held[: len(held) // 3]]
    keys = {p.key for p, _ in wrong}
    mostly = [row for row in reviewed(2000, 0) if row[0].key not in keys] + wrong
    none, reason = certificate_now(mostly, alpha=0.05, now=NOW)
    assert none is None and "audited acceptances were wrong" in reason


def test_policy_assisted_leaves_a_risky_unchanged_outcome_to_a_person() -> None:
    assert action(replace(ROLLED, risk=0.04), "assisted") is Action.accept
    assert action(replace(ROLLED, risk=0.05), "assisted") is None


def test_every_flag_has_a_meaning_and_says_what_it_blocks() -> None:
    assert all(flag.meaning.endswith(".") for flag in Flag)
    certified = {str(flag) for flag in Flag if flag.blocks is Blocks.certified}
    assert certified == {
        "single-source",
        "from-memory",
        "unprobed",
        "second-missing",
        "page-date-differs",
        "benchmark-copy",
    }
    assert Flag.of("injection:override") is Flag.injection
    assert f"{Flag.unjudged} {Flag.injection}" == "unjudged injection"


@pytest.mark.parametrize(
    "flag", [*(str(flag) for flag in Flag), "injection:override", "unheard-of"]
)
def test_every_flag_keeps_a_certificate_from_deciding(flag: str) -> None:
    assert "a person decides" in eligible(replace(CHANGED, flags=(flag,)))


@pytest.mark.parametrize("flag", ["never-changing", "injection:override", "unheard-of"])
def test_accept_all_leaves_out_what_needs_review(flag: str) -> None:
    assert accepted_in_bulk(CHANGED) and not accepted_in_bulk(replace(CHANGED, flags=(flag,)))
