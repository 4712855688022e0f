"""The timeline as a chart: changes per week, questions past their review, cost per week."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from freshqa.dataset.question import FactType
from freshqa.errors import NothingToDo
from freshqa.maintaining.timeline import WEEK, WEEKS_AHEAD, Timeline
from freshqa.picture import check_format, drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {
    FactType.never_changing.value: "#999999",
    FactType.slow_changing.value: "#0072b2",
    FactType.fast_changing.value: "#d55e00",
}
"""Distinguishable by colour-blind readers and in greyscale (Okabe and Ito)."""


def plot_timeline(timeline: Timeline, *, heading: str, format: str = "png") -> bytes:
    """Draw changed answers per week, staleness over time, and cost per week and provider.

    While there is one version, the reviews of the coming weeks take the place of changes; cost is
    left out until something was paid.

    Args:
        format: `png` or `svg`; the same timeline gives the same SVG bytes.

    Raises:
        UsageError: an unknown format, or matplotlib is not installed.
        NothingToDo: there is no version.
    """
    check_format(format)
    if not timeline.weeks:
        raise NothingToDo("Nothing to plot: the store has no version.")
    from matplotlib.figure import Figure

    panels = [_draw_changes if timeline.movements else _draw_ahead, _draw_staleness]
    panels += [_draw_costs] if timeline.costs else []
    figure = Figure(figsize=(9, 3 * len(panels)), layout="constrained")
    figure.suptitle(heading)
    for draw, axes in zip(panels, figure.subplots(len(panels), 1), strict=True):
        draw(axes, timeline)
        if draw is not _draw_ahead:
            axes.set_xlim(*_span(timeline))
        for label in axes.get_xticklabels():
            label.set_rotation(20)
            label.set_horizontalalignment("right")
    return drawn(figure, format)


def _span(timeline: Timeline) -> tuple[date, date]:
    """The days that panels share: from the first version to the last day, at least a week."""
    first = min([timeline.weeks[0].on, *(cost.week for cost in timeline.costs)])
    last = max([timeline.weeks[-1].on, *(cost.week + WEEK for cost in timeline.costs)])
    return first, max(last, first + WEEK)


def _draw_ahead(axes: Axes, timeline: Timeline) -> None:
    """One bar for each coming week: reviews by fact type."""
    bottoms = [0] * WEEKS_AHEAD
    weeks = range(1, WEEKS_AHEAD + 1)
    for name, colour in COLOURS.items():
        counts = timeline.ahead.get(name, (0,) * WEEKS_AHEAD)
        axes.bar(weeks, counts, bottom=bottoms, color=colour, label=name)
        bottoms = [bottom + count for bottom, count in zip(bottoms, counts, strict=True)]
    for week, total in zip(weeks, bottoms, strict=True):
        axes.annotate(str(total), (week, total), fontsize=8, ha="center", va="bottom")
    axes.set_ylim(0, max(1, *bottoms) * 1.2)
    axes.set_xticks(list(weeks), [f"week {week}" for week in weeks])
    axes.set_ylabel("reviews ahead")
    axes.set_title("one version: changes are drawn from the second on", fontsize=9)
    axes.legend(loc="upper right", fontsize=8)


def _draw_costs(axes: Axes, timeline: Timeline) -> None:
    """One bar for each week: what was paid, by provider."""
    bottoms: dict[date, float] = {}
    for provider in dict.fromkeys(cost.provider for cost in timeline.costs):
        own = [cost for cost in timeline.costs if cost.provider == provider]
        axes.bar(
            [cost.week for cost in own],  # type: ignore[arg-type]  # dates are fine
            [float(cost.usd) for cost in own],
            width=[WEEK.days] * len(own),
            bottom=[bottoms.get(cost.week, 0.0) for cost in own],
            align="edge",
            edgecolor="white",
            label=provider,
        )
        for cost in own:
            bottoms[cost.week] = bottoms.get(cost.week, 0.0) + float(cost.usd)
    axes.set_ylabel("cost per week, US$")
    axes.legend(loc="upper left", fontsize=8)


def _draw_changes(axes: Axes, timeline: Timeline) -> None:
    """One bar from a version to the next: its width is the time between them, its height the changes per week."""
    bottoms = [0.0] * len(timeline.movements)
    for name, colour in COLOURS.items():
        paces = [moved.changed.get(name, 0) / moved.weeks for moved in timeline.movements]
        axes.bar(
            [moved.since for moved in timeline.movements],  # type: ignore[arg-type]  # dates are fine
            paces,
            width=[max((moved.until - moved.since).days, 1) for moved in timeline.movements],
            bottom=bottoms,
            align="edge",
            color=colour,
            edgecolor="white",
            linewidth=0.5,
            label=name,
        )
        bottoms = [bottom + pace for bottom, pace in zip(bottoms, paces, strict=True)]
    for moved, top in zip(timeline.movements, bottoms, strict=True):
        axes.annotate(
            f"v{moved.version}",
            (moved.until, top),
            fontsize=8,
            horizontalalignment="right",
            verticalalignment="bottom",
        )
    axes.set_ylabel("changed answers per week")
    axes.legend(loc="upper right", fontsize=8)


def _draw_staleness(axes: Axes, timeline: Timeline) -> None:
    """Stacked share of questions past their review, and the median lateness as a line."""
    days = [week.on for week in timeline.weeks]
    shares = [
        [100 * week.stale.get(name, 0) / max(week.questions, 1) for week in timeline.weeks]
        for name in COLOURS
    ]
    axes.stackplot(days, *shares, colors=list(COLOURS.values()), step="post")  # type: ignore[arg-type]
    axes.set_ylim(0, 100)
    if not any(map(any, shares)):
        axes.text(0.5, 0.5, "nothing past its review", transform=axes.transAxes, ha="center")
    axes.set_ylabel("past review, unchecked, %")
    late = axes.twinx()
    late.plot(
        days,  # type: ignore[arg-type]
        [week.median_days for week in timeline.weeks],
        color="black",
        linewidth=1.2,
        drawstyle="steps-post",
    )
    late.set_ylim(bottom=0)
    late.set_ylabel("median days past review (line)")
