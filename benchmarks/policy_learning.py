"""Learning curves of the fitted and the reinforced policy on real transitions and recorded searches.

    python benchmarks/policy_learning.py [--plot FILE.png]

World: a stored answer of an earlier release, the findings of 2024-03-13 read one after the other (as
the engine gave them), and the truth of 2024-03-11. After each finding a policy reads on, keeps the
stored answer, proposes what the answer box says where it says something short, or asks a person.
Rewards: `freshqa.checking.episode.REWARDS`. Train and test never share a question; each figure is the
mean over splits.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
from checking_data import SEARCHED_ON, Case, cases

from freshqa.answering.response import Response
from freshqa.answering.search_only import most_prominent
from freshqa.checking.change_rate import ChangeHistory
from freshqa.checking.episode import REWARDS, Episode
from freshqa.checking.fitted import after_round, fit_policy
from freshqa.checking.policy_features import NAMES, policy_features
from freshqa.checking.reinforce import train_policy
from freshqa.checking.risk import risk
from freshqa.checking.round import Move, verify
from freshqa.evidence.parsing import parse
from freshqa.facts.same_fact import Relation, relation

SPLITS, SIZES, MOST = 3, (80, 120, 160, 240, 480), 6
Choose = Callable[[Sequence[float], bool, bool], Move]


@dataclass(frozen=True)
class Row:
    lineage: str
    changed: bool
    episode: Episode


def play(case: Case) -> Row:
    """Read a case's findings one by one and note what a policy would see."""
    findings = parse(case.search)[:MOST]
    history = ChangeHistory(0, 0.0, date.fromisoformat(case.window))
    rounds, right = [], []
    for count in range(1, max(2, len(findings) + 1)):
        read = findings[:count]
        prominent = most_prominent(read)
        answer = prominent.answer if prominent else ""
        text = prominent.text if prominent else ""
        response = Response(case.question.text, "search-only", text, answer, read)
        checked_round = verify(count, response, case.question)
        stale = risk(case.question, read, history, as_of=SEARCHED_ON)
        features = policy_features(replace(checked_round, number=count), case.question, stale, MOST)
        rounds.append(features)
        good = any(relation(checked_round.answer, now) is Relation.same for now in case.answers_now)
        right.append(good if checked_round.answer else None)
    return Row(case.lineage, case.changed, Episode(tuple(rounds), not case.changed, tuple(right)))


@dataclass(frozen=True)
class Score:
    utility: float
    automatic: float
    wrong: float
    read: float
    caught: float


def score(choose: Choose, rows: Sequence[Row]) -> Score:
    total, automatic, wrong, read, caught = 0.0, 0, 0, 0, 0
    for row in rows:
        episode = row.episode
        for index, features in enumerate(episode.rounds):
            more = index + 1 < len(episode.rounds)
            move = choose(features, more, episode.proposed_right[index] is not None)
            if move is not Move.revise:
                break
            total -= REWARDS.round
        reward = episode.reward(index, move, REWARDS)
        total += reward
        read += index + 1
        automatic += move is not Move.escalate
        wrong += reward < 0
        caught += row.changed and (move is Move.escalate or reward > 0)
    stale = sum(row.changed for row in rows)
    return Score(
        total / len(rows),
        automatic / len(rows),
        wrong / max(1, automatic),
        read / len(rows),
        caught / max(1, stale),
    )


def fixed() -> dict[str, Choose]:
    """What a policy has to beat; `stored_share` is above 0 where a finding holds the stored answer."""
    share, risky = NAMES.index("stored_share"), NAMES.index("risk")

    def read_all(features: Sequence[float], more: bool, has: bool) -> Move:
        if more:
            return Move.revise
        return Move.keep if features[share] else Move.escalate

    def by_risk(features: Sequence[float], more: bool, has: bool) -> Move:
        if more:
            return Move.revise
        limit = np.log(REWARDS.person / (REWARDS.right + REWARDS.wrong - REWARDS.person)) / 3
        return Move.keep if features[risky] < limit else Move.escalate

    return {
        "keep without reading": lambda features, more, has: Move.keep,
        "a person reads all": lambda features, more, has: Move.escalate,
        "read all, keep if found": read_all,
        "read all, keep if risk is low": by_risk,
    }


def split(rows: Sequence[Row], seed: int) -> tuple[list[Row], list[Row]]:
    random = np.random.default_rng(seed)
    names = sorted({row.lineage for row in rows})
    test = set(random.permutation(names)[: len(names) // 3])
    train = [row for row in rows if row.lineage not in test]
    random.shuffle(train)
    return train, [row for row in rows if row.lineage in test]


def mean(scores: Sequence[Score]) -> str:
    columns = [[getattr(s, name) for s in scores] for name in Score.__dataclass_fields__]
    utility, automatic, wrong, read, caught = (float(np.mean(column)) for column in columns)
    spread = float(np.std(columns[0]))
    return (
        f"{utility:.3f} ±{spread:.3f} | {automatic:.0%} | {wrong:.1%} | {read:.1f} | {caught:.0%} |"
    )


def main() -> None:
    rows = [play(case) for case in cases()]
    stale = sum(row.changed for row in rows)
    print(f"{len(rows)} checks, {stale} stale; rewards {REWARDS}\n")
    heads = "utility | automatic | wrong of these | findings read | stale caught"
    print(f"| policy | reviewed checks | {heads} |\n|---|---|---|---|---|---|---|")
    splits = [split(rows, seed) for seed in range(SPLITS)]
    for name, choose in fixed().items():
        print(f"| {name} | | {mean([score(choose, test) for _, test in splits])}")
    curves: dict[str, list[float]] = {
        "fitted": [],
        "reinforce, from the rule": [],
        "reinforce, cold": [],
    }
    for size in SIZES:
        for name, curve in curves.items():
            scores = []
            for train, test in splits:
                episodes = [row.episode for row in train[:size]]
                if name == "fitted":
                    learned = fit_policy(episodes)
                else:
                    learned = train_policy(episodes, passes=4000 // size, warm="cold" not in name)

                def choose(features: Sequence[float], more: bool, has: bool, p=learned) -> Move:
                    return p.pick(features, after_round(more, has))

                scores.append(score(choose, test))
            curve.append(float(np.mean([s.utility for s in scores])))
            print(f"| {name} | {size} | {mean(scores)}")
    if "--plot" in sys.argv:
        plot(curves, sys.argv[sys.argv.index("--plot") + 1])


def plot(curves: dict[str, list[float]], file: str) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4))
    for name, values in curves.items():
        axes.plot(SIZES, values, marker="o", label=name)
    axes.axhline(REWARDS.right - REWARDS.person, linestyle=":", label="a person reads all")
    axes.set_xlabel("reviewed checks")
    axes.set_ylabel("mean utility of a check")
    axes.legend()
    figure.tight_layout()
    figure.savefig(file, dpi=120)


if __name__ == "__main__":
    main()
