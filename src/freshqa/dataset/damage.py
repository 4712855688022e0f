"""What spreadsheets and wrong encodings did to cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Damage:
    """One cell that does not say what its author wrote.

    Args:
        row: Row number as a spreadsheet shows it (from 1, header and preamble counted).
        column: Official column.
        kind: What happened to it.
        text: What the file says.
        repaired: What it probably said; None when that cannot be told.
        certain: Whether no other original is possible.
    """

    row: int
    column: str
    kind: str
    text: str
    repaired: str | None = None
    certain: bool = False

    def to_json(self) -> dict[str, Any]:
        """A record for reports."""
        return dict(vars(self))
