"""Logged checks as training episodes: after a decision, every move has a reward."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from freshqa.checking.policy_features import LATER, NAMES
from freshqa.checking.round import Move
from freshqa.facts.same_fact import Relation, relation

TERMINAL = (Move.keep, Move.propose, Move.escalate)
ACQUIRING = (Move.search, Move.read, Move.search_again, Move.answer, Move.revise)
MOVES = (*TERMINAL, *ACQUIRING)
_UNANSWERED = NAMES.index("unanswered")


@dataclass(frozen=True)
class Rewards:
    """The value of right and wrong moves, in units of one right automatic decision.

    Args:
        right: A right keep or proposal.
        wrong: Cost of a wrong one.
        person: Cost of a person's time, relative to a right decision.
        round: Cost of one more answer.
        search: Cost of a search, or of reading the pages behind one.
    """

    right: float = 1.0
    wrong: float = 4.0
    person: float = 0.35
    round: float = 0.01
    search: float = 0.01

    def cost(self, move: Move) -> float:
        """Cost of a move that ends nothing."""
        searches = move in (Move.search, Move.read, Move.search_again)
        answers = move in (Move.search_again, Move.answer, Move.revise)
        return searches * self.search + answers * self.round


REWARDS = Rewards()
"""The defaults: a wrong change costs four right ones, a person a third of one."""


@dataclass(frozen=True)
class Episode:
    """One checked question, its states, and what turned out to be true.

    Args:
        rounds: Features of each state, by `policy_features.NAMES`: of the states before the first
            answer, where they were logged, and of every round.
        stored_right: Whether the stored answer was right.
        proposed_right: For each state, whether its answer was right; None when there was none.
        following: For each state, the state that each acquiring move led to (a later one). Left
            out: every state is a round, and `revise` leads to the next.
    """

    rounds: tuple[tuple[float, ...], ...]
    stored_right: bool
    proposed_right: tuple[bool | None, ...]
    following: tuple[Mapping[Move, int], ...] = ()

    def leads(self, index: int) -> Mapping[Move, int]:
        """Return the states that acquiring moves lead to from a state."""
        if self.following:
            return self.following[index]
        return {Move.revise: index + 1} if index + 1 < len(self.rounds) else {}

    def open(self, index: int) -> frozenset[Move]:
        """Return the moves whose consequences are known in a state."""
        moves = {Move.escalate, *self.leads(index)}
        if not self.rounds[index][_UNANSWERED]:
            moves.add(Move.keep)
        if self.proposed_right[index] is not None:
            moves.add(Move.propose)
        return frozenset(moves)

    def reward(self, index: int, move: Move, rewards: Rewards) -> float:
        """Return what a terminal move in state `index` (from 0) would have been worth."""
        if move is Move.escalate:
            return rewards.right - rewards.person
        right = self.stored_right if move is Move.keep else bool(self.proposed_right[index])
        return rewards.right if right else -rewards.wrong


def episode(
    rounds: Sequence[Mapping[str, Any]], *, stored_right: bool, right_answers: Sequence[str] = ()
) -> Episode | None:
    """Return the episode of a check in the ledger and of the decision on it.

    Args:
        rounds: `CheckedQuestion.rounds`.
        stored_right: Whether the person kept the stored answer.
        right_answers: The answers in force after the decision.

    Returns:
        None when the rounds were logged by a version with other features.
    """

    def right(answer: str) -> bool | None:
        if not answer:
            return None
        return any(relation(answer, good) is Relation.same for good in right_answers)

    steps = [step for entry in rounds for step in _steps(entry)]
    features = tuple(_padded(step.get("features", ())) for step in steps)
    if not features or any(len(row) != len(NAMES) for row in features):
        return None
    return Episode(
        features,
        stored_right,
        tuple(right(step.get("answer", "")) for step in steps),
        tuple(_led(step.get("move"), index, len(steps)) for index, step in enumerate(steps)),
    )


def _steps(entry: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """Return the acquisitions before a round, then the round."""
    return (*entry.get("acquired", ()), entry)


def _padded(features: Sequence[float]) -> tuple[float, ...]:
    """Features of earlier versions: their rounds were searched and answered."""
    missing = len(NAMES) - len(features)
    return (*features, *(0.0 for _ in range(missing))) if missing == LATER else tuple(features)


def _led(move: str | None, index: int, count: int) -> Mapping[Move, int]:
    """Return the state that the logged move led to; a move that was not logged asked again."""
    if index + 1 == count:
        return {}
    known = {acquiring.value: acquiring for acquiring in ACQUIRING}
    return {known.get(move or "", Move.revise): index + 1}
