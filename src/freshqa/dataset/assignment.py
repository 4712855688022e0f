"""The best one-to-one pairing of two sides, by the sum over all pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping

Pair = tuple[int, int]
EXACT = 150
"""Side of the largest cluster that is solved exactly; cubic time. Greedy beyond."""


def assign(scores: Mapping[Pair, float]) -> list[Pair]:
    """Pairs (left, right) with the largest sum of scores, each index at most once.

    Args:
        scores: Positive score of every pair that is allowed.
    """
    return sorted(pair for cluster in _clusters(scores) for pair in _solve(cluster))


def _clusters(scores: Mapping[Pair, float]) -> list[dict[Pair, float]]:
    """Pairs that compete with each other, directly or through others."""
    leader: dict[tuple[str, int], tuple[str, int]] = {}

    def find(node: tuple[str, int]) -> tuple[str, int]:
        while leader.setdefault(node, node) != node:
            leader[node] = leader[leader[node]]
            node = leader[node]
        return node

    for left, right in scores:
        leader[find(("left", left))] = find(("right", right))
    clusters: dict[tuple[str, int], dict[Pair, float]] = {}
    for pair, score in scores.items():
        clusters.setdefault(find(("left", pair[0])), {})[pair] = score
    return list(clusters.values())


def _solve(scores: Mapping[Pair, float]) -> list[Pair]:
    lefts = sorted({left for left, _ in scores})
    rights = sorted({right for _, right in scores})
    if max(len(lefts), len(rights)) > EXACT:
        return _greedy(scores)
    if len(lefts) > len(rights):
        flipped = {(right, left): score for (left, right), score in scores.items()}
        return [(left, right) for right, left in _solve(flipped)]
    costs = [[-scores.get((left, right), 0.0) for right in rights] for left in lefts]
    pairs = [(lefts[row], rights[column]) for row, column in enumerate(_hungarian(costs))]
    return [pair for pair in pairs if pair in scores]


def _greedy(scores: Mapping[Pair, float]) -> list[Pair]:
    taken: set[tuple[str, int]] = set()
    pairs = []
    for (left, right), _ in sorted(scores.items(), key=lambda item: (-item[1], item[0])):
        if ("left", left) not in taken and ("right", right) not in taken:
            taken |= {("left", left), ("right", right)}
            pairs.append((left, right))
    return pairs


def _hungarian(costs: list[list[float]]) -> list[int]:
    """Column of each row at the least total cost (Kuhn and Munkres, with potentials).

    There must be at least as many columns as rows.
    """
    rows, columns = len(costs), len(costs[0])
    row_potential = [0.0] * (rows + 1)
    column_potential = [0.0] * (columns + 1)
    owner = [0] * (columns + 1)  # row of each column, from 1; 0 is free
    for row in range(1, rows + 1):
        owner[0] = row
        slack = [math.inf] * (columns + 1)
        came_from = [0] * (columns + 1)
        visited = [False] * (columns + 1)
        at = 0
        while owner[at]:
            visited[at] = True
            current, delta, nearest = owner[at], math.inf, 0
            for column in (c for c in range(1, columns + 1) if not visited[c]):
                reduced = costs[current - 1][column - 1] - row_potential[current]
                reduced -= column_potential[column]
                if reduced < slack[column]:
                    slack[column], came_from[column] = reduced, at
                if slack[column] < delta:
                    delta, nearest = slack[column], column
            for column in range(columns + 1):
                if visited[column]:
                    row_potential[owner[column]] += delta
                    column_potential[column] -= delta
                else:
                    slack[column] -= delta
            at = nearest
        while at:
            owner[at], at = owner[came_from[at]], came_from[at]
    column_of = [0] * rows
    for column in range(1, columns + 1):
        if owner[column]:
            column_of[owner[column] - 1] = column - 1
    return column_of
