"""Options that many commands share."""

from __future__ import annotations

from datetime import date, datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from freshqa.errors import UsageError
from prefect_freshqa.settings import STORE_VARIABLE, default_store_url

if TYPE_CHECKING:
    from freshqa.store.database import Store

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
    store = Store.open(url, create=create)
    if writes:
        store.require_writable()
    return store


def parse_day(text: str | None, *, default: date | None = None) -> date:
    """Return the date of `--as-of`, today (UTC) when it is not given.

    Raises:
        UsageError: not a date.
    """
    if text is None:
        return default or now().date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"Invalid date {text!r} for --as-of.", "Use YYYY-MM-DD.") from None


def now() -> datetime:
    """Return the clock, read here and nowhere deeper."""
    return datetime.now(timezone.utc)
