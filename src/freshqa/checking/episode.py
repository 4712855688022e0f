"""Logged checks as what a policy learns from: once a person has decided, every move has a reward."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from freshqa.checking.facts import Relation, relation
from freshqa.checking.policy_features import NAMES
from freshqa.checking.round import Move


@dataclass(frozen=True)
class Rewards:
    """What a right and a wrong move are worth, in units of one right automatic decision.

    Args:
        right: A right keep or proposal.
        wrong: Cost of a wrong one.
        person: Cost of a person's minutes, off what a right decision is worth.
        round: Cost of one more round.
    """

    right: float = 1.0
    wrong: float = 4.0
    person: float = 0.35
    round: float = 0.01


REWARDS = Rewards()
"""The defaults: a wrong change costs four right ones, a person a third of one."""


@dataclass(frozen=True)
class Episode:
    """One checked question, its rounds, and what turned out to be true.

    Args:
        rounds: Features of each round, by `policy_features.NAMES`.
        stored_right: Whether the stored answer was right.
        proposed_right: For each round, whether its answer was right; None when it gave none.
    """

    rounds: tuple[tuple[float, ...], ...]
    stored_right: bool
    proposed_right: tuple[bool | None, ...]

    def reward(self, index: int, move: Move, rewards: Rewards) -> float:
        """What a terminal move after round `index` (from 0) would have been worth."""
        if move is Move.escalate:
            return rewards.right - rewards.person
        right = self.stored_right if move is Move.keep else bool(self.proposed_right[index])
        return rewards.right if right else -rewards.wrong


def episode(
    rounds: Sequence[Mapping[str, Any]], *, stored_right: bool, right_answers: Sequence[str] = ()
) -> Episode | None:
    """The episode of a check in the ledger and of the decision on it.

    Args:
        rounds: `CheckedQuestion.rounds`.
        stored_right: Whether the person kept the stored answer.
        right_answers: The answers in force after the decision.

    Returns:
        None when the rounds were logged by a version with other features.
    """
    features = tuple(tuple(one.get("features", ())) for one in rounds)
    if not features or any(len(row) != len(NAMES) for row in features):
        return None

    def right(answer: str) -> bool | None:
        if not answer:
            return None
        return any(relation(answer, good) is Relation.same for good in right_answers)

    return Episode(features, stored_right, tuple(right(one.get("answer", "")) for one in rounds))
