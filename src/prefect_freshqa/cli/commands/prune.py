"""`prefect-freshqa prune`."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import Annotated

import typer

from prefect_freshqa.cli.options import JsonOption, StoreOption, now, open_store
from prefect_freshqa.cli.output import emit


def prune(
    older_than: Annotated[
        int,
        typer.Option(
            "--older-than", min=1, metavar="DAYS", help="Minimum age of the calls to empty."
        ),
    ] = 365,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only count the calls, and empty none.")
    ] = False,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Empty old recorded searches, completions and pages; hashes, costs and dates stay.

    The calls of runs with a published, accepted or open proposal stay whole.

    Example:

        prefect-freshqa prune --older-than 365 --dry-run
    """
    from freshqa.store.pruning import prune as prune_calls

    pruned = prune_calls(
        open_store(store), before=now() - timedelta(days=older_than), dry_run=dry_run
    )
    verb = "would be emptied" if dry_run else "emptied"
    emit(
        {**asdict(pruned), "dry_run": dry_run},
        as_json=json,
        render=lambda console: console.print(
            f"{pruned.searches} searches, {pruned.completions} completions and {pruned.pages} pages "
            f"{verb}; "
            f"the calls of {pruned.runs_kept} runs are kept whole."
        ),
    )
