"""REINFORCE (Williams 1992), the paper's trainable policy, at our size: a softmax over four moves.

It starts from the rule, because a cold start gets stuck after one round. Kept faithful to the
paper; `freshqa.checking.fitted` does better with fewer decisions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from freshqa.checking.episode import REWARDS, Episode, Rewards
from freshqa.checking.fitted import FEWEST_DECISIONS
from freshqa.checking.logistic import Floats
from freshqa.checking.policy import EvidenceUse
from freshqa.checking.policy_features import NAMES
from freshqa.checking.round import Move, Round
from freshqa.errors import Refused

MOVES = (Move.keep, Move.propose, Move.escalate, Move.revise)
_CLONING_STEPS = 300
_CLONING_RATE = 0.5
_CLONING_DOUBT = 0.5
"""A clone that is sure of itself tries nothing else and learns nothing."""
_RATE = 0.02
_BASELINE_RATE = 0.05


@dataclass(frozen=True)
class ReinforcePolicy:
    """Takes the most probable move of a softmax over linear scores.

    Args:
        weights: One row of feature weights for each of `MOVES`.
        decisions: How many reviewed checks it was trained on.
    """

    weights: tuple[tuple[float, ...], ...]
    decisions: int = 0
    name: str = "reinforce"
    evidence: EvidenceUse = EvidenceUse.always
    feedback: str = ""

    def decide(self, one: Round, *, may_revise: bool) -> Move:
        """See `freshqa.checking.policy.Policy.decide`."""
        return self.choose(one.features, may_revise=may_revise, has_answer=bool(one.answer))

    def choose(self, features: Sequence[float], *, may_revise: bool, has_answer: bool) -> Move:
        """The most probable of the moves that are open."""
        open_moves = _open(may_revise, has_answer)
        chances = _softmax(np.array(self.weights), np.array(features), open_moves)
        return MOVES[int(np.argmax(chances))]

    def to_json(self) -> Mapping[str, Any]:
        """A JSON object with named weights; `from_json` reads it back."""
        rows = zip(MOVES, self.weights, strict=True)
        named = {move.value: dict(zip(NAMES, row, strict=True)) for move, row in rows}
        return {"policy": self.name, "decisions": self.decisions, "weights": named}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> ReinforcePolicy:
        """The policy that `to_json` wrote."""
        weights = record["weights"]
        rows = tuple(tuple(weights[move.value][name] for name in NAMES) for move in MOVES)
        return cls(rows, decisions=record["decisions"])


def train_policy(
    episodes: Sequence[Episode],
    *,
    rewards: Rewards = REWARDS,
    passes: int = 100,
    seed: int = 0,
    warm: bool = True,
) -> ReinforcePolicy:
    """Train on reviewed checks, sampling moves and following their rewards.

    Args:
        episodes: One for each question, each reviewed.
        rewards: What moves are worth.
        passes: How often every episode is replayed.
        seed: Of the random moves.
        warm: Start from the rule; False is the cold start, for comparison.

    Raises:
        Refused: There are fewer than `FEWEST_DECISIONS` episodes.
    """
    if len(episodes) < FEWEST_DECISIONS:
        raise Refused(
            f"{len(episodes)} reviewed checks are too few to train a policy",
            f"Review at least {FEWEST_DECISIONS}; until then use policy rule.",
        )
    random = np.random.default_rng(seed)
    weights = _CLONING_DOUBT * _clone_rule(episodes) if warm else np.zeros((len(MOVES), len(NAMES)))
    baseline = np.zeros(len(NAMES))
    for _ in range(passes):
        for index in random.permutation(len(episodes)):
            _play(episodes[index], weights, baseline, rewards, random)
    rows = tuple(tuple(float(w) for w in row) for row in weights)
    return ReinforcePolicy(rows, decisions=len(episodes))


def _play(
    one: Episode, weights: Floats, baseline: Floats, rewards: Rewards, random: np.random.Generator
) -> None:
    """Sample one run through an episode, then move weights and baseline in place."""
    taken: list[tuple[Floats, Floats, int]] = []
    total = 0.0
    for index, row in enumerate(one.rounds):
        features = np.array(row)
        has_answer = one.proposed_right[index] is not None
        chances = _softmax(weights, features, _open(index + 1 < len(one.rounds), has_answer))
        choice = int(random.choice(len(MOVES), p=chances))
        taken.append((features, chances, choice))
        if MOVES[choice] is not Move.revise:
            total += one.reward(index, MOVES[choice], rewards)
            break
        total -= rewards.round
    for features, chances, choice in taken:
        advantage = total - float(features @ baseline)
        direction = -chances
        direction[choice] += 1.0
        weights += _RATE * advantage * np.outer(direction, features)
        baseline += _BASELINE_RATE * advantage * features / float(features @ features)


def _clone_rule(episodes: Sequence[Episode]) -> Floats:
    """Multinomial regression on what the rule would do after each round."""
    agrees, guarded = NAMES.index("agrees"), NAMES.index("guarded")
    rows, wanted, masks = [], [], []
    for one in episodes:
        for index, row in enumerate(one.rounds):
            has_answer = one.proposed_right[index] is not None
            more = index + 1 < len(one.rounds)
            if row[agrees]:
                move = Move.keep
            elif row[guarded] and has_answer:
                move = Move.propose
            else:
                move = Move.revise if more else Move.escalate
            rows.append(row)
            wanted.append(MOVES.index(move))
            masks.append(_open(more, has_answer))
    matrix, targets = np.array(rows), np.eye(len(MOVES))[wanted]
    weights = np.zeros((len(MOVES), len(NAMES)))
    for _ in range(_CLONING_STEPS):
        scores = np.where(np.array(masks), matrix @ weights.T, -np.inf)
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        weights += _CLONING_RATE * (targets - chances).T @ matrix / len(matrix)
    return weights


def _open(may_revise: bool, has_answer: bool) -> list[bool]:
    return [True, has_answer, True, may_revise]


def _softmax(weights: Floats, features: Floats, open_moves: Sequence[bool]) -> Floats:
    scores = np.where(np.array(open_moves), weights @ features, -np.inf)
    chances = np.exp(scores - scores.max())
    return np.asarray(chances / chances.sum(), dtype=np.float64)
