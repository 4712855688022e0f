"""`prefect-freshqa diff`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from prefect_freshqa.cli.options import JsonOption, StoreOption, open_store
from prefect_freshqa.cli.output import emit

if TYPE_CHECKING:
    from freshqa.dataset.diff import DatasetDiff

NAMES = "Number, tag, or date (the last version up to that day)."


def diff(
    old: Annotated[str, typer.Argument(metavar="A", help=f"Version to start from. {NAMES}")],
    new: Annotated[str, typer.Argument(metavar="B", help=f"Version to compare. {NAMES}")],
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Show what was added, removed and changed from one version to another, field by field.

    Example:

        prefect-freshqa diff 2024-02-05 2024-03-11
    """
    from freshqa.store.changes import diff as diff_versions
    from freshqa.store.versions import named_version

    opened = open_store(store)
    first, second = named_version(opened, old), named_version(opened, new)
    difference = diff_versions(opened, first.number, second.number)
    emit(
        {"from": first.number, "to": second.number, **difference.to_json()},
        as_json=json,
        render=lambda console: render(console, difference, first.number, second.number),
    )


def render(console: Console, difference: DatasetDiff, old: int, new: int) -> None:
    """One line per added or removed question; each changed field with its old and new text."""
    for question in difference.added:
        console.print(Text(f"+ {question.key}  {question.text}", "green"))
    for question in difference.removed:
        console.print(Text(f"- {question.key}  {question.text}", "red"))
    for change in difference.changed:
        console.print(Text(f"~ {change.key}  {change.question}"))
        for column, field in change.fields.items():
            line = Text(f"    {column}: ")
            line.append(one_line(field.old), "red").append(" → ").append(
                one_line(field.new), "green"
            )
            console.print(line)
    console.print(
        f"Version {old} to {new}: {len(difference.added)} added, "
        f"{len(difference.removed)} removed, {len(difference.changed)} changed."
    )


def one_line(text: str) -> str:
    """A cell on one line; an empty one is shown as such."""
    return text.replace("\n", " ⏎ ") or "(empty)"
