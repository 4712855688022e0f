"""The timeline as a picture: changes per week above, questions past their review below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from freshqa.dataset.question import FactType
from freshqa.errors import NothingToDo
from freshqa.maintaining.timeline import Timeline
from freshqa.picture import check_format, drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {
    FactType.never_changing.value: "#999999",
    FactType.slow_changing.value: "#0072b2",
    FactType.fast_changing.value: "#d55e00",
}
"""Told apart by colour-blind readers and in grey print (Okabe and Ito)."""


def plot_timeline(found: Timeline, *, heading: str, format: str = "png") -> bytes:
    """Draw changed answers per week between versions, and staleness over time, by fact type.

    Args:
        found: What is drawn.
        heading: Above the picture.
        format: `png` or `svg`; the same timeline gives the same SVG bytes.

    Raises:
        UsageError: an unknown format, or matplotlib is not installed.
        NothingToDo: there is no version.
    """
    check_format(format)
    if not found.weeks:
        raise NothingToDo("Nothing to plot: the store has no version.")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 6), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    figure.suptitle(heading)
    _draw_changes(above, found)
    _draw_staleness(below, found)
    for label in below.get_xticklabels():
        label.set_rotation(30)
        label.set_horizontalalignment("right")
    return drawn(figure, format)


def _draw_changes(axes: Axes, found: Timeline) -> None:
    """One bar from a version to the next: its width is the time between, its height the pace."""
    bottoms = [0.0] * len(found.movements)
    for name, colour in COLOURS.items():
        paces = [moved.changed.get(name, 0) / moved.weeks for moved in found.movements]
        axes.bar(
            [moved.since for moved in found.movements],  # type: ignore[arg-type]  # dates are fine
            paces,
            width=[max((moved.until - moved.since).days, 1) for moved in found.movements],
            bottom=bottoms,
            align="edge",
            color=colour,
            edgecolor="white",
            linewidth=0.5,
            label=name,
        )
        bottoms = [bottom + pace for bottom, pace in zip(bottoms, paces, strict=True)]
    for moved, top in zip(found.movements, bottoms, strict=True):
        axes.annotate(
            f"v{moved.version}",
            (moved.until, top),
            fontsize=8,
            horizontalalignment="right",
            verticalalignment="bottom",
        )
    axes.set_ylabel("changed answers per week")
    axes.legend(loc="upper right", fontsize=8)
    if not found.movements:
        axes.text(0.5, 0.5, "one version: no change yet", transform=axes.transAxes, ha="center")


def _draw_staleness(axes: Axes, found: Timeline) -> None:
    """Stacked share of questions past their review, and the median lateness as a line."""
    days = [week.on for week in found.weeks]
    shares = [
        [100 * week.stale.get(name, 0) / max(week.questions, 1) for week in found.weeks]
        for name in COLOURS
    ]
    axes.stackplot(days, *shares, colors=list(COLOURS.values()), step="post")  # type: ignore[arg-type]
    axes.set_ylim(0, 100)
    axes.set_ylabel("past review, unchecked, %")
    late = axes.twinx()
    late.plot(
        days,  # type: ignore[arg-type]
        [week.median_days for week in found.weeks],
        color="black",
        linewidth=1.2,
        drawstyle="steps-post",
    )
    late.set_ylim(bottom=0)
    late.set_ylabel("median days past review (line)")
