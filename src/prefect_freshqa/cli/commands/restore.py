"""`prefect-freshqa restore`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from prefect_freshqa.cli.options import JsonOption, StoreOption
from prefect_freshqa.cli.output import emit


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A copy that `backup` made.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Overwrite an existing store.")
    ] = False,
    database: Annotated[
        bool,
        typer.Option(
            "--prefect", help="FILE is a backup of the Prefect server; it is not verified."
        ),
    ] = False,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Restore a store from a copy and verify every version in it. Stop workers and the server first.

    Example:

        prefect-freshqa restore /srv/backups/freshqa-20260309T060000Z.db --store sqlite:////srv/freshqa/freshqa.db
    """
    from freshqa.store.backup import restore_database
    from prefect_freshqa.settings import default_store_url
    from prefect_freshqa.tasks.backing_up import verify_all

    url = store or default_store_url()
    restore_database(file, url, replace=replace)
    versions = None if database else verify_all(url)
    emit(
        {"restored": str(file), "versions": versions},
        as_json=json,
        render=lambda console: console.print(
            f"Restored {file}: {versions} versions verified." if versions else f"Restored {file}.",
            markup=False,
        ),
    )
