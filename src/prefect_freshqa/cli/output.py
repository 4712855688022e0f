"""How a command prints: one JSON object for scripts, or tables for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text


def emit(
    result: dict[str, Any], *, as_json: bool, render: Callable[[Console], None] | None = None
) -> None:
    """Print a command's result.

    Args:
        result: The JSON object of the contract; dates, decimals and enums are allowed in it.
        as_json: Print exactly that object to stdout.
        render: Prints the same for a person; without it, the object is printed indented.
    """
    if as_json:
        print(json.dumps(result, ensure_ascii=False, default=plain))
    elif render is None:
        print(json.dumps(result, ensure_ascii=False, default=plain, indent=2))
    else:
        render(Console(soft_wrap=not sys.stdout.isatty()))


def plain(value: Any) -> Any:
    """JSON form of what JSON lacks: ISO 8601 times, decimal strings, names of enums."""
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Decimal):
        return str(value)
    raise TypeError(f"no JSON form for {type(value).__name__}")


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    """Return a table of plain cells; text from outside is never read as markup."""
    drawn = Table(title=title, title_justify="left", header_style="bold")
    for column in columns:
        drawn.add_column(column, overflow="fold")
    for row in rows:
        drawn.add_row(*(Text("" if cell is None else str(cell)) for cell in row))
    return drawn


def progress_to_stderr() -> Console:
    """Send progress to stderr, so that stdout stays clean for pipes."""
    return Console(stderr=True)
