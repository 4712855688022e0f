"""Differences of two texts, and the position of a quote."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

Part = tuple[str, bool]
"""A piece of text, and whether it is marked."""
_WORD = re.compile(r"\s+|\w+|[^\w\s]")
MAX_WORDS = 2000


def changed_words(old: str, new: str) -> tuple[list[Part], list[Part]]:
    """Return the old text with what was removed marked, and the new one with what was added."""
    before, after = _WORD.findall(old), _WORD.findall(new)
    if not old or not new or len(before) + len(after) > MAX_WORDS:
        return [(old, True)] if old else [], [(new, True)] if new else []
    left: list[Part] = []
    right: list[Part] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        changed = kind != "equal"
        left.append(("".join(before[a:b]), changed))
        right.append(("".join(after[c:d]), changed))
    return _joined(left), _joined(right)


def _joined(parts: Sequence[Part]) -> list[Part]:
    """The parts without gaps of mere space between two marked ones, and without empty ones."""
    joined: list[Part] = []
    for place, (text, changed) in enumerate(parts):
        inside = 0 < place < len(parts) - 1 and not text.strip()
        changed = changed or (inside and parts[place - 1][1] and parts[place + 1][1])
        if joined and joined[-1][1] == changed:
            joined[-1] = (joined[-1][0] + text, changed)
        elif text:
            joined.append((text, changed))
    return joined


def marked(text: str, quotes: Sequence[str]) -> list[Part]:
    """Return the text with every occurrence of a quote marked, whatever its case."""
    spans: list[tuple[int, int]] = []
    for quote in quotes:
        if quote.strip():
            pattern = r"\s+".join(map(re.escape, quote.split()))
            spans += [m.span() for m in re.finditer(pattern, text, re.IGNORECASE)]
    parts: list[Part] = []
    at = 0
    for start, end in sorted(spans):
        if end <= at:
            continue
        start = max(start, at)
        parts += [(text[at:start], False), (text[start:end], True)]
        at = end
    parts.append((text[at:], False))
    return [part for part in parts if part[0]]
