"""Policies learned from reviewed checks: what they are worth on a world whose truth is known."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from freshqa.checking.episode import REWARDS, Episode, episode
from freshqa.checking.fitted import FittedPolicy, fit_policy
from freshqa.checking.learned import load_policy
from freshqa.checking.logistic import area_under_curve, fit_logistic, fit_ridge, predict
from freshqa.checking.policy_features import NAMES
from freshqa.checking.reinforce import ReinforcePolicy, train_policy
from freshqa.checking.round import Move
from freshqa.errors import BadData, NotFound, Refused, UsageError


def world(count: int, seed: int) -> list[Episode]:
    """Checks of two rounds: a stale answer shows as risk, clearer in the second round; what is
    quoted and guarded is right nine times of ten."""
    random = np.random.default_rng(seed)
    episodes = []
    for _ in range(count):
        stale = random.random() < 0.25
        rounds, right = [], []
        for number in (1, 2):
            row = dict.fromkeys(NAMES, 0.0) | {"bias": 1.0, "round": number / 2}
            row["risk"] = (1.0 if stale else -1.0) * number * 0.6 + random.normal() * 0.5
            row["agrees"] = float(not stale and random.random() < 0.8)
            found = stale and random.random() < 0.4 * number
            row["quoted"] = row["guarded"] = float(found)
            right.append(random.random() < 0.9 if found else None)
            rounds.append(tuple(row[name] for name in NAMES))
        episodes.append(Episode(tuple(rounds), not stale, tuple(right)))
    return episodes


def earned(policy: FittedPolicy | ReinforcePolicy, episodes: list[Episode]) -> float:
    total = 0.0
    for one in episodes:
        for index, row in enumerate(one.rounds):
            has_answer = one.proposed_right[index] is not None
            more = index + 1 < len(one.rounds)
            move = policy.choose(row, may_revise=more, has_answer=has_answer)
            if move is not Move.revise:
                total += one.reward(index, move, REWARDS)
                break
            total -= REWARDS.round
    return total / len(episodes)


def test_a_fitted_policy_earns_more_than_a_person_on_everything() -> None:
    policy = fit_policy(world(400, 1))
    assert earned(policy, world(400, 2)) > REWARDS.right - REWARDS.person + 0.1


def test_eighty_decisions_are_enough_to_be_useful() -> None:
    assert earned(fit_policy(world(80, 1)), world(400, 2)) > REWARDS.right - REWARDS.person


def test_reinforce_from_the_rule_learns_and_is_beaten_by_fitting() -> None:
    episodes, unseen = world(400, 1), world(400, 2)
    warm = train_policy(episodes, passes=20)
    assert earned(warm, unseen) > REWARDS.right - REWARDS.person
    assert earned(fit_policy(episodes), unseen) >= earned(warm, unseen) - 0.02


def test_training_twice_gives_the_same_policy() -> None:
    assert train_policy(world(100, 1), passes=3) == train_policy(world(100, 1), passes=3)


def test_fewer_than_eighty_decisions_are_refused() -> None:
    for learn in (fit_policy, train_policy):
        with pytest.raises(Refused, match="79 reviewed checks are too few"):
            learn(world(79, 1))


def test_when_everything_is_stale_the_policy_asks_a_person() -> None:
    stale = [Episode(one.rounds, False, (None, None)) for one in world(120, 3)]
    policy = fit_policy(stale)
    moves = {policy.choose(o.rounds[1], may_revise=False, has_answer=False) for o in stale}
    assert moves == {Move.escalate}


def test_no_move_is_chosen_that_is_not_open() -> None:
    policy = fit_policy(world(200, 1))
    for one in world(200, 5):
        move = policy.choose(one.rounds[0], may_revise=False, has_answer=False)
        assert move in (Move.keep, Move.escalate)


def test_reviewed_more_stale_than_real_is_weighted_back() -> None:
    episodes = world(400, 1)
    many = fit_policy(episodes, stale_share=0.6)
    few = fit_policy(episodes, stale_share=0.02)
    row = np.array([episodes[0].rounds[0]])
    assert predict(row, np.array(few.stored))[0] > predict(row, np.array(many.stored))[0]


@pytest.mark.parametrize("name", ["fitted", "reinforce"])
def test_weights_survive_a_file(name: str, tmp_path: Path) -> None:
    learn = fit_policy if name == "fitted" else train_policy
    policy = learn(world(100, 1))
    file = tmp_path / "weights.json"
    file.write_text(json.dumps(policy.to_json()))
    assert load_policy(name, file) == policy


def test_a_policy_without_its_weights_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs a weights file"):
        load_policy("fitted")
    with pytest.raises(NotFound):
        load_policy("fitted", tmp_path / "none.json")
    broken = tmp_path / "broken.json"
    for text in ("", "{}", '{"policy": "reinforce"}', '{"policy": "fitted", "stored": {}}'):
        broken.write_text(text)
        with pytest.raises(BadData, match="is not a weights file"):
            load_policy("fitted", broken)
    assert load_policy("rule").name == "rule"


def test_an_episode_from_the_ledger_and_a_decision() -> None:
    row = [0.0] * len(NAMES)
    rounds = [{"features": row, "answer": "Idris Quane"}, {"features": row, "answer": ""}]
    made = episode(rounds, stored_right=False, right_answers=["Idris Quane"])
    assert made is not None and made.proposed_right == (True, None)
    assert made.reward(0, Move.propose, REWARDS) == 1.0
    assert made.reward(0, Move.keep, REWARDS) == -4.0
    assert made.reward(0, Move.escalate, REWARDS) == 0.65
    assert episode([{"features": [1.0]}], stored_right=True) is None
    assert episode([], stored_right=True) is None


def test_regression_recovers_what_made_the_data() -> None:
    random = np.random.default_rng(0)
    features = np.column_stack([np.ones(4000), random.normal(size=(4000, 2))])
    truth = np.array([-0.5, 1.5, -1.0])
    outcomes = (random.random(4000) < predict(features, truth)).astype(float)
    assert np.allclose(fit_logistic(features, outcomes, penalty=0.1), truth, atol=0.2)
    assert np.allclose(fit_ridge(features, features @ truth, penalty=1e-6), truth)
    separable = fit_logistic(features, (features[:, 1] > 0).astype(float))
    assert np.all(np.isfinite(separable)) and separable[1] > 2


def test_area_under_curve_counts_ties_half() -> None:
    scores, outcomes = np.array([0.9, 0.5, 0.5, 0.1]), np.array([1.0, 1.0, 0.0, 0.0])
    assert area_under_curve(scores, outcomes) == pytest.approx(0.875)
    assert np.isnan(area_under_curve(scores, np.ones(4)))
