"""`prefect-freshqa account`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from prefect_freshqa.cli.options import JsonOption
from prefect_freshqa.cli.output import emit


def account(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name recorded with decisions.")],
    role: Annotated[
        str,
        typer.Option(
            help="reader (views), reviewer (decides) or publisher (publishes, resolves conflicts)."
        ),
    ] = "reviewer",
    file: Annotated[
        Path, typer.Option(metavar="FILE", help="File of accounts; created if missing.")
    ] = Path("accounts.json"),
    no_token: Annotated[
        bool,
        typer.Option("--no-token", help="Set the role only: a trusted proxy signs the person in."),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Add a person who may sign in to the review desk, or give them a new token and role.

    Prints the token once; the file holds only its scrypt hash.

    Example:

        prefect-freshqa account ada --role publisher --file accounts.json
    """
    from prefect_freshqa.desk.accounts import add_account

    token = add_account(file, name, role, token=not no_token)
    shown = f"Token (shown once): {token}" if token else "No token: a proxy signs this person in."
    emit(
        {"name": name, "role": role, "file": str(file), "token": token},
        as_json=json,
        render=lambda console: console.print(
            f"{name} is a {role} in {file}.\n{shown}", markup=False
        ),
    )
