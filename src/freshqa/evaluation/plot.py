"""A plot of accuracy by type of question over versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from freshqa.errors import UsageError
from freshqa.evaluation.columns import COLUMNS
from freshqa.evaluation.presentation import title
from freshqa.evaluation.rate import Rate
from freshqa.picture import check_format, drawn

SHOWN = ("valid_never", "valid_slow", "valid_fast", "false")
_MARKERS = ("o", "s", "^", "D")


@dataclass(frozen=True)
class Point:
    """One version's figures.

    Args:
        as_of: The date on which it was right.
        rates: Column name → accuracy.
    """

    version: int
    as_of: date
    rates: Mapping[str, Rate]


def plot_accuracy(points: Sequence[Point], *, heading: str, format: str = "png") -> bytes:
    """Draw accuracy with 95 % intervals for each type of question over the versions.

    Args:
        points: One or more versions.
        format: `png` or `svg`; the same points give the same SVG bytes.

    Raises:
        UsageError: an unknown format, no points, or matplotlib is not installed.
    """
    check_format(format)
    if not points:
        raise UsageError("Nothing to plot.", "Evaluate a version first.")
    from matplotlib.figure import Figure  # an extra: `check_format` has said what to install

    ordered = sorted(points, key=lambda point: (point.as_of, point.version))
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for name, marker in zip(SHOWN, _MARKERS, strict=True):
        known = [(place, p.rates[name]) for place, p in enumerate(ordered) if _known(p, name)]
        if not known:
            continue
        shares = [100 * (rate.value or 0.0) for _, rate in known]
        below = [share - 100 * rate.low for share, (_, rate) in zip(shares, known, strict=True)]
        above = [100 * rate.high - share for share, (_, rate) in zip(shares, known, strict=True)]
        places = [place for place, _ in known]
        column = next(column for column in COLUMNS if column.name == name)
        label = title(column.group, column.label)
        axes.errorbar(places, shares, yerr=[below, above], marker=marker, capsize=3, label=label)
    axes.set_xticks(range(len(ordered)), [f"v{p.version}\n{p.as_of}" for p in ordered])
    axes.set_ylim(0, 100)
    axes.set_ylabel("credited responses, %")
    axes.set_title(heading)
    if axes.containers:  # nothing is drawn of an evaluation without verdicts
        axes.legend()
    return drawn(figure, format)


def _known(point: Point, name: str) -> bool:
    return name in point.rates and point.rates[name].n > 0
