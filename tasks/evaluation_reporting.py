"""Artifacts of an evaluation or a qualification in the Prefect UI."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from prefect import get_run_logger
from prefect.artifacts import (
    create_markdown_artifact,
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)
from prefect.settings import PREFECT_UI_ENABLED

from freshqa.errors import UsageError
from freshqa.evaluation.judgement import Judgement
from freshqa.evaluation.plot import Point, plot_accuracy
from freshqa.evaluation.presentation import markdown
from freshqa.evaluation.rgb.presentation import certificate_heading, certificate_markdown
from prefect_freshqa.tasks.pictures import show_png
from prefect_freshqa.tasks.reporting import MAX_ROWS


def start_progress(total: int) -> UUID:
    """Return a progress bar for the run; `move_progress` fills it."""
    return create_progress_artifact(  # type: ignore[return-value]  # sync call in a sync flow
        progress=0.0 if total else 100.0,
        key="freshqa-evaluation-progress",
        description=f"0 of {total} done",
    )


def move_progress(artifact: UUID, done: int, total: int) -> None:
    """Move the progress bar to `done` of `total`."""
    update_progress_artifact(artifact, 100.0 * done / total, description=f"{done} of {total} done")


def show_table(summary: dict[str, Any]) -> None:
    """The table of the paper, with remarks."""
    create_markdown_artifact(
        markdown=markdown(summary),
        key="freshqa-evaluation",
        description=f"{summary['evaluation']}: {summary['mode']}, judged by {summary['judge']}.",
    )


def show_judgements(judgements: Sequence[Judgement]) -> None:
    """Every judgement in a table; incorrect and unrated ones first."""
    ordered = sorted(judgements, key=lambda judged: (judged.correct, judged.rated))
    create_table_artifact(
        table=[
            {
                "question": judged.question,
                "mode": judged.mode.value,
                "verdict": judged.verdict.value,
                "comment": judged.comment[:300],
                "response": judged.response[:300],
                "marks": ", ".join(judged.marks),
            }
            for judged in ordered[:MAX_ROWS]
        ],
        key="freshqa-judgements",
        description=f"{len(judgements)} judgements; incorrect and unrated ones first.",
    )


def show_picture(points: Sequence[Point], summary: dict[str, Any]) -> None:
    """Accuracy by type of question over the versions that these responses were judged against.

    Without a UI (`PREFECT_UI_ENABLED`) nothing is drawn.
    """
    if not points or not PREFECT_UI_ENABLED.value():
        return
    try:
        picture = plot_accuracy(points, heading=f"{summary['mode']} accuracy over versions")
    except UsageError as missing:  # matplotlib is optional, and the table is shown without it
        get_run_logger().info("No picture: %s", missing)
        return
    show_png(
        picture,
        key="freshqa-accuracy",
        description="Credited responses by type of question, with 95 % intervals.",
    )


def show_certificate(summary: dict[str, Any]) -> None:
    """Show the rates reached, the bounds required, and the wrong replies."""
    create_markdown_artifact(
        markdown=certificate_markdown(summary),
        key="freshqa-certificate",
        description=certificate_heading(summary),
    )
    create_table_artifact(
        table=[
            {
                "testbed": read["testbed"],
                "noise": read["noise"],
                "question": read["query"],
                "mistake": read["mistake"],
                "reply": read["reply"][:300],
            }
            for read in summary["wrong"]
        ],
        key="freshqa-wrong-replies",
        description="Wrong replies, with the class of the mistake if it is known.",
    )
