"""Agreement of annotators who filled the same sheet of `review export`."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

from rich.console import Console

from freshqa.evaluation.agreement import cohen_kappa, krippendorff_alpha
from freshqa.evaluation.rate import Rate
from freshqa.maintaining.annotations import Annotation, is_review_sheet, read_annotations
from prefect_freshqa.cli.output import table

Sheets = dict[str, dict[str, Annotation | None]]


def review_sheets(raters: list[str]) -> Sheets | None:
    """Name → annotations of the files, where all are review sheets; None where none is.

    Raises:
        BadData: a sheet has a decision that cannot be read.
    """
    files = [Path(rater) for rater in raters]
    if not all(
        file.is_file() and is_review_sheet(file.read_bytes(), name=file.name) for file in files
    ):
        return None
    return {str(file): read_annotations(file.read_bytes(), name=file.name) for file in files}


def sheets_agreement(sheets: Sheets) -> dict[str, Any]:
    """Return the figures of every pair of annotators, and where they differ."""
    rows, differing = [], []
    for (first, first_sheet), (second, second_sheet) in combinations(sheets.items(), 2):
        shared = sorted(set(first_sheet) & set(second_sheet))
        pairs = [(number, first_sheet[number], second_sheet[number]) for number in shared]
        both = [(n, left, right) for n, left, right in pairs if left and right]
        labels = [(left.action, right.action) for _, left, right in both]
        same = sum(left.agrees(right) for _, left, right in both)
        rate = Rate(same, len(both), len(shared) - len(both))
        kappa, alpha = cohen_kappa(labels), krippendorff_alpha(labels)
        figures = {"kappa": _rounded(kappa), "alpha": _rounded(alpha)}
        rows.append({"raters": [first, second], **rate.to_json(), **figures})
        differing += [
            {
                "proposal": int(number) if number.isdigit() else number,
                "question": left.question,
                "decisions": {first: left.action, second: right.action},
                "reasons": {first: left.reason, second: right.reason},
            }
            for number, left, right in both
            if not left.agrees(right)
        ]
    return {"raters": list(sheets), "table": rows, "disagreements": differing}


def render_sheets(console: Console, result: dict[str, Any]) -> None:
    """The figures, then the proposals on which two differ."""
    rows = [
        (
            " – ".join(row["raters"]),
            str(Rate.from_json(row)),
            *("-" if row[name] is None else f"{row[name]:.2f}" for name in ("kappa", "alpha")),
            row["n"],
            row["left_out"],
        )
        for row in result["table"]
    ]
    heads = ("annotators", "same decision, %", "kappa", "alpha", "n", "left open")
    console.print(table("Agreement on proposals, with 95 % intervals", heads, rows))
    for disagreement in result["disagreements"]:
        said = "; ".join(f"{name}: {action}" for name, action in disagreement["decisions"].items())
        console.print(
            f"{disagreement['proposal']} {disagreement['question']} ({said})", markup=False
        )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
