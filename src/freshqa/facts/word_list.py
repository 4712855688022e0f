"""Words written as one readable line."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """Return the words of a text that is written here for its words."""
    return frozenset(text.split())
