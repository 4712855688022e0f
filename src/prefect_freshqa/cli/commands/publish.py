"""`prefect-freshqa publish`."""

from __future__ import annotations

import os
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

import typer

from prefect_freshqa.cli.options import JsonOption, StoreOption, now, open_store, parse_day
from prefect_freshqa.cli.output import emit
from prefect_freshqa.prefect_server import has_prefect_server
from prefect_freshqa.settings import STORE_VARIABLE

if TYPE_CHECKING:
    from freshqa.store.database import Store
    from freshqa.store.proposals import Draft


def publish(
    message: Annotated[
        str, typer.Option("--message", "-m", help="Message stored with the version.")
    ] = "",
    as_of: Annotated[
        str | None,
        typer.Option(
            metavar="DATE",
            help="Date of the content. Default: the day that the newest proposal was checked for.",
        ),
    ] = None,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Publish all accepted proposals as the next version, if validation passes.

    Runs the Prefect flow `publish-release` in this process where a Prefect server is configured
    (`PREFECT_API_URL`, or the active profile), and the same steps without Prefect where none is. A
    refused draft changes nothing: its proposals stay accepted, the report says what to fix.

    Example:

        prefect-freshqa publish --message "Week 11"
    """
    opened = open_store(store, writes=True)
    from freshqa.store.proposals import read_draft

    day = parse_day(as_of) if as_of else None
    draft = read_draft(opened)
    draft.require_proposals()
    if store:  # flow parameters carry no URL
        os.environ[STORE_VARIABLE] = store
    day = day or draft.checked_on
    result = publish_draft(opened, draft, as_of=day, message=message, in_flow=has_prefect_server())
    validation = result["validation"]
    emit(
        result,
        as_json=json,
        render=lambda console: console.print(
            f"Published version {result['version']} as of {result['as_of']}: "
            f"{result['proposals']} proposals, {len(validation['warnings'])} warnings.\n"
            f"content hash {result['content_hash']}\n"
            f"Next: prefect-freshqa diff {result['parent']} {result['version']}"
        ),
    )


def publish_draft(
    store: Store, draft: Draft, *, as_of: date, message: str, in_flow: bool
) -> dict[str, Any]:
    """Validate the draft, then publish it.

    Args:
        in_flow: Publish in a run of the flow, which the UI of the Prefect server shows.

    Returns:
        See `publication_record`.

    Raises:
        Refused: validation found errors; no flow run was started.
        Conflict: another process published first.
    """
    if not in_flow:
        from prefect_freshqa.publication import publish_without_prefect

        return publish_without_prefect(store, draft, as_of=as_of, now=now(), message=message)
    from prefect_freshqa.cli.flow_runs import quiet_prefect, run_tagged
    from prefect_freshqa.flows.publish import publish_release
    from prefect_freshqa.tasks.publishing import validate_before_the_flow

    quiet_prefect()
    validate_before_the_flow(store, draft, as_of=as_of)
    result: dict[str, Any] = run_tagged(publish_release, message=message, as_of=as_of)
    return result
