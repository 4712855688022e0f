"""Fitted expected utility: the default learned policy.

Once a check has been reviewed, the reward of *every* terminal move is known, so two logistic models
(is the stored answer right? is the proposed one?) use all of it, and ridge regression says what each
acquiring move (search, search again, answer, revise) is worth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, Field, PlainSerializer

from freshqa.checking.episode import ACQUIRING, REWARDS, Episode, Rewards
from freshqa.checking.logistic import Floats, fit_logistic, fit_ridge, predict
from freshqa.checking.policy import FIRST, State
from freshqa.checking.policy_features import LATER, NAMES
from freshqa.checking.round import Move
from freshqa.errors import Refused
from freshqa.json_record import JsonRecord

FEWEST_DECISIONS = 80
_PENALTY = 1.0


def _named(weights: Sequence[float]) -> dict[str, float]:
    return dict(zip(NAMES, weights, strict=True))


def _weights_of(named: Mapping[str, float]) -> tuple[float, ...]:
    """Weights by name; features of later versions weigh nothing, earlier ones must be there."""
    earlier = NAMES[: len(NAMES) - LATER]
    return (
        *(named[name] for name in earlier),
        *(named.get(name, 0.0) for name in NAMES[len(earlier) :]),
    )


def _by_move(further: Mapping[str, Any]) -> Mapping[str, Any]:
    """Files of earlier releases contain the weights of one move, without its name."""
    return {Move.revise.value: further} if "bias" in further else further


Weights = Annotated[tuple[float, ...], BeforeValidator(_weights_of), PlainSerializer(_named)]
"""One weight for each feature, named in JSON."""


@dataclass(frozen=True)
class FittedPolicy(JsonRecord):
    """Takes the move of highest expected utility.

    Args:
        stored: Weights of "the stored answer is right".
        proposed: Weights of "the proposed answer is right".
        further: For each acquiring move, weights of the value of the state that it leads to.
        rewards: What moves are worth.
        decisions: How many reviewed checks it was fitted on.
    """

    stored: Weights
    proposed: Weights
    further: Annotated[Mapping[Move, Weights], BeforeValidator(_by_move)]
    rewards: Rewards = REWARDS
    decisions: int = 0
    name: Annotated[str, Field(serialization_alias="policy")] = "fitted"
    feedback: Annotated[str, Field(exclude=True)] = ""

    def decide(self, state: State) -> Move:
        """See `freshqa.checking.policy.Policy.decide`."""
        return self.pick(state.features, state.open)

    def pick(self, features: Sequence[float], open_moves: frozenset[Move]) -> Move:
        """Return the open move of highest expected utility.

        An acquiring move that no reviewed check took has no known value and is taken only before
        the first answer: pages are read then, and the others where nothing else but a person is open.
        """
        if {Move.read, Move.answer} <= open_moves and Move.read not in self.further:
            return Move.read
        if Move.answer in open_moves and Move.answer not in self.further:
            open_moves -= {Move.keep}  # the value of an answer in that state is unknown
        row = np.array([features])
        gain = self.rewards.right + self.rewards.wrong
        values = {Move.escalate: self.rewards.right - self.rewards.person}
        for move, weights in ((Move.keep, self.stored), (Move.propose, self.proposed)):
            if move in open_moves:
                right = float(predict(row, np.array(weights))[0])
                values[move] = right * gain - self.rewards.wrong
        for move in ACQUIRING:
            if move in open_moves and move in self.further:
                value = float((row @ np.array(self.further[move]))[0])
                values[move] = value - self.rewards.cost(move)
        if Move.keep not in open_moves and len(values) == 1:
            return next((move for move in FIRST if move in open_moves), Move.escalate)
        return max(values, key=lambda move: values[move])


def fit_policy(
    episodes: Sequence[Episode],
    *,
    rewards: Rewards = REWARDS,
    stale_share: float | None = None,
) -> FittedPolicy:
    """Fit the policy on reviewed checks.

    Args:
        episodes: One for each question, each reviewed.
        rewards: What moves are worth.
        stale_share: Share of stale answers where the policy will be used, when the reviewed ones
            are not a fair sample of it; examples are weighted to match.

    Raises:
        Refused: There are fewer than `FEWEST_DECISIONS` episodes.
    """
    if len(episodes) < FEWEST_DECISIONS:
        raise Refused(
            f"{len(episodes)} reviewed checks are too few to fit a policy.",
            f"Review at least {FEWEST_DECISIONS}; until then use policy rule.",
        )
    rows = np.array([row for episode in episodes for row in episode.rounds])
    stored = np.array([float(episode.stored_right) for episode in episodes for _ in episode.rounds])
    weights = _weights(stored, stale_share)
    keep = fit_logistic(rows, stored, penalty=_PENALTY, weights=weights)
    known = np.array(
        [right is not None for episode in episodes for right in episode.proposed_right]
    )
    right = np.array(
        [float(bool(right)) for episode in episodes for right in episode.proposed_right]
    )
    propose = _fit_known(rows, right, known, weights)
    further = _fit_further(episodes, keep, propose, rewards)
    return FittedPolicy(
        stored=tuple(keep.tolist()),
        proposed=tuple(propose.tolist()),
        further={move: tuple(weights.tolist()) for move, weights in further.items()},
        rewards=rewards,
        decisions=len(episodes),
    )


def _weights(stored: Floats, stale_share: float | None) -> Floats:
    if stale_share is None:
        return np.ones(len(stored))
    seen = 1.0 - float(stored.mean())
    if seen in (0.0, 1.0):
        return np.ones(len(stored))
    return np.where(stored == 0.0, stale_share / seen, (1.0 - stale_share) / (1.0 - seen))


def _fit_known(rows: Floats, right: Floats, known: NDArray[np.bool_], weights: Floats) -> Floats:
    """Weights of "the proposal is right"; without any proposal, weights that never propose."""
    if not known.any():
        never = np.zeros(rows.shape[1])
        never[0] = -10.0
        return never
    return fit_logistic(rows[known], right[known], penalty=_PENALTY, weights=weights[known])


def _fit_further(
    episodes: Sequence[Episode], keep: Floats, propose: Floats, rewards: Rewards
) -> dict[Move, Floats]:
    """Regress, backward over states, the best expected utility of the state that a move leads to.

    Value iteration on the logged states: a later state's own further moves count with the values
    fitted so far, until a sweep over the depth of the episodes has reached the first state.
    """
    steps = [
        (episode, index, move, target)
        for episode in episodes
        for index in range(len(episode.rounds))
        for move, target in episode.leads(index).items()
    ]
    further: dict[Move, Floats] = {}
    gain = rewards.right + rewards.wrong
    for _ in range(max((len(episode.rounds) for episode in episodes), default=1) - 1):
        fitted: dict[Move, Floats] = {}
        for move in {step[2] for step in steps}:
            here, values = [], []
            for episode, index, taken, target in steps:
                if taken is not move:
                    continue
                there = np.array([episode.rounds[target]])
                moves = episode.open(target)
                worth = [rewards.right - rewards.person]
                for end, weights in ((Move.keep, keep), (Move.propose, propose)):
                    if end in moves:
                        worth.append(float(predict(there, weights)[0]) * gain - rewards.wrong)
                for onward in episode.leads(target):
                    if onward in further:
                        worth.append(float((there @ further[onward])[0]) - rewards.cost(onward))
                here.append(episode.rounds[index])
                values.append(max(worth))
            fitted[move] = fit_ridge(np.array(here), np.array(values), penalty=_PENALTY)
        further = fitted
    return further


def after_round(may_revise: bool, has_answer: bool) -> frozenset[Move]:
    """Return the moves that are open after a round, without further searches."""
    return frozenset(
        (
            Move.keep,
            Move.escalate,
            *((Move.propose,) if has_answer else ()),
            *((Move.revise,) if may_revise else ()),
        )
    )
