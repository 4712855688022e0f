"""The paper's table as rows, for people and programs: markdown, CSV, JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from freshqa.evaluation.breakdown import Breakdown, Gap
from freshqa.evaluation.columns import COLUMNS, Column
from freshqa.evaluation.rate import Rate
from freshqa.evaluation.rows import write_rows

HEADINGS = ("questions", "%", "95 % interval", "n", "unrated")


def table_json(breakdowns: Sequence[Breakdown]) -> list[dict[str, Any]]:
    """One object per mode and column: counts, share (0 to 1) and interval."""
    return [{"mode": row.mode.value, **cell.to_json()} for row in breakdowns for cell in row.cells]


def gap_json(gaps: Sequence[Gap]) -> list[dict[str, Any]]:
    """One object per column: relaxed minus strict."""
    return [
        {"column": gap.column.name, "label": gap.column.label, **gap.difference.to_json()}
        for gap in gaps
    ]


def table_rows(breakdown: Breakdown) -> list[tuple[str, str, str, str, str]]:
    """One row per column, as text under `HEADINGS`; shares with one decimal, as in the paper."""
    return [(title(c.column), *_figures(c.rate)) for c in breakdown.cells]


def table_csv(breakdowns: Sequence[Breakdown]) -> str:
    """CSV with a header: mode, column, group, label, hits, n, left_out, value, low, high."""
    return write_rows(table_json(breakdowns))


def table_markdown(breakdowns: Sequence[Breakdown], gaps: Sequence[Gap] = ()) -> str:
    """A markdown table per mode, and one for the hallucination gap."""
    parts = []
    for breakdown in breakdowns:
        lines = [f"**{breakdown.mode.value}**", "", *_markdown(HEADINGS, table_rows(breakdown))]
        parts.append("\n".join(lines))
    if gaps:
        rows = [(title(gap.column), str(gap.difference), str(gap.difference.n)) for gap in gaps]
        head = ("questions", "relaxed − strict, points [95 % interval]", "n")
        parts.append("\n".join(["**hallucination gap**", "", *_markdown(head, rows)]))
    return "\n\n".join(parts) + "\n"


def paper_row(breakdown: Breakdown) -> str:
    """The row as the paper prints it: percentages only, in the order of its columns."""
    cells = [_percent(cell.rate) for cell in breakdown.cells]
    heads = [title(column) for column in COLUMNS]
    return "\n".join(_markdown(heads, [tuple(cells)]))


def title(column: Column) -> str:
    """`valid premise: fast`; the column of all questions is `all`."""
    return f"{column.group}: {column.label}" if column.group else column.label


def _figures(rate: Rate) -> tuple[str, str, str, str]:
    interval = f"{100 * rate.low:.1f} to {100 * rate.high:.1f}" if rate.n else "-"
    return _percent(rate), interval, str(rate.n), str(rate.left_out)


def _percent(rate: Rate) -> str:
    return "-" if rate.value is None else f"{100 * rate.value:.1f}"


def _markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    return [line(heads), line(["---"] * len(heads)), *(line(row) for row in rows)]
