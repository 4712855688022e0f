"""`prefect-freshqa leaderboard`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from freshqa.errors import NotFound
from freshqa.evaluation.judgement import Mode
from prefect_freshqa.cli.options import JsonOption, StoreOption, open_store
from prefect_freshqa.cli.output import emit, table

if TYPE_CHECKING:
    from freshqa.evaluation.leaderboard import Leaderboard


def leaderboard(
    mode: Annotated[Mode, typer.Option(help="How FreshEval credited the responses.")] = (
        Mode.relaxed
    ),
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw models over versions to this .png or .svg file."),
    ] = None,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Compare every evaluated model over the versions, with 95 % intervals.

    Pairs of models of one version whose difference may be chance (exact McNemar test) are named.
    Scores against different versions are not tested, and a warning says so. A model that was
    evaluated twice against a version counts with the newer evaluation.

    Example:

        prefect-freshqa leaderboard --plot models.svg
    """
    from freshqa.dataset.whole_file import write_whole
    from freshqa.evaluation.leaderboard import leaderboard as rank
    from freshqa.evaluation.leaderboard import plot_leaderboard
    from prefect_freshqa.tasks.recorded_evaluations import scores_of

    opened = open_store(store)
    board = rank(scores_of(opened, mode))
    if not board.scores:
        raise NotFound(
            f"The store has no finished {mode.value} evaluation.",
            "Run: prefect-freshqa evaluate --responses FILE",
        )
    if plot is not None:
        format = plot.suffix.removeprefix(".").lower()
        heading = f"{opened.dataset}: {mode.value} accuracy"
        write_whole(plot_leaderboard(board, heading=heading, format=format), plot)
    result = {"mode": mode.value, **board.to_json()}
    emit(result, as_json=json, render=lambda console: render(console, board))


def render(console: Console, board: Leaderboard) -> None:
    """Print models by versions, then what the tests say."""
    columns = ("model", *(f"version {version}" for version in board.versions))
    rows = [
        [model, *(str(scores[v].rate) if v in scores else "" for v in board.versions)]
        for model, scores in board.models.items()
    ]
    console.print(table("credited responses, % [95 % interval]", columns, rows))
    for pair in board.pairs:
        if not pair.significant:
            console.print(
                f"Version {pair.first.version}: {pair.first.model} and {pair.second.model} do not "
                f"differ significantly ({pair.difference}, p = {pair.difference.p_value:.2g}).",
                markup=False,
            )
    for warning in board.warnings:
        console.print(f"Note: {warning}", markup=False)
