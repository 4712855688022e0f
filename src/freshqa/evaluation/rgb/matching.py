"""Does a text hold an answer? Two rules: ours, with token boundaries, and the authors' substring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from freshqa.checking.find import SupportKind, find


def holds(alternatives: Sequence[str], text: str) -> bool:
    """Return True when the text holds one of the alternatives: same words, number or date.

    `12` is not found in `2012`, and `January 2, 2022` is found in `2 Jan 2022`.
    """
    for alternative in alternatives:
        found = find(alternative, text)
        if found is not None and found.kind is not SupportKind.soft:
            return True
    return False


def official_labels(reply: str, answer: Any) -> list[int]:
    """One 0 or 1 per part, by substring of the lower-cased reply (`checkanswer` in `evalue.py`)."""
    text = reply.lower()
    parts = answer if isinstance(answer, list) else [answer]
    labels = []
    for part in parts:
        alternatives = part if isinstance(part, list) else [part]
        labels.append(int(any(alternative.lower() in text for alternative in alternatives)))
    return labels
