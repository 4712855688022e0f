"""Fitted expected utility: the default learned policy.

Once a check has been reviewed, the reward of *every* terminal move is known, so two logistic models
(is the stored answer right? is the proposed one?) use all of it, and ridge regression says what one
more round is worth. Policy gradient throws that away and needs far more decisions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freshqa.checking.episode import REWARDS, Episode, Rewards
from freshqa.checking.logistic import Floats, fit_logistic, fit_ridge, predict
from freshqa.checking.policy import EvidenceUse
from freshqa.checking.policy_features import NAMES
from freshqa.checking.round import Move, Round
from freshqa.errors import Refused

FEWEST_DECISIONS = 80
_PENALTY = 1.0


@dataclass(frozen=True)
class FittedPolicy:
    """Takes the move of highest expected utility.

    Args:
        stored: Weights of "the stored answer is right".
        proposed: Weights of "the proposed answer is right".
        further: Weights of the value of one more round.
        rewards: What moves are worth.
        decisions: How many reviewed checks it was fitted on.
    """

    stored: tuple[float, ...]
    proposed: tuple[float, ...]
    further: tuple[float, ...]
    rewards: Rewards = REWARDS
    decisions: int = 0
    name: str = "fitted"
    evidence: EvidenceUse = EvidenceUse.always
    feedback: str = ""

    def decide(self, one: Round, *, may_revise: bool) -> Move:
        """See `freshqa.checking.policy.Policy.decide`."""
        return self.choose(one.features, may_revise=may_revise, has_answer=bool(one.answer))

    def choose(self, features: Sequence[float], *, may_revise: bool, has_answer: bool) -> Move:
        """The move of highest expected utility for these features."""
        row = np.array([features])
        gain = self.rewards.right + self.rewards.wrong
        values = {
            Move.escalate: self.rewards.right - self.rewards.person,
            Move.keep: float(predict(row, np.array(self.stored))[0]) * gain - self.rewards.wrong,
        }
        if has_answer:
            right = float(predict(row, np.array(self.proposed))[0])
            values[Move.propose] = right * gain - self.rewards.wrong
        if may_revise:
            values[Move.revise] = float((row @ np.array(self.further))[0]) - self.rewards.round
        return max(values, key=lambda move: values[move])

    def to_json(self) -> Mapping[str, Any]:
        """A JSON object with named weights; `from_json` reads it back."""
        return {
            "policy": self.name,
            "decisions": self.decisions,
            "rewards": vars(self.rewards),
            **{part: dict(zip(NAMES, getattr(self, part), strict=True)) for part in _PARTS},
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> FittedPolicy:
        """The policy that `to_json` wrote."""
        stored, proposed, further = (tuple(record[part][name] for name in NAMES) for part in _PARTS)
        rewards = Rewards(**record["rewards"])
        return cls(stored, proposed, further, rewards, record["decisions"])


_PARTS = ("stored", "proposed", "further")


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
            f"{len(episodes)} reviewed checks are too few to fit a policy",
            f"Review at least {FEWEST_DECISIONS}; until then use policy rule.",
        )
    rows = np.array([row for one in episodes for row in one.rounds])
    stored = np.array([float(one.stored_right) for one in episodes for _ in one.rounds])
    weights = _weights(stored, stale_share)
    keep = fit_logistic(rows, stored, penalty=_PENALTY, weights=weights)
    known = np.array([right is not None for one in episodes for right in one.proposed_right])
    right = np.array([float(bool(right)) for one in episodes for right in one.proposed_right])
    propose = _fit_known(rows, right, known, weights)
    further = _fit_further(episodes, keep, propose, rewards)
    return FittedPolicy(
        stored=tuple(keep.tolist()),
        proposed=tuple(propose.tolist()),
        further=tuple(further.tolist()),
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
) -> Floats:
    """Regress, backward over rounds, the best expected utility of the next round."""
    width = len(keep)
    further = np.zeros(width)
    further[0] = rewards.right - rewards.person - 1.0  # without any second round: never worth it
    gain = rewards.right + rewards.wrong
    for depth in range(max(len(one.rounds) for one in episodes) - 1, 0, -1):
        longer = [one for one in episodes if len(one.rounds) > depth]
        here = np.array([one.rounds[depth - 1] for one in longer])
        there = np.array([one.rounds[depth] for one in longer])
        has = np.array([one.proposed_right[depth] is not None for one in longer])
        ask = np.full(len(longer), rewards.right - rewards.person)
        stop = predict(there, keep) * gain - rewards.wrong
        offer = np.where(has, predict(there, propose) * gain - rewards.wrong, -np.inf)
        last = np.array([len(one.rounds) == depth + 1 for one in longer])
        onward = np.where(last, -np.inf, there @ further - rewards.round)
        value = np.maximum.reduce([ask, stop, offer, onward])
        further = fit_ridge(here, value, penalty=_PENALTY)
    return further
