"""Artifacts in the Prefect UI: tables, proposals with links, the validation report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from prefect.artifacts import (
    create_markdown_artifact,
    create_progress_artifact,
    update_progress_artifact,
)

from freshqa.dataset.validation import ValidationReport
from freshqa.maintaining.plan import PlannedQuestion
from freshqa.store.proposals import StoredProposal
from prefect_freshqa.expectations.report import headline, validation_markdown
from prefect_freshqa.settings import desk_address
from prefect_freshqa.tasks.proposal_page import cut, escape, link, proposals_markdown, wrapped

MAX_ROWS = 600
"""The server accepts any size, but a browser becomes slow."""


def show_due(planned: Sequence[PlannedQuestion], left: int) -> None:
    """Table of what is due and why, highest expected loss first."""
    rows = [_due_row(item) for item in planned[:MAX_ROWS]]
    create_markdown_artifact(
        markdown="\n".join(["| question | why | due on | risk |", "|---|---|---|---|", *rows]),
        key="freshqa-due",
        description=f"{len(planned)} questions are checked in this run; {left} stay due."
        + shown(len(planned)),
    )


def shown(rows: int) -> str:
    """Return what to add to a table's description when it does not show every row."""
    return f" The first {MAX_ROWS} are shown." if rows > MAX_ROWS else ""


def start_progress(total: int, *, done: int = 0) -> UUID:
    """Return a progress bar for the run; `move_progress` fills it."""
    return create_progress_artifact(  # type: ignore[return-value]  # sync call in a sync flow
        progress=100.0 * done / total if total else 100.0,
        key="freshqa-progress",
        description=f"{done} of {total} questions checked",
    )


def move_progress(artifact: UUID, done: int, total: int, *, ended: bool = False) -> None:
    """Move the progress bar to `done` of `total`; one that has ended says what stays due."""
    left = total - done
    rest = f"; {left} stay{'s' if left == 1 else ''} due" if ended and left > 0 else ""
    update_progress_artifact(
        artifact,
        min(100.0, 100.0 * done / total),
        description=f"{done} of {total} questions checked{rest}",
    )


def show_proposals(stored: Sequence[StoredProposal], *, total: int) -> None:
    """The proposals of a run: a table to scan, then each with its evidence and links.

    Args:
        stored: The first of them, as many as are shown.
    """
    create_markdown_artifact(
        markdown=proposals_markdown(stored, total=total),
        key="freshqa-proposals",
        description=f"{total} proposals, highest risk first.",
    )


def show_validation(report: ValidationReport, *, docs: str = "") -> None:
    """The validation report, errors first, with a link to the Data Docs of a refused draft."""
    create_markdown_artifact(
        markdown=validation_markdown(report, docs=docs),
        key="freshqa-validation",
        description=headline(report),
    )


def show_summary(summary: dict[str, Any]) -> None:
    """The figures of a run: one sentence, the next step, and a table."""
    failed = summary["outcomes"].get("failed", 0)
    done = (
        f"**{summary['checked'] - failed} of {summary['due']} questions checked**, {failed} failed, "
        f"{summary['left_due']} stay due; {summary['proposals']} proposals, {summary['held']} waiting "
        f"for a decision; cost ${summary['cost_usd']}."
    )
    lines = [
        done,
        "",
        _next_step(summary["held"]),
        "",
        "| figure | value |",
        "|---|---|",
    ]
    for name, value in summary.items():
        parts = value if isinstance(value, dict) else {"": value}
        lines += [
            f"| {escape(f'{name}: {part}' if part else name)} | {escape(_in_words(figure))} |"
            for part, figure in parts.items()
        ]
    create_markdown_artifact(
        markdown="\n".join(lines), key="freshqa-summary", description="Refresh summary"
    )


def _in_words(figure: Any) -> str:
    """A figure as text; those of a step of the checks one after the other."""
    if isinstance(figure, dict):
        return ", ".join(f"{name} {value}" for name, value in figure.items())
    return str(figure)


def _next_step(held: int) -> str:
    if not held:
        return "No proposals are waiting for a decision."
    desk = desk_address("queue")
    if desk:
        return f"Next: decide them on the {link(desk, 'review desk')}."
    return "Next: run the deployment `review`, or `prefect-freshqa review list`."


def _due_row(item: PlannedQuestion) -> str:
    record = item.to_json()
    question, why = wrapped(cut(record["question"], 120), 36), wrapped(cut(record["why"], 60), 24)
    return f"| {question} | {why} | {record['due_on']} | {record['risk']:.2f} |"
