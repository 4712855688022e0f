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
    found = verifying.verify(opened, number)
    corrupt = [one for one in found if one.status == "corrupt"]
    emit(
        {"ok": not corrupt, "versions": [one.to_json() for one in found]},
        as_json=json,
        render=lambda console: render(console, found),
    )
    if corrupt:
        raise typer.Exit(1)


def render(console: Console, found: Sequence[Verification]) -> None:
    """One line for all that is well, a table for what is not."""
    counts = {s: sum(one.status == s for one in found) for s in ("ok", "redacted", "corrupt")}
    rows = [
        (one.number, one.status, " ".join([*one.problems, *one.redacted]))
        for one in found
        if one.status != "ok"
    ]
    if rows:
        console.print(table("not as published", ("version", "status", "what"), rows))
    told = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    console.print(f"{len(found)} versions: {told or 'nothing to verify'}.")
