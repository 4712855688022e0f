"""Pictures in the Prefect UI."""

from __future__ import annotations

import base64
from datetime import date

from prefect import get_run_logger
from prefect.artifacts import create_image_artifact
from prefect.settings import PREFECT_UI_ENABLED

from freshqa.errors import NothingToDo, UsageError
from freshqa.maintaining.timeline_plot import plot_timeline
from freshqa.store.changes import read_timeline
from freshqa.store.database import Store

MAX_ROWS = 60_000
"""A hundred versions of 600 questions; to read them takes about two seconds."""


def show_png(png: bytes, *, key: str, description: str) -> None:
    """A picture embedded in its artifact, so that nothing else has to be served."""
    create_image_artifact(
        image_url="data:image/png;base64," + base64.b64encode(png).decode("ascii"),
        key=key,
        description=description,
    )


def show_timeline(store: Store, *, until: date) -> None:
    """Show the changes and the staleness of the dataset up to a day.

    Where it cannot be drawn (matplotlib is an extra, the dataset is huge) a log line says so. Without
    a UI (`PREFECT_UI_ENABLED`) nothing is drawn.
    """
    if not PREFECT_UI_ENABLED.value():
        return
    try:
        timeline = read_timeline(store, until=until, most_rows=MAX_ROWS)
        picture = plot_timeline(timeline, heading=f"{store.dataset} over time")
    except (UsageError, NothingToDo) as missing:
        get_run_logger().info("No picture of the timeline: %s", missing)
        return
    show_png(
        picture,
        key="freshqa-timeline",
        description="Changed answers per week, questions past their review date, cost per week and provider.",
    )
