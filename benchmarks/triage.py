"""How well risk ranks stale answers, without a model, on real transitions and recorded searches.

    python benchmarks/triage.py            measure, cross-validated by question
    python benchmarks/triage.py --write    fit on everything and write src/freshqa/checking/risk.json

`review share` is the share of rows that a person reads, riskiest first, until that part of the real
changes is found. Rows of one question are never on both sides of a split.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
from checking_data import SEARCHED_ON, WINDOWS, Case, Transition, cases, transitions
from numpy.typing import NDArray

from freshqa.checking.change_rate import ChangeHistory
from freshqa.checking.logistic import Floats, area_under_curve, fit_logistic, predict
from freshqa.checking.risk_features import (
    PRIOR_FEATURES,
    SUPPORT_FEATURES,
    prior_features,
    support_features,
)
from freshqa.dataset.question import Question

WEIGHTS = Path(__file__).parent.parent / "src" / "freshqa" / "checking" / "risk.json"
FOLDS, REPEATS, PENALTY = 5, 10, 1.0


@dataclass(frozen=True)
class Data:
    """Features and outcomes of both models; the evidence model takes the prior's score as one more."""

    prior: Floats
    changed: Floats
    prior_groups: list[str]
    case_prior: Floats
    case_support: Floats
    outcomes: Floats
    case_groups: list[str]


def collect(steps: list[Transition], rows: list[Case]) -> Data:
    return Data(
        prior=np.array([_prior(s.question, s.from_day, s.to_day) for s in steps]),
        changed=np.array([float(step.changed) for step in steps]),
        prior_groups=[step.lineage for step in steps],
        case_prior=np.array(
            [_prior(c.question, date.fromisoformat(c.window), SEARCHED_ON) for c in rows]
        ),
        case_support=np.array([_support(case) for case in rows]),
        outcomes=np.array([float(case.changed) for case in rows]),
        case_groups=[case.lineage for case in rows],
    )


def _prior(question: Question, since: date, as_of: date) -> list[float]:
    history = ChangeHistory(0, 0.0, last_checked=since)
    features = prior_features(question, as_of=as_of, history=history)
    return [1.0, *(features[name] for name in PRIOR_FEATURES)]


def _support(case: Case) -> list[float]:
    features = support_features(case.question, case.evidence)
    return [features[name] for name in SUPPORT_FEATURES if name != "prior"]


def evidence_matrix(data: Data, weights: Floats) -> Floats:
    scores = data.case_prior @ weights
    return np.column_stack([np.ones(len(scores)), scores, data.case_support])


def fit(data: Data, keep: NDArray[np.bool_], keep_case: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    prior = fit_logistic(data.prior[keep], data.changed[keep], penalty=PENALTY)
    features = evidence_matrix(data, prior)[keep_case]
    return prior, fit_logistic(features, data.outcomes[keep_case], penalty=PENALTY)


def cross_validated(data: Data) -> tuple[Floats, Floats, Floats]:
    """Mean out-of-fold probabilities: prior on pairs, prior on cases, evidence on cases."""
    random = np.random.default_rng(0)
    names = sorted({*data.prior_groups, *data.case_groups})
    sizes = (len(data.changed), len(data.outcomes), len(data.outcomes))
    on_pairs, on_cases, with_search = (np.zeros(size) for size in sizes)
    for _ in range(REPEATS):
        fold_of = dict(zip(names, random.permutation(len(names)) % FOLDS, strict=True))
        folds = np.array([fold_of[group] for group in data.prior_groups])
        case_folds = np.array([fold_of[group] for group in data.case_groups])
        for fold in range(FOLDS):
            here, case_here = folds == fold, case_folds == fold
            prior, evidence = fit(data, ~here, ~case_here)
            on_pairs[here] += predict(data.prior[here], prior)
            on_cases[case_here] += predict(data.case_prior[case_here], prior)
            features = evidence_matrix(data, prior)[case_here]
            with_search[case_here] += predict(features, evidence)
    return on_pairs / REPEATS, on_cases / REPEATS, with_search / REPEATS


def review_share(scores: Floats, outcomes: Floats, part: float) -> float:
    order = np.argsort(-scores, kind="stable")
    cumulated = np.cumsum(outcomes[order]) / outcomes.sum()
    return float(np.argmax(cumulated >= part) + 1) / len(outcomes)


def line(name: str, scores: Floats, outcomes: Floats) -> str:
    shares = (f"{review_share(scores, outcomes, p):.0%}" for p in (0.8, 0.9, 0.95, 1.0))
    auc = area_under_curve(scores, outcomes)
    return (
        f"| {name} | {len(outcomes)} | {int(outcomes.sum())} | {auc:.3f} | {' | '.join(shares)} |"
    )


def main() -> None:
    steps, rows = transitions(), cases()
    data = collect(steps, rows)
    everything = np.ones(len(steps), bool), np.ones(len(rows), bool)
    prior_weights, weights = fit(data, *everything)
    on_pairs, on_cases, with_search = cross_validated(data)
    outcomes = data.outcomes
    print("| window | rows | changed | AUC | share for 80 % | 90 % | 95 % | all |")
    print("|---|---|---|---|---|---|---|---|")
    print(line("before any search, all pairs of releases", on_pairs, data.changed))
    valid = np.array([not case.question.false_premise for case in rows])
    for window in WINDOWS:
        here = np.array([case.window == window for case in rows])
        print(line(f"before any search, {window} → 2024-03-11", on_cases[here], outcomes[here]))
        print(line(f"{window} → 2024-03-11", with_search[here], outcomes[here]))
        both = here & valid
        print(line("valid premise only", with_search[both], outcomes[both]))
    for low, high in zip((0, 0.02, 0.1, 0.3, 0.6), (0.02, 0.1, 0.3, 0.6, 1), strict=True):
        here = (with_search >= low) & (with_search < high)
        said, was = with_search[here].mean(), outcomes[here].mean()
        print(
            f"risk {low:.2f}–{high:.2f}: {here.sum()} rows, mean risk {said:.3f}, changed {was:.1%}"
        )
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
