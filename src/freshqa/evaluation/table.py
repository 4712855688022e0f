"""The paper's table for programs: JSON and CSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from freshqa.evaluation.breakdown import Breakdown, Gap
from freshqa.evaluation.rows import write_rows


def table_json(breakdowns: Sequence[Breakdown]) -> list[dict[str, Any]]:
    """Return one object per mode and column: counts, share (0 to 1) and interval."""
    return [{"mode": row.mode.value, **cell.to_json()} for row in breakdowns for cell in row.cells]


def gap_json(gaps: Sequence[Gap]) -> list[dict[str, Any]]:
    """Return one object per column: relaxed minus strict."""
    return [
        {
            "column": gap.column.name,
            "group": gap.column.group,
            "label": gap.column.label,
            **gap.difference.to_json(),
        }
        for gap in gaps
    ]


def table_csv(table: Sequence[Mapping[str, Any]]) -> str:
    """CSV with a header: mode, column, group, label, hits, n, left_out, value, low, high.

    Args:
        table: As `table_json` gives it.
    """
    return write_rows(table)
