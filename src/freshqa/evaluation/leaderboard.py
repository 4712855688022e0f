"""Models by versions: accuracy, and which differences may be chance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from freshqa.errors import UsageError
from freshqa.evaluation.breakdown import paired
from freshqa.evaluation.judgement import Judgement
from freshqa.evaluation.rate import CONFIDENCE, PairedDifference, Rate
from freshqa.picture import check_format, drawn


@dataclass(frozen=True)
class Score:
    """One model against one version.

    Args:
        version: Number of the version that it was judged against.
        judgements: Key of each question → verdict, all of one mode.
    """

    model: str
    version: int
    evaluation: str
    judge: str
    judgements: Mapping[str, Judgement]

    @property
    def rate(self) -> Rate:
        """Share of credited responses; the unrated are left out and counted."""
        rated = [judged for judged in self.judgements.values() if judged.rated]
        left_out = len(self.judgements) - len(rated)
        return Rate(sum(judged.correct for judged in rated), len(rated), left_out)


@dataclass(frozen=True)
class Pair:
    """Two models against the same version, on the questions that both answered."""

    first: Score
    second: Score
    difference: PairedDifference

    @property
    def significant(self) -> bool:
        """Whether the exact McNemar test rules out chance at the level of our intervals."""
        return self.difference.p_value < 1 - CONFIDENCE

    def to_json(self) -> dict[str, Any]:
        """Return names, figures and verdict of the test."""
        return {
            "version": self.first.version,
            "models": [self.first.model, self.second.model],
            **self.difference.to_json(),
            "significant": self.significant,
        }


@dataclass(frozen=True)
class Leaderboard:
    """Every score, best of the newest version first, and every pair of models of one version."""

    scores: tuple[Score, ...]
    pairs: tuple[Pair, ...]
    warnings: tuple[str, ...]

    @property
    def versions(self) -> tuple[int, ...]:
        """Numbers of the versions, oldest first."""
        return tuple(sorted({score.version for score in self.scores}))

    @property
    def models(self) -> dict[str, dict[int, Score]]:
        """Model → version → score, in order of rank."""
        by_model: dict[str, dict[int, Score]] = defaultdict(dict)
        for score in self.scores:
            by_model[score.model][score.version] = score
        return dict(by_model)

    def to_json(self) -> dict[str, Any]:
        """Return the shape printed by `leaderboard`."""
        return {
            "versions": list(self.versions),
            "models": [
                {
                    "model": model,
                    "scores": [
                        {"version": v, "evaluation": s.evaluation, **s.rate.to_json()}
                        for v, s in sorted(by_version.items())
                    ],
                }
                for model, by_version in self.models.items()
            ],
            "pairs": [pair.to_json() for pair in self.pairs],
            "warnings": list(self.warnings),
        }


def leaderboard(scores: Sequence[Score]) -> Leaderboard:
    """Rank scores, newest version first, and test every pair of models of the same version.

    Scores against different versions are never tested against one another: they differ in their
    answers, and a warning names them.
    """
    ranked = tuple(sorted(scores, key=lambda s: (-s.version, -(s.rate.value or 0.0), s.model)))
    pairs = tuple(
        Pair(first, second, paired(first.judgements, second.judgements, first.judgements.keys()))
        for first, second in combinations(ranked, 2)
        if first.version == second.version
    )
    return Leaderboard(ranked, pairs, tuple(_warnings(ranked)))


def _warnings(scores: Sequence[Score]) -> list[str]:
    notes = []
    versions: dict[str, set[int]] = defaultdict(set)
    for score in scores:
        versions[score.model].add(score.version)
    everywhere = {score.version for score in scores}
    partly = [model for model, seen in versions.items() if seen != everywhere]
    if partly:
        listed = "; ".join(
            f"{model} has version {', '.join(map(str, sorted(versions[model])))}"
            for model in partly
        )
        notes.append(
            f"scores against different versions are not comparable: {listed}. Judge every model "
            "against the same version"
        )
    for version in sorted(everywhere):
        judges = sorted({score.judge for score in scores if score.version == version})
        if len(judges) > 1:
            notes.append(f"version {version} was judged by several judges: {', '.join(judges)}")
    return notes


def plot_leaderboard(board: Leaderboard, *, heading: str, format: str = "png") -> bytes:
    """Draw each model's accuracy with its 95 % interval over the versions.

    Raises:
        UsageError: an unknown format, no scores, or matplotlib is not installed.
    """
    check_format(format)
    if not board.scores:
        raise UsageError("Nothing to plot.", "Evaluate a model first.")
    from matplotlib.figure import Figure  # an extra: `check_format` has said what to install

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    places = {version: place for place, version in enumerate(board.versions)}
    models = board.models
    for number, (model, by_version) in enumerate(models.items()):
        shift = 0.04 * (number - (len(models) - 1) / 2)  # intervals beside one another
        rates = [(places[v] + shift, s.rate) for v, s in sorted(by_version.items()) if s.rate.n]
        shares = [100 * (rate.value or 0.0) for _, rate in rates]
        below = [share - 100 * rate.low for share, (_, rate) in zip(shares, rates, strict=True)]
        above = [100 * rate.high - share for share, (_, rate) in zip(shares, rates, strict=True)]
        where = [place for place, _ in rates]
        axes.errorbar(where, shares, yerr=[below, above], marker="o", capsize=3, label=model)
    axes.set_xticks(range(len(places)), [f"version {version}" for version in places])
    axes.set_ylim(0, 100)
    axes.set_ylabel("credited responses, %")
    axes.set_title(heading)
    axes.legend()
    return drawn(figure, format)
