"""`prefect-freshqa serve`."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Annotated

import typer

from freshqa.errors import UsageError
from prefect_freshqa.cli.options import JsonOption, StoreOption, open_store
from prefect_freshqa.cli.output import emit


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on; 0 for any free one.")] = 8420,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Serve only versions, without sign-in.")
    ] = False,
    accounts: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Accounts of people who sign in; see `account`."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="Address of a trusted reverse proxy; repeatable."),
    ] = None,
    user_header: Annotated[
        str,
        typer.Option(metavar="HEADER", help="Header in which that proxy names the signed-in user."),
    ] = "",
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="HOST", help="Host name that the server answers to; repeatable."),
    ] = None,
    second_review: Annotated[
        str,
        typer.Option(
            metavar="CLASSES",
            help="Proposals that need two independent decisions: none, or a list of premise, "
            "never-changing, classification. Default: all three with --accounts or --user-header.",
        ),
    ] = "",
    reports: Annotated[
        bool,
        typer.Option("--reports", help="Offer a public form for reporting wrong answers."),
    ] = False,
    by: Annotated[
        str,
        typer.Option(
            help="Reviewer name where signing in is not required. Default: the name of the account.",
            envvar="PREFECT_FRESHQA_REVIEWER",
        ),
    ] = "",
    secret_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Key that signs cookies; created if missing."),
    ] = None,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Serve the review desk and the versions over HTTP, until Ctrl-C.

    Listens on loopback only; any other address needs --accounts, or --proxy with
    --user-header, or --read-only.

    Example:

        prefect-freshqa serve --port 8420
    """
    from prefect_freshqa.desk.settings import RISKY, DeskSettings
    from prefect_freshqa.settings import default_secret_file, prefect_ui_url

    signs_in = accounts is not None or bool(user_header)
    classes = tuple(part.strip() for part in second_review.split(",") if part.strip())
    if not classes:
        classes = RISKY if signs_in else ()
    settings = DeskSettings(
        host=host,
        port=port,
        read_only=read_only,
        accounts=accounts,
        proxies=tuple(proxy or ()),
        user_header=user_header,
        names=tuple(name or ()),
        local_user=by.strip() or getpass.getuser(),
        second_review=() if classes == ("none",) else classes,
        secret_file=secret_file or (None if read_only and not reports else default_secret_file()),
        reports=reports,
        prefect_url=prefect_ui_url(),
    )
    if user_header and not proxy:
        raise UsageError(
            "--user-header needs --proxy; otherwise any client could send that header.",
            "Add --proxy ADDRESS, the address of the reverse proxy.",
        )
    run(settings, store, json=json)


def run(settings: object, store: str, *, json: bool) -> None:
    """Listen, say where, and serve until the process is stopped."""
    from prefect_freshqa.desk.application import create_application
    from prefect_freshqa.desk.serving import end_on_sigterm, listen, serve_on
    from prefect_freshqa.desk.settings import DeskSettings

    assert isinstance(settings, DeskSettings)
    end_on_sigterm()
    application = create_application(open_store(store), settings)
    with listen(settings.host, settings.port) as socket:
        host, port = socket.getsockname()[:2]
        url = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        kind = "Versions" if settings.read_only else "Review desk and versions"
        emit(
            {"url": url, "read_only": settings.read_only},
            as_json=json,
            render=lambda console: console.print(f"{kind}: {url} (Ctrl-C ends it)", markup=False),
        )
        serve_on(application, socket)
