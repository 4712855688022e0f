"""`prefect-freshqa log`."""

from __future__ import annotations

from rich.console import Console

from prefect_freshqa.cli.options import JsonOption, StoreOption, open_store
from prefect_freshqa.cli.output import emit, table


def log(store: StoreOption = "", json: JsonOption = False) -> None:
    """List every version, newest first.

    Example:

        prefect-freshqa log
    """
    from freshqa.store import versions

    found = versions.log(open_store(store))

    def render(console: Console) -> None:
        if not found:
            console.print("No version yet. Next: prefect-freshqa import FILE")
            return
        rows = [
            (v.number, v.as_of, v.kind, v.rows, v.content_hash[:12], ", ".join(v.tags), v.message)
            for v in found
        ]
        columns = ("version", "as of", "kind", "questions", "content hash", "tags", "message")
        console.print(table(f"{len(found)} versions", columns, rows))

    emit({"versions": [version.to_json() for version in found]}, as_json=json, render=render)
