"""Logistic and ridge regression, for triage and policies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_STEPS = 50
_ENOUGH = 1e-8


def fit_logistic(
    features: Floats, outcomes: Floats, *, penalty: float = 1.0, weights: Floats | None = None
) -> Floats:
    """Maximum-likelihood weights with a ridge penalty, by Newton's method.

    Args:
        features: One row an example, first column 1 for the bias (which is not penalised).
        outcomes: 0 or 1 for each example.
        penalty: Strength of the ridge; above 0, so that separable data have a solution.
        weights: Weight of each example; 1 when left out.
    """
    count, width = features.shape
    importance = np.ones(count) if weights is None else weights
    ridge = np.full(width, penalty)
    ridge[0] = 1e-6
    beta = np.zeros(width)
    for _ in range(_STEPS):
        p = predict(features, beta)
        gradient = features.T @ (importance * (p - outcomes)) + ridge * beta
        curvature = (features * (importance * p * (1 - p))[:, None]).T @ features + np.diag(ridge)
        step = np.linalg.solve(curvature, gradient)
        largest = float(np.abs(step).max())
        beta = beta - step * min(1.0, 5.0 / max(largest, 1e-12))
        if largest < _ENOUGH:
            break
    return beta


def predict(features: Floats, beta: Floats) -> Floats:
    """Probabilities under fitted weights."""
    score = np.clip(features @ beta, -30.0, 30.0)
    return np.asarray(1.0 / (1.0 + np.exp(-score)), dtype=np.float64)


def fit_ridge(features: Floats, targets: Floats, *, penalty: float = 1.0) -> Floats:
    """Least-squares weights with a ridge penalty on all but the first column."""
    ridge = np.full(features.shape[1], penalty)
    ridge[0] = 1e-6
    normal = features.T @ features + np.diag(ridge)
    return np.asarray(np.linalg.solve(normal, features.T @ targets), dtype=np.float64)


def area_under_curve(scores: Floats, outcomes: Floats) -> float:
    """Probability that a positive is ranked above a negative; ties count half.

    Returns `nan` when one of the two classes is empty: there is nothing to rank.
    """
    positives, negatives = scores[outcomes == 1], scores[outcomes == 0]
    if not len(positives) or not len(negatives):
        return float("nan")
    above = (positives[:, None] > negatives[None, :]).sum()
    ties = (positives[:, None] == negatives[None, :]).sum()
    return float((above + 0.5 * ties) / (len(positives) * len(negatives)))
