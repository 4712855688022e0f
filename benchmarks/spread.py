"""Rows of a table of measurements: median, least and most of several repeats, side by side."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

HEAD = (
    "measured",
    "median",
    "min to max",
    "n",
    "compared with",
    "ratio, median",
    "min to max",
    "target",
)


@dataclass(frozen=True)
class Row:
    """One line.

    Args:
        name: What was measured, with its unit.
        figures: One figure a repeat.
        beside: Name of what it is compared with, "" for nothing.
        others: Its figures; figure and other of the same place were measured at the same time.
        asked: What was asked for, in words.
        digits: Decimals shown.
    """

    name: str
    figures: Sequence[float]
    beside: str = ""
    others: Sequence[float] = ()
    asked: str = ""
    digits: int = 1

    def cells(self) -> tuple[str, ...]:
        ratios = [own / other for own, other in zip(self.figures, self.others, strict=False)]
        return (
            self.name,
            *spread(self.figures, self.digits),
            str(len(self.figures)),
            self.beside,
            *(spread(ratios, 2, unit="×") if ratios else ("", "")),
            self.asked,
        )


def spread(figures: Sequence[float], digits: int, unit: str = "") -> tuple[str, str]:
    """Median, and least to most; the latter is empty for a single figure."""
    least, most = min(figures), max(figures)
    between = f"{least:.{digits}f} to {most:.{digits}f}" if len(figures) > 1 else ""
    return f"{statistics.median(figures):.{digits}f}{unit}", between


def markdown(rows: Sequence[Row]) -> str:
    """Return the table."""
    lines = [HEAD, ("---",) * len(HEAD), *(row.cells() for row in rows)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
