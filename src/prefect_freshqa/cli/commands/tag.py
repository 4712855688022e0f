"""`prefect-freshqa tag`."""

from __future__ import annotations

from typing import Annotated

import typer

from prefect_freshqa.cli.options import JsonOption, StoreOption, now, open_store
from prefect_freshqa.cli.output import emit


def tag(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Letters, digits, . _ - and /.")],
    version: Annotated[int, typer.Argument(metavar="N", help="Number of the version.")],
    move: Annotated[
        bool, typer.Option("--move", help="Let an existing tag point at this version.")
    ] = False,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Give a version a name that people and scripts can use.

    Example:

        prefect-freshqa tag paper-v2 3
    """
    from freshqa.store import versions

    info = versions.tag(open_store(store), name, version, now=now(), move=move)
    emit(
        {"tag": name, **info.to_json()},
        as_json=json,
        render=lambda console: console.print(f"{name} is version {info.number}.", markup=False),
    )
