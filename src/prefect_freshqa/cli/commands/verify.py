"""`prefect-freshqa verify`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from prefect_freshqa.cli.options import JsonOption, StoreOption, VersionOption, open_store
from prefect_freshqa.cli.output import emit, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from freshqa.store.verifying import Verification


def verify(
    version: VersionOption = None,
    all: Annotated[bool, typer.Option("--all", help="Every version.")] = False,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Recompute every hash and report corrupt versions. Exit code 1 if there is one.

    Example:

        prefect-freshqa verify --all
    """
    from freshqa.store import verifying, versions

    opened = open_store(store)
    number = None if all else versions.find(opened, number=version).number
    results = verifying.verify(opened, number)
    corrupt = [result for result in results if result.status == "corrupt"]
    emit(
        {"ok": not corrupt, "versions": [result.to_json() for result in results]},
        as_json=json,
        render=lambda console: render(console, results),
    )
    if corrupt:
        raise typer.Exit(1)


def render(console: Console, results: Sequence[Verification]) -> None:
    """Print one line for intact versions and a table of the others."""
    counts = {
        s: sum(result.status == s for result in results) for s in ("ok", "redacted", "corrupt")
    }
    rows = [
        (result.number, result.status, " ".join([*result.problems, *result.redacted]))
        for result in results
        if result.status != "ok"
    ]
    if rows:
        console.print(table("not as published", ("version", "status", "what"), rows))
    told = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    console.print(f"{len(results)} versions: {told or 'nothing to verify'}.")
