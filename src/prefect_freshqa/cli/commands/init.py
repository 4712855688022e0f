"""`prefect-freshqa init`."""

from __future__ import annotations

from prefect_freshqa.cli.options import JsonOption, StoreOption, open_store
from prefect_freshqa.cli.output import emit


def init(store: StoreOption = "", json: JsonOption = False) -> None:
    """Create the store, or bring an older one to this release's schema; safe to run again.

    Example:

        prefect-freshqa init --store sqlite:////srv/freshqa/freshqa.db
    """
    from freshqa.store.schema import SCHEMA_REVISION
    from freshqa.store.versions import head

    opened = open_store(store, create=True)
    newest = head(opened)
    result = {
        "store": opened.url,
        "dataset": opened.dataset,
        "schema": SCHEMA_REVISION,
        "version": newest.number if newest else None,
    }
    next_step = "prefect-freshqa due" if newest else "prefect-freshqa import FILE"
    emit(
        result,
        as_json=json,
        render=lambda console: console.print(
            f"The store {opened.url} is ready (schema {SCHEMA_REVISION}, "
            f"{f'version {newest.number}' if newest else 'no version yet'}).\nNext: {next_step}",
            markup=False,
        ),
    )
