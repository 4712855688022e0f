"""Options that choose rows of a version."""

from __future__ import annotations

from typing import Annotated

import typer

from freshqa.dataset.selection import Selection
from freshqa.errors import UsageError
from prefect_freshqa.cli.options import parse_date

ChangedSinceOption = Annotated[
    str,
    typer.Option(
        "--changed-since",
        metavar="VERSION|DATE",
        help="Only questions that are new, or have another answer, since then.",
    ),
]
ValidOnOption = Annotated[
    str,
    typer.Option(
        "--valid-on", metavar="DATE", help="Only questions whose answer on that day still holds."
    ),
]
TypeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--type", metavar="TYPE", help="Only this fact type, or `false-premise` (repeat)."
    ),
]
SampleOption = Annotated[
    int | None, typer.Option("--sample", metavar="N", help="Draw N questions at random.")
]
StratifyOption = Annotated[
    str,
    typer.Option(
        "--stratify",
        metavar="COLUMN,…",
        help="Keep the shares of these columns in the sample, such as fact_type,num_hops.",
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", help="Random seed for sampling.")]


def selection_of(
    changed_since: str,
    valid_on: str,
    types: list[str] | None,
    sample: int | None,
    stratify: str,
    seed: int,
) -> Selection:
    """Return the selection that the options ask for.

    Raises:
        UsageError: an invalid date, an unknown column or an impossible sample size.
    """
    day = parse_date(valid_on, option="--valid-on") if valid_on else None
    columns = tuple(column.strip() for column in stratify.split(",") if column.strip())
    return Selection(changed_since, day, tuple(types or ()), sample, columns, seed)


def refuse_with_selection(*, server: str, original: bool) -> None:
    """Raise `UsageError` for options that exclude a selection."""
    if server:
        raise UsageError(
            "A selection and --from are mutually exclusive.", "Pull the version, import it, select."
        )
    if original:
        raise UsageError("A selection and --original are mutually exclusive.", "Use one of them.")
