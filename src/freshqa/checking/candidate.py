"""A possible answer that the evidence names, for a reviewer to pick."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Candidate:
    """A possible answer.

    Args:
        text: As written in the evidence.
        sources: Number of independent domains that have it.
    """

    text: str
    sources: int

    def __str__(self) -> str:
        return f"{self.text} ({self.sources} source{'s' if self.sources != 1 else ''})"
