"""`prefect-freshqa publish`."""

from __future__ import annotations

from typing import Annotated

import typer

from prefect_freshqa.cli.options import JsonOption, StoreOption, open_store, parse_day
from prefect_freshqa.cli.output import emit


def publish(
    message: Annotated[
        str, typer.Option("--message", "-m", help="What the version is about.")
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
    """Turn every accepted proposal into the next version, if validation allows it.

    Runs the Prefect flow `publish-release` in this process. A refused draft changes nothing: its
    proposals stay accepted, the report says what to fix.

    Example:

        prefect-freshqa publish --message "Week 11"
    """
    opened = open_store(store, writes=True)
    from freshqa.store.new_versions import read_draft

    day = parse_day(as_of) if as_of else None
    draft = read_draft(opened)
    draft.require_proposals()
    from prefect_freshqa.cli.flow_runs import quiet_prefect, run_tagged, use_store
    from prefect_freshqa.flows.publish import publish_release
    from prefect_freshqa.tasks.publishing import validate_before_the_flow

    use_store(store)
    quiet_prefect()
    # a draft that is refused costs neither a flow run nor the start of a temporary server
    validate_before_the_flow(opened, draft, as_of=day or draft.checked_on)
    result = run_tagged(publish_release, message=message, as_of=day)
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
