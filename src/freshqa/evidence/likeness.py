"""Which texts say the same, and which share nothing with a question."""

from __future__ import annotations

import re

WORD = re.compile(r"\w+")
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
SHINGLE = 3
ALIKE = 0.85
"""Share of the shorter text's three-word sequences that the longer one holds."""
_FUNCTION_WORDS = """
a an the of in on at to for from by with and or is are was were be been being do does did has
have had will would can could should may might must this that these those it its their his her he
she they them we you your i my our as if than then so not no what which who whom whose when where
why how many much long old first last latest current currently recent recently now year years there
about into over under most more after before since during between up out
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


def words(text: str) -> list[str]:
    """Words case-folded; Chinese, Japanese and Korean runs as pairs of characters."""
    found = WORD.findall(text.casefold())
    if text.isascii():
        return found
    return [part for word in found for part in (_pairs(word) if CJK.search(word) else [word])]


def content_words(text: str) -> frozenset[str]:
    """Stems of the words that carry meaning: shared ones make two texts about the same thing."""
    return frozenset(_stem(word) for word in words(text) if word not in FUNCTION_WORDS)


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    """Every three words in a row; a shorter text is one sequence."""
    found = words(text)
    if len(found) <= SHINGLE:
        return frozenset([tuple(found)]) if found else frozenset()
    return frozenset(zip(found, found[1:], found[2:], strict=False))


def alike(left: frozenset[tuple[str, ...]], right: frozenset[tuple[str, ...]]) -> bool:
    """True when the shorter of two texts stands nearly whole in the longer one."""
    shorter, longer = sorted((left, right), key=len)
    return bool(shorter) and len(shorter & longer) >= ALIKE * len(shorter)


def _pairs(word: str) -> list[str]:
    return [word[i : i + 2] for i in range(len(word) - 1)] or [word]


def _stem(word: str) -> str:
    """Enough for "wins" and "winning" to meet: the ending off, never below four letters."""
    for ending in ("ing", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
