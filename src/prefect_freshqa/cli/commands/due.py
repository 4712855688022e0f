"""`prefect-freshqa due`."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from freshqa.defaults import NEXT_REFRESH_DAYS
from freshqa.maintaining.plan import plan_refresh
from freshqa.store import changes, snapshots, versions
from prefect_freshqa.cli.options import AsOfOption, JsonOption, StoreOption, open_store, parse_day
from prefect_freshqa.cli.output import emit, table


def due(
    as_of: AsOfOption = None,
    days: Annotated[
        int, typer.Option("--days", min=0, help="Days until the next refresh after this one.")
    ] = NEXT_REFRESH_DAYS,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """List what the next refresh will check, in order, and why.

    Example:

        prefect-freshqa due --as-of 2024-03-13
    """
    opened = open_store(store)
    day = parse_day(as_of)
    version = versions.find(opened)
    planned = plan_refresh(
        snapshots.snapshot(opened, version.number),
        as_of=day,
        days=days,
        last_checked=changes.last_checked(opened),
        history=changes.change_history(opened),
    )

    def render(console: Console) -> None:
        rows = [(f"{p.risk:.2f}", p.due_on, p.question.text, p.why) for p in planned]
        title = (
            f"{len(rows)} of {version.rows} questions are due on {day} (version {version.number})"
        )
        console.print(table(title, ("risk", "due on", "question", "why"), rows))

    result = {
        "as_of": day,
        "version": version.number,
        "questions": [item.to_json() for item in planned],
    }
    emit(result, as_json=json, render=render)
