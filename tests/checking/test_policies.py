"""Policies learned from reviewed checks, evaluated on generated data whose truth is known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from freshqa.checking.episode import MOVES, REWARDS, Episode, episode
from freshqa.checking.fitted import FittedPolicy, after_round, fit_policy
from freshqa.checking.learned import load_policy
from freshqa.checking.logistic import area_under_curve, fit_logistic, fit_ridge, predict
from freshqa.checking.policy_features import NAMES
from freshqa.checking.policy_gradient import Replay, softmax
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
            has_evidence = stale and random.random() < 0.4 * number
            row["quoted"] = row["guarded"] = float(has_evidence)
            right.append(random.random() < 0.9 if has_evidence else None)
            rounds.append(tuple(row[name] for name in NAMES))
        episodes.append(Episode(tuple(rounds), not stale, tuple(right)))
    return episodes


def earned(policy: FittedPolicy | ReinforcePolicy, episodes: list[Episode]) -> float:
    total = 0.0
    for played in episodes:
        for index, row in enumerate(played.rounds):
            has_answer = played.proposed_right[index] is not None
            more = index + 1 < len(played.rounds)
            move = policy.pick(row, after_round(more, has_answer))
            if move is not Move.revise:
                total += played.reward(index, move, REWARDS)
                break
            total -= REWARDS.round
    return total / len(episodes)


def test_a_fitted_policy_earns_more_than_asking_a_person_every_time() -> None:
    policy = fit_policy(world(400, 1))
    assert earned(policy, world(400, 2)) > REWARDS.right - REWARDS.person + 0.1


def test_eighty_decisions_are_enough_to_be_useful() -> None:
    assert earned(fit_policy(world(80, 1)), world(400, 2)) > REWARDS.right - REWARDS.person


def test_reinforce_improves_on_review_and_does_not_beat_a_fitted_policy() -> None:
    episodes, unseen = world(400, 1), world(400, 2)
    warm = train_policy(episodes, passes=20)
    assert earned(warm, unseen) > REWARDS.right - REWARDS.person
    assert earned(fit_policy(episodes), unseen) >= earned(warm, unseen) - 0.02


RULE_SHARES = {
    "the rule escalates": (0.0, 0.0),
    "the rule keeps": (1.0, 0.0),
    "the rule proposes": (0.0, 1.0),
    "the rule keeps half": (0.5, 0.0),
}
"""What the rule would do → shares of the checks with an answer that agrees, and that is guarded."""


def separable(agreeing: float, guarded: float, count: int, seed: int) -> list[Episode]:
    """Checks whose risk alone tells what is right, whatever the rule would do."""
    random = np.random.default_rng(seed)
    episodes = []
    for _ in range(count):
        stale = random.random() < 0.5
        row = dict.fromkeys(NAMES, 0.0) | {"bias": 1.0, "round": 0.5}
        row["risk"] = (1.0 if stale else -1.0) * (0.5 + random.random())
        row["agrees"] = float(random.random() < agreeing)
        row["guarded"] = float(random.random() < guarded)
        episodes.append(Episode((tuple(row[name] for name in NAMES),), not stale, (stale,)))
    return episodes


@pytest.mark.parametrize("shares", RULE_SHARES.values(), ids=RULE_SHARES)
def test_a_warm_start_departs_from_the_rule_if_the_data_require_it(
    shares: tuple[float, float],
) -> None:
    policy = train_policy(separable(*shares, 200, 1))
    assert earned(policy, separable(*shares, 400, 2)) >= 0.99


def acquisitions(count: int, seed: int) -> list[Episode]:
    """Checks from the first state: memory is right where nothing ever changes, a first search is
    enough for half of the rest, and the others need a follow-up."""
    random = np.random.default_rng(seed)
    episodes = []
    for _ in range(count):
        never, hard = random.random() < 0.4, random.random() < 0.5
        start = {"unsearched": 1.0, "unanswered": 1.0, "never": float(never)}
        recalled = {"unsearched": 1.0, "agrees": 1.0, "never": float(never)}
        searched = {"unanswered": 1.0, "never": float(never), "conflict": float(hard)}
        read = {"never": float(never), "conflict": float(hard), "quoted": 1.0 - hard}
        again = {"never": float(never), "conflict": float(hard), "quoted": 1.0, "round": 1.0}
        rows = (start, recalled, searched, read, again)
        following = (
            {Move.answer: 1, Move.search: 2},
            {},
            {Move.answer: 3},
            {Move.search_again: 4},
            {},
        )
        right = (None, never, None, not hard, True)
        features = tuple(
            tuple(({"bias": 1.0} | row).get(name, 0.0) for name in NAMES) for row in rows
        )
        episodes.append(Episode(features, False, right, following))
    return episodes


def walked(policy: FittedPolicy | ReinforcePolicy, episode: Episode) -> list[Move]:
    index, moves = 0, []
    while True:
        moves.append(policy.pick(episode.rounds[index], episode.open(index)))
        if moves[-1] not in episode.leads(index):
            return moves
        index = episode.leads(index)[moves[-1]]


@pytest.mark.parametrize("learn", [fit_policy, train_policy])
def test_learned_policies_choose_what_to_acquire(learn: Any) -> None:
    policy, unseen = learn(acquisitions(300, 1)), acquisitions(60, 2)
    total, taken = 0.0, set()
    for unseen_episode in unseen:
        *acquired, last = walked(policy, unseen_episode)
        index = 0
        for move in acquired:
            total -= REWARDS.cost(move)
            index = unseen_episode.leads(index)[move]
        total += unseen_episode.reward(index, last, REWARDS)
        taken |= {*acquired, last}
    assert total / len(unseen) > 0.94, "a person on everything earns 0.65, perfect play 0.98"
    assert {Move.search, Move.answer, Move.search_again, Move.propose} <= taken


def test_the_gradient_is_that_of_the_expected_reward() -> None:
    replay = Replay(acquisitions(20, 3), REWARDS)
    random = np.random.default_rng(0)
    weights = random.normal(size=(len(MOVES), len(NAMES))) * 0.3

    def expected(at: Any) -> float:
        chances = softmax(replay.features @ at.T, replay.open)
        return float(replay._values(chances)[1][replay._starts].mean())

    measured = np.zeros_like(weights)
    for index in np.ndindex(weights.shape):
        step = np.zeros_like(weights)
        step[index] = 1e-5
        measured[index] = (expected(weights + step) - expected(weights - step)) / 2e-5
    assert np.allclose(replay.gradient(weights), measured, rtol=0, atol=1e-6)
    moved = {move for move, row in zip(MOVES, measured, strict=True) if np.any(abs(row) > 1e-3)}
    assert moved == set(MOVES) - {Move.read, Move.revise}, "the two that are never open here"


def test_training_twice_gives_the_same_policy() -> None:
    assert train_policy(world(100, 1), passes=3) == train_policy(world(100, 1), passes=3)


def test_fewer_than_eighty_decisions_are_refused() -> None:
    for learn in (fit_policy, train_policy):
        with pytest.raises(Refused, match="79 reviewed checks are too few"):
            learn(world(79, 1))


def test_when_everything_is_stale_the_policy_asks_a_person() -> None:
    stale = [Episode(known.rounds, False, (None, None)) for known in world(120, 3)]
    policy = fit_policy(stale)
    moves = {policy.pick(o.rounds[1], after_round(False, False)) for o in stale}
    assert moves == {Move.escalate}


def test_only_allowed_moves_are_chosen() -> None:
    policy = fit_policy(world(200, 1))
    for known in world(200, 5):
        move = policy.pick(known.rounds[0], after_round(False, False))
        assert move in (Move.keep, Move.escalate)


def test_the_stale_share_corrects_for_an_unrepresentative_sample_of_reviews() -> None:
    episodes = world(400, 1)
    many = fit_policy(episodes, stale_share=0.6)
    few = fit_policy(episodes, stale_share=0.02)
    row = np.array([episodes[0].rounds[0]])
    assert predict(row, np.array(few.stored))[0] > predict(row, np.array(many.stored))[0]


@pytest.mark.parametrize("name", ["fitted", "reinforce"])
def test_weights_round_trip_through_a_file(name: str, tmp_path: Path) -> None:
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


def test_an_episode_is_built_from_rounds_and_a_decision() -> None:
    row = [0.0] * len(NAMES)
    rounds = [{"features": row, "answer": "Idris Quane"}, {"features": row, "answer": ""}]
    built = episode(rounds, stored_right=False, right_answers=["Idris Quane"])
    assert built is not None and built.proposed_right == (True, None)
    assert built.reward(0, Move.propose, REWARDS) == 1.0
    assert built.reward(0, Move.keep, REWARDS) == -4.0
    assert built.reward(0, Move.escalate, REWARDS) == 0.65
    assert episode([{"features": [1.0]}], stored_right=True) is None
    assert episode([], stored_right=True) is None


def test_recorded_acquisitions_become_states_of_the_episode() -> None:
    row = [0.0] * len(NAMES)
    first = [0.0] * (len(NAMES) - 1) + [1.0]
    acquired = [{"move": "search", "features": first}, {"move": "answer", "features": first}]
    rounds = [
        {"features": row, "answer": "Bo", "move": "search-again", "acquired": acquired},
        {"features": row, "answer": "Idris Quane", "move": "propose"},
    ]
    built = episode(rounds, stored_right=False, right_answers=["Idris Quane"])
    assert built is not None and built.proposed_right == (None, None, False, True)
    assert [dict(built.leads(index)) for index in range(4)] == [
        {Move.search: 1},
        {Move.answer: 2},
        {Move.search_again: 3},
        {},
    ]
    assert built.open(0) == {Move.search, Move.escalate}


def test_rounds_recorded_without_acquisitions_can_still_be_used() -> None:
    row = [0.0] * (len(NAMES) - 2)
    built = episode([{"features": row, "answer": "x"}] * 2, stored_right=True, right_answers=["x"])
    assert built is not None and built.leads(0) == {Move.revise: 1}
    assert len(built.rounds[0]) == len(NAMES) and Move.keep in built.open(0)


def test_weights_of_the_earlier_version_are_read(tmp_path: Path) -> None:
    earlier = dict.fromkeys(NAMES[:-2], 0.5)
    fitted = {"policy": "fitted", "decisions": 90, "rewards": {"right": 1.0, "wrong": 4.0,
              "person": 0.35, "round": 0.01}, "stored": earlier, "proposed": earlier,
              "further": earlier}  # fmt: skip
    moves = ("keep", "propose", "escalate", "revise")
    reinforce = {"policy": "reinforce", "decisions": 90, "weights": dict.fromkeys(moves, earlier)}
    for record in (fitted, reinforce):
        file = tmp_path / "weights.json"
        file.write_text(json.dumps(record))
        policy = load_policy(record["policy"], file)
        assert policy.decisions == 90
        row = tuple(1.0 for _ in NAMES)
        assert policy.pick(row, after_round(True, True)) in Move


def test_regression_recovers_the_coefficients_of_generated_data() -> None:
    random = np.random.default_rng(0)
    features = np.column_stack([np.ones(4000), random.normal(size=(4000, 2))])
    truth = np.array([-0.5, 1.5, -1.0])
    outcomes = (random.random(4000) < predict(features, truth)).astype(float)
    assert np.allclose(fit_logistic(features, outcomes, penalty=0.1), truth, atol=0.2)
    assert np.allclose(fit_ridge(features, features @ truth, penalty=1e-6), truth)
    weights = fit_logistic(features, (features[:, 1] > 0).astype(float))  # separable: no maximum
    assert np.all(np.isfinite(weights)) and weights[1] > 2


def test_area_under_the_curve_counts_ties_as_one_half() -> None:
    scores, outcomes = np.array([0.9, 0.5, 0.5, 0.1]), np.array([1.0, 1.0, 0.0, 0.0])
    assert area_under_curve(scores, outcomes) == pytest.approx(0.875)
    assert np.isnan(area_under_curve(scores, np.ones(4)))
