"""`prefect-freshqa datasets`."""

from __future__ import annotations

from prefect_freshqa.cli.options import JsonOption, StoreOption, open_store
from prefect_freshqa.cli.output import emit, table


def datasets(store: StoreOption = "", json: JsonOption = False) -> None:
    """List the datasets of a store; every command takes the name of one with --dataset.

    Each has its own versions, tags, runs and proposals. `init --dataset NAME` makes a new one.

    Example:

        prefect-freshqa datasets
    """
    from freshqa.store.backup import datasets as list_datasets

    records = [dataset.to_json() for dataset in list_datasets(open_store(store))]
    columns = ("name", "versions", "as_of", "questions")
    emit(
        {"datasets": records},
        as_json=json,
        render=lambda console: console.print(
            table("datasets", columns, [[record[c] for c in columns] for record in records])
        ),
    )
