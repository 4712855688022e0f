"""`prefect-freshqa log`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from prefect_freshqa.cli.options import JsonOption, StoreOption, open_store, parse_day
from prefect_freshqa.cli.output import emit, table

if TYPE_CHECKING:
    from freshqa.store.database import Store


def log(
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Draw changes per week and staleness to this .png or .svg file."
        ),
    ] = None,
    as_of: Annotated[
        str | None,
        typer.Option("--as-of", metavar="DATE", help="Last day of the chart. Default: today."),
    ] = None,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """List every version, newest first; with --plot, draw its changes and staleness over time.

    A question is stale while its review date has passed, or its cadence has run out, and no run has
    checked it since. An imported release counts as a check of every row, except rows
    whose review date had already passed.

    Example:

        prefect-freshqa log --plot timeline.svg
    """
    from freshqa.store import versions

    if plot is not None:
        from freshqa.picture import check_format

        check_format(plot.suffix.lstrip("."))
    opened = open_store(store)
    published = versions.log(opened)
    result: dict[str, Any] = {"versions": [version.to_json() for version in published]}
    if plot is not None:
        result |= draw(opened, plot, as_of)

    def render(console: Console) -> None:
        if not published:
            console.print("No version yet. Next: prefect-freshqa import FILE")
            return
        rows = [
            (v.number, v.as_of, v.kind, v.rows, v.content_hash[:12], ", ".join(v.tags), v.message)
            for v in published
        ]
        columns = ("version", "as of", "kind", "questions", "content hash", "tags", "message")
        console.print(table(f"{len(published)} versions", columns, rows))
        if plot is not None:
            console.print(f"Changes per week and staleness are in {plot}.", markup=False)

    emit(result, as_json=json, render=render)


def draw(store: Store, plot: Path, as_of: str | None) -> dict[str, Any]:
    """Write the picture, and give its figures.

    Raises:
        NothingToDo: There is no version.
        StoreError: The file cannot be written.
    """
    from freshqa.dataset.whole_file import write_whole
    from freshqa.maintaining.timeline_plot import plot_timeline
    from freshqa.store.changes import read_timeline

    timeline = read_timeline(store, until=parse_day(as_of))
    body = plot_timeline(timeline, heading=f"{store.dataset} over time", format=plot.suffix[1:])
    write_whole(body, plot)
    return timeline.to_json()
