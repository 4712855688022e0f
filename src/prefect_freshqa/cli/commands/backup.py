"""`prefect-freshqa backup`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from prefect_freshqa.cli.options import JsonOption, StoreOption, now
from prefect_freshqa.cli.output import emit

PrefectDatabaseOption = Annotated[
    str,
    typer.Option(
        "--prefect-database",
        envvar="PREFECT_API_DATABASE_CONNECTION_URL",
        show_default=False,
        metavar="URL",
        help="Also the database of the Prefect server, by its SQLAlchemy URL.",
    ),
]


def backup(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the copies go.")],
    prefect_database: PrefectDatabaseOption = "",
    keep: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Delete all but the newest N copies.")
    ] = None,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Copy the store while it is in use, restore the copy elsewhere and verify every version in it.

    Exit code 1 when the copy does not verify; it is then deleted.

    Example:

        prefect-freshqa backup /srv/backups --keep 8
    """
    from prefect_freshqa.settings import default_store_url
    from prefect_freshqa.tasks.backing_up import back_up

    result = back_up(
        store or default_store_url(),
        folder,
        now=now(),
        prefect_database=prefect_database,
        keep=keep,
    )
    emit(
        result,
        as_json=json,
        render=lambda console: console.print(
            "\n".join([*result["files"], f"{result['versions']} versions verified in the copy."]),
            markup=False,
        ),
    )
