"""Options that many commands share."""

from __future__ import annotations

import os
import re
from datetime import date, datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from freshqa.errors import UsageError
from prefect_freshqa.settings import (
    DATASET_VARIABLE,
    STORE_VARIABLE,
    configured_dataset,
    default_store_url,
)

if TYPE_CHECKING:
    from freshqa.store.database import Store

DATASET_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def use_dataset(name: str) -> str:
    """Make this process, and the flows that it runs, use a dataset.

    Raises:
        UsageError: not a name of a dataset.
    """
    if not name:
        return name
    if not DATASET_NAME.fullmatch(name):
        raise UsageError(
            f"Invalid value for --dataset: {name[:80]!r}.", "Use letters, digits, . _ and -."
        )
    os.environ[DATASET_VARIABLE] = name  # flow parameters name blocks, which know their dataset
    return name


JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object to stdout.")]
StoreOption = Annotated[
    str,
    typer.Option(
        "--store",
        envvar=STORE_VARIABLE,
        show_default=False,
        metavar="URL",
        help="SQLAlchemy URL of the store. Default: a SQLite file in your data directory.",
    ),
]
DatasetOption = Annotated[
    str,
    typer.Option(
        "--dataset",
        envvar=DATASET_VARIABLE,
        show_default=False,
        metavar="NAME",
        callback=use_dataset,
        expose_value=False,
        help="Dataset in the store. Default: freshqa.",
    ),
]
"""Every command with `--store` has it, without a parameter; see `lazy_group`."""
VersionOption = Annotated[
    int | None, typer.Option("--version", metavar="N", help="Version number. Default: the newest.")
]
TagOption = Annotated[str | None, typer.Option("--tag", metavar="TAG", help="Version by tag.")]
AsOfOption = Annotated[
    str | None,
    typer.Option("--as-of", metavar="DATE", help="Date as YYYY-MM-DD. Default: today."),
]


def open_store(url: str, *, create: bool = False, writes: bool = False) -> Store:
    """Return the store behind `--store`; without a URL, the user's own SQLite file.

    Args:
        writes: The command writes after work that takes time or money.

    Raises:
        StoreError: the database does not answer or has no schema yet; with `writes`, it is read-only.
    """
    from freshqa.store.database import Store

    url = url or default_store_url()
    if create and url.startswith("sqlite:///"):
        Path(url.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
    store = Store.open(url, dataset=configured_dataset(), create=create)
    if writes:
        store.require_writable()
    return store


def parse_day(text: str | None, *, default: date | None = None) -> date:
    """Return the date of `--as-of`; when it is not given, the default, else today (UTC).

    Raises:
        UsageError: not a date.
    """
    return (default or now().date()) if text is None else parse_date(text, option="--as-of")


def parse_date(text: str, *, option: str) -> date:
    """Return the date of an option.

    Raises:
        UsageError: not a date.
    """
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"Invalid date {text!r} for {option}.", "Use YYYY-MM-DD.") from None


def now() -> datetime:
    """Return the current time (UTC); no deeper code reads the clock."""
    return datetime.now(timezone.utc)
