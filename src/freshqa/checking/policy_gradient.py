"""The exact gradient of the expected reward of a softmax policy over logged episodes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from freshqa.checking.episode import MOVES, TERMINAL, Episode, Rewards
from freshqa.checking.logistic import Floats

Mask = NDArray[np.bool_]


class Replay:
    """All states of some episodes as arrays, so that they are replayed at once.

    Attributes:
        features: One row a state.
        open: Which of `MOVES` are open in each.
    """

    def __init__(self, episodes: Sequence[Episode], rewards: Rewards) -> None:
        starts: list[int] = []
        rows: list[tuple[Episode, int]] = []
        for episode in episodes:
            starts.append(len(rows))
            rows += [(episode, index) for index in range(len(episode.rounds))]
        self.features: Floats = np.array([episode.rounds[index] for episode, index in rows])
        self.open: Mask = np.array(
            [[move in episode.open(index) for move in MOVES] for episode, index in rows]
        )
        self._starts = np.array(starts)
        self._gain = np.zeros(self.open.shape)
        self._next = np.full(self.open.shape, -1)
        for state, (episode, index) in enumerate(rows):
            for move in episode.open(index):
                column = MOVES.index(move)
                if move in TERMINAL:
                    self._gain[state, column] = episode.reward(index, move, rewards)
                else:
                    self._gain[state, column] = -rewards.cost(move)
                    self._next[state, column] = state - index + episode.leads(index)[move]
        depths = np.array([index for _, index in rows])
        # A move leads to a later state of its episode, so depths are worked off one by one.
        self._levels = [np.flatnonzero(depths == depth) for depth in range(depths.max() + 1)]

    def earned(self, weights: Floats) -> float:
        """Mean reward of an episode when the most probable move is taken."""
        scores = np.where(self.open, self.features @ weights.T, -np.inf)
        greedy = np.eye(len(MOVES))[scores.argmax(axis=1)]
        return float(self._values(greedy)[1][self._starts].mean())

    def gradient(self, weights: Floats, entropy: float = 0.0) -> Floats:
        """Gradient of the mean reward of an episode, and of the policy's entropy in its states.

        Args:
            weights: One row of feature weights for each move.
            entropy: Worth of the entropy.
        """
        chances = softmax(self.features @ weights.T, self.open)
        worth, values = self._values(chances)
        visits = self._visits(chances)
        towards = visits[:, None] * chances * (worth - values[:, None])
        if entropy:
            surprise = -np.log(np.maximum(chances, 1e-12))
            mean = (chances * surprise).sum(axis=1, keepdims=True)
            towards += entropy * chances * (surprise - mean)
        towards[~self.open] = 0.0
        return np.asarray(towards.T @ self.features / len(self._starts), dtype=np.float64)

    def _values(self, chances: Floats) -> tuple[Floats, Floats]:
        """Return what each move and each state are worth under these chances."""
        worth, values = self._gain.copy(), np.zeros(len(chances))
        for level in reversed(self._levels):
            following = self._next[level]
            worth[level] += np.where(following >= 0, values[following], 0.0)
            values[level] = (chances[level] * worth[level]).sum(axis=1)
        return worth, values

    def _visits(self, chances: Floats) -> Floats:
        """Probability that each state is reached."""
        visits = np.zeros(len(chances))
        visits[self._starts] = 1.0
        for level in self._levels:
            following, flow = self._next[level], visits[level, None] * chances[level]
            np.add.at(visits, following[following >= 0], flow[following >= 0])
        return visits


def softmax(scores: Floats, open_moves: Mask) -> Floats:
    """Chances of the open moves, row by row; closed moves have none."""
    masked = np.where(open_moves, scores, -np.inf)
    chances = np.exp(masked - masked.max(axis=1, keepdims=True))
    return np.asarray(chances / chances.sum(axis=1, keepdims=True), dtype=np.float64)
