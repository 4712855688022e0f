"""REINFORCE (Williams 1992), the paper's trainable policy: a softmax over all moves.

A reviewed check tells the reward of every move, so the gradient sums over the moves instead of
sampling one: the same expectation as REINFORCE with the value of the state as its baseline, without
its variance. It starts from the rule and keeps the best of several starts, because a copy of the rule
that is sure of itself tries nothing else. `freshqa.checking.fitted` does as well with fewer
decisions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import BeforeValidator, Field, PlainSerializer

from freshqa.checking.episode import MOVES, REWARDS, Episode, Rewards
from freshqa.checking.fitted import FEWEST_DECISIONS
from freshqa.checking.logistic import Floats
from freshqa.checking.policy import RULE, State
from freshqa.checking.policy_features import NAMES
from freshqa.checking.policy_gradient import Replay, softmax
from freshqa.checking.round import Move
from freshqa.errors import Refused
from freshqa.json_record import JsonRecord

_CLONING_STEPS = 300
_CLONING_RATE = 0.5
_DOUBTS = (0.5, 0.05)
"""How much of the rule's certainty the starts keep; the second has nearly none."""
_STEPS = 5
_RATE = 0.1
_MOMENTUM, _SCALE = 0.9, 0.99
_ENTROPY = 1.0
"""Worth of trying other moves at first; it falls to nothing over the passes."""
_DECAY = 1e-4


Rows = tuple[tuple[float, ...], ...]


def _named(rows: Rows) -> dict[str, dict[str, float]]:
    return {
        move.value: dict(zip(NAMES, row, strict=True))
        for move, row in zip(MOVES, rows, strict=True)
    }


def _rows_of(named: Mapping[str, Mapping[str, float]]) -> Rows:
    """Weights by move and feature; moves and features of later versions weigh nothing."""
    if not any(weights["bias"] for weights in named.values()):
        raise KeyError("bias")
    return tuple(
        tuple(named.get(move.value, {}).get(name, 0.0) for name in NAMES) for move in MOVES
    )


@dataclass(frozen=True)
class ReinforcePolicy(JsonRecord):
    """Takes the most probable move of a softmax over linear scores.

    Args:
        weights: One row of feature weights for each of `MOVES`.
        decisions: How many reviewed checks it was trained on.
    """

    weights: Annotated[Rows, BeforeValidator(_rows_of), PlainSerializer(_named)]
    decisions: int = 0
    name: Annotated[str, Field(serialization_alias="policy")] = "reinforce"
    feedback: Annotated[str, Field(exclude=True)] = ""

    def decide(self, state: State) -> Move:
        """See `freshqa.checking.policy.Policy.decide`."""
        return self.pick(state.features, state.open)

    def pick(self, features: Sequence[float], open_moves: frozenset[Move]) -> Move:
        """Return the most probable of the open moves."""
        mask = np.array([[move in open_moves for move in MOVES]])
        chances = softmax(np.array([features]) @ np.array(self.weights).T, mask)
        return MOVES[int(np.argmax(chances))]


def train_policy(
    episodes: Sequence[Episode],
    *,
    rewards: Rewards = REWARDS,
    passes: int = 100,
    warm: bool = True,
) -> ReinforcePolicy:
    """Train on reviewed checks by following the gradient of the expected reward.

    Args:
        episodes: One for each question, each reviewed.
        rewards: What moves are worth.
        passes: How often all episodes are replayed, a few steps each time.
        warm: Start from the rule; False is the cold start, for comparison.

    Raises:
        Refused: There are fewer than `FEWEST_DECISIONS` episodes.
    """
    if len(episodes) < FEWEST_DECISIONS:
        raise Refused(
            f"{len(episodes)} reviewed checks are too few to train a policy.",
            f"Review at least {FEWEST_DECISIONS}; until then use policy rule.",
        )
    replay = Replay(episodes, rewards)
    clone = _clone_rule(replay) if warm else np.zeros((len(MOVES), len(NAMES)))
    starts = [doubt * clone for doubt in (_DOUBTS if warm else (0.0,))]
    trained = [_climb(replay, start, _STEPS * passes) for start in starts]
    best = max(trained, key=replay.earned)
    rows = tuple(tuple(float(w) for w in row) for row in best)
    return ReinforcePolicy(rows, decisions=len(episodes))


def _climb(replay: Replay, start: Floats, steps: int) -> Floats:
    """Follow the gradient with Adam's steps (Kingma and Ba 2015)."""
    weights = start.copy()
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, steps + 1):
        entropy = _ENTROPY * max(0.0, 1.0 - 2.0 * step / steps)
        gradient = replay.gradient(weights, entropy) - _DECAY * weights
        first = _MOMENTUM * first + (1.0 - _MOMENTUM) * gradient
        second = _SCALE * second + (1.0 - _SCALE) * gradient**2
        mean, spread = first / (1.0 - _MOMENTUM**step), second / (1.0 - _SCALE**step)
        weights += _RATE * mean / (np.sqrt(spread) + 1e-8)
    return weights


def _clone_rule(replay: Replay) -> Floats:
    """Multinomial regression on what the rule would do in each state."""
    agrees, guarded = NAMES.index("agrees"), NAMES.index("guarded")
    wanted = []
    for row, mask in zip(replay.features, replay.open, strict=True):
        open_moves = frozenset(move for move, is_open in zip(MOVES, mask, strict=True) if is_open)
        wanted.append(MOVES.index(RULE.pick(bool(row[agrees]), bool(row[guarded]), open_moves)))
    targets = np.eye(len(MOVES))[wanted]
    weights = np.zeros((len(MOVES), len(NAMES)))
    for _ in range(_CLONING_STEPS):
        chances = softmax(replay.features @ weights.T, replay.open)
        weights += _CLONING_RATE * (targets - chances).T @ replay.features / len(targets)
    return weights
