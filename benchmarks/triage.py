"""How well risk ranks stale answers, without a model, on real transitions and recorded searches.

    python benchmarks/triage.py            measure, cross-validated by question
    python benchmarks/triage.py --write    fit on everything and write src/freshqa/checking/risk.json

`review share` is the share of rows that a person reads, riskiest first, until that part of the real
changes is found. Rows of one question never stand on both sides of a split.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from checking_data import SEARCHED_ON, WINDOWS, Case, Transition, cases, transitions

from freshqa.checking.history import ChangeHistory
from freshqa.checking.logistic import Floats, area_under_curve, fit_logistic, predict
from freshqa.checking.risk_features import (
    PRIOR_FEATURES,
    SUPPORT_FEATURES,
    prior_features,
    support_features,
)

WEIGHTS = Path(__file__).parent.parent / "src" / "freshqa" / "checking" / "risk.json"
FOLDS, REPEATS, PENALTY = 5, 10, 1.0


def prior_matrix(steps: list[Transition]) -> Floats:
    rows = []
    for step in steps:
        history = ChangeHistory(0, 0.0, last_checked=step.from_day)
        features = prior_features(step.question, as_of=step.to_day, history=history)
        rows.append([1.0, *(features[name] for name in PRIOR_FEATURES)])
    return np.array(rows)


def case_prior(case: Case, weights: Floats) -> float:
    from datetime import date

    history = ChangeHistory(0, 0.0, last_checked=date.fromisoformat(case.window))
    features = prior_features(case.question, as_of=SEARCHED_ON, history=history)
    return float(np.dot([1.0, *(features[name] for name in PRIOR_FEATURES)], weights))


def evidence_matrix(rows: list[Case], weights: Floats) -> Floats:
    matrix = []
    for case in rows:
        features = {
            "prior": case_prior(case, weights),
            **support_features(case.question, case.evidence),
        }
        matrix.append([1.0, *(features[name] for name in SUPPORT_FEATURES)])
    return np.array(matrix)


def cross_validated(features: Floats, outcomes: Floats, groups: list[str]) -> Floats:
    """Mean out-of-fold probability of each row over repeated splits by question."""
    random = np.random.default_rng(0)
    names = sorted(set(groups))
    total = np.zeros(len(outcomes))
    for _ in range(REPEATS):
        fold_of = dict(zip(names, random.permutation(len(names)) % FOLDS, strict=True))
        folds = np.array([fold_of[group] for group in groups])
        for fold in range(FOLDS):
            held = folds == fold
            beta = fit_logistic(features[~held], outcomes[~held], penalty=PENALTY)
            total[held] += predict(features[held], beta)
    return total / REPEATS


def review_share(scores: Floats, outcomes: Floats, part: float) -> float:
    order = np.argsort(-scores, kind="stable")
    found = np.cumsum(outcomes[order]) / outcomes.sum()
    return float(np.argmax(found >= part) + 1) / len(outcomes)


def line(name: str, scores: Floats, outcomes: Floats) -> str:
    shares = " ".join(f"{review_share(scores, outcomes, p):.3f}" for p in (0.8, 0.9, 0.95, 1.0))
    loss = -np.mean(outcomes * np.log(scores) + (1 - outcomes) * np.log(1 - scores))
    auc = area_under_curve(scores, outcomes)
    count = f"{len(outcomes):5d} {int(outcomes.sum()):4d}"
    return f"{name:44s} {count}  {auc:.3f}  {loss:.4f}  {shares}"


def main() -> None:
    steps, rows = transitions(), cases()
    changed = np.array([float(step.changed) for step in steps])
    prior = prior_matrix(steps)
    prior_weights = fit_logistic(prior, changed, penalty=PENALTY)
    outcomes = np.array([float(case.changed) for case in rows])
    evidence = evidence_matrix(rows, prior_weights)
    weights = fit_logistic(evidence, outcomes, penalty=PENALTY)

    print(f"{'':44s}     n  chg    AUC  logloss  review share for 80 / 90 / 95 / 100 %")
    scores = cross_validated(prior, changed, [step.lineage for step in steps])
    print(line("prior, all pairs of releases", scores, changed))
    with_search = cross_validated(evidence, outcomes, [case.lineage for case in rows])
    valid = np.array([not case.question.false_premise for case in rows])
    for window in WINDOWS:
        here = np.array([case.window == window for case in rows])
        alone = 1 / (1 + np.exp(-evidence[:, 1]))
        print(line(f"prior    {window} -> 2024-03-11", alone[here], outcomes[here]))
        print(line(f"evidence {window} -> 2024-03-11", with_search[here], outcomes[here]))
        both = here & valid
        print(line(f"evidence {window}, valid premise", with_search[both], outcomes[both]))
    for low, high in zip((0, 0.02, 0.1, 0.3, 0.6), (0.02, 0.1, 0.3, 0.6, 1), strict=True):
        here = (with_search >= low) & (with_search < high)
        said, was = with_search[here].mean(), outcomes[here].mean()
        print(f"risk {low:.2f}-{high:.2f}: {here.sum():4d} rows, said {said:.3f}, was {was:.3f}")
    for name, names, fitted in (
        ("prior", PRIOR_FEATURES, prior_weights),
        ("evidence", SUPPORT_FEATURES, weights),
    ):
        print(name, dict(zip(("bias", *names), fitted.round(3).tolist(), strict=True)))
    if "--write" in sys.argv:
        write(prior_weights, weights, len(steps), len(rows))


def write(prior: Floats, evidence: Floats, steps: int, rows: int) -> None:
    record = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    record |= {
        "origin": (
            f"benchmarks/triage.py --write: prior on {steps} pairs of consecutive releases "
            f"2023-11-13 to 2024-04-08; evidence on {rows} rows of three windows to 2024-03-11 "
            "with Google results of 2024-03-13"
        ),
        "models": {
            **record["models"],
            "prior": dict(zip(("bias", *PRIOR_FEATURES), prior.round(4).tolist(), strict=True)),
            "evidence": record["models"]["evidence"]
            | dict(zip(("bias", *SUPPORT_FEATURES), evidence.round(4).tolist(), strict=True)),
        },
    }
    WEIGHTS.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    print(f"wrote {WEIGHTS.name}")


if __name__ == "__main__":
    main()
