"""What is known of one question's past."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class ChangeHistory:
    """How often the fact behind a question has changed while it was watched.

    Args:
        changes: Confirmed changes of the fact; corrections and rewordings do not count.
        years: How long it has been watched, in years.
        last_checked: Date of the last check with a result, or None.
    """

    changes: int
    years: float
    last_checked: date | None = None
