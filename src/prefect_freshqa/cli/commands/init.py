"""`prefect-freshqa init`."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.console import Console

from freshqa.errors import UsageError
from prefect_freshqa.cli.options import JsonOption, StoreOption, open_store
from prefect_freshqa.cli.output import emit, table
from prefect_freshqa.prefect_server import configured_server


def init(
    store: StoreOption = "",
    server: Annotated[
        bool | None,
        typer.Option(
            "--server/--no-server",
            help="Also create work pool, limits and automations on the Prefect server. "
            "Default: when a Prefect server is configured (PREFECT_API_URL, or the active profile) "
            "or --notify is given.",
        ),
    ] = None,
    notify: Annotated[
        str,
        typer.Option(
            metavar="BLOCK",
            help="A saved notification block (slug/name) to tell about failed refreshes, waiting "
            "proposals and exhausted budgets; implies --server.",
        ),
    ] = "",
    json: JsonOption = False,
) -> None:
    """Create the store, or migrate an older one to this release's schema; safe to run again.

    Example:

        prefect-freshqa init --store sqlite:////srv/freshqa/freshqa.db
    """
    if notify and server is False:
        raise UsageError(
            "--notify and --no-server are mutually exclusive.",
            "Notifications are automations of the server: leave out one of the two.",
        )
    from freshqa.store.schema import SCHEMA_REVISION
    from freshqa.store.versions import head

    opened = open_store(store, create=True)
    newest = head(opened)
    result: dict[str, Any] = {
        "store": opened.url,
        "dataset": opened.dataset,
        "schema": SCHEMA_REVISION,
        "version": newest.number if newest else None,
        "server": {},
    }
    wants_server = bool(notify or configured_server()) if server is None else server
    if wants_server:
        # Deferred: the store alone needs no Prefect, which takes two seconds to import.
        from prefect_freshqa.provision.server import provision_server, wait_for_server

        wait_for_server(say=say)
        result["server"] = provision_server(notify=notify, say=say)
    emit(result, as_json=json, render=lambda console: render(console, result))


def say(text: str) -> None:
    """Report on stderr what the command waits for; stdout is reserved for `--json`."""
    typer.echo(text, err=True)


def render(console: Console, result: dict[str, Any]) -> None:
    """Print what exists now, and what to do next."""
    newest = result["version"]
    console.print(
        f"The store {result['store']} is ready (schema {result['schema']}, "
        f"{f'version {newest}' if newest else 'no version yet'}).",
        markup=False,
    )
    if result["server"]:
        console.print(table("Prefect server", ("what", "state"), list(result["server"].items())))
    next_step = "prefect-freshqa due" if newest else "prefect-freshqa import FILE"
    console.print(f"Next: {next_step}", markup=False)
