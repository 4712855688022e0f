"""`prefect-freshqa rollback`."""

from __future__ import annotations

from typing import Annotated

import typer

from prefect_freshqa.cli.options import (
    AsOfOption,
    JsonOption,
    StoreOption,
    now,
    open_store,
    parse_day,
)
from prefect_freshqa.cli.output import emit


def rollback(
    version: Annotated[int, typer.Argument(metavar="N", help="Version whose rows to take.")],
    message: Annotated[
        str, typer.Option("--message", "-m", help="Message stored with the version.")
    ] = "",
    as_of: AsOfOption = None,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Publish the rows of an earlier version as the newest one; nothing is deleted.

    Example:

        prefect-freshqa rollback 3 --message "Week 12 was checked with a broken engine"
    """
    from freshqa.store import publishing

    info = publishing.rollback(
        open_store(store), version, as_of=parse_day(as_of), now=now(), message=message
    )
    emit(
        info.to_json(),
        as_json=json,
        render=lambda console: console.print(
            f"Version {info.number} as of {info.as_of} holds the rows of version {version}.\n"
            f"Next: prefect-freshqa diff {info.parent} {info.number}"
        ),
    )
