"""Words written as one readable line."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """Split a word list, written as one text, into its words."""
    return frozenset(text.split())
