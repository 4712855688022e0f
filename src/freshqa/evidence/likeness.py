"""Find near-identical texts, and texts unrelated to a question."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
    tokens = WORD.findall(text.casefold())
    if text.isascii():
        return tokens
    return [part for word in tokens for part in (_pairs(word) if CJK.search(word) else [word])]


def content_words(text: str) -> frozenset[str]:
    """Stems of content words: shared stems mean that two texts are about the same subject."""
    return frozenset(_stem(word) for word in words(text) if word not in FUNCTION_WORDS)


@dataclass(frozen=True)
class Wording:
    """A text as its words and every three of them in a row."""

    words: tuple[str, ...]
    shingles: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, text: str) -> Wording:
        """Return the wording of a text; up to three words are one sequence."""
        tokens = tuple(words(text))
        if len(tokens) <= SHINGLE:
            return cls(tokens, frozenset([tokens] if tokens else []))
        return cls(tokens, frozenset(zip(tokens, tokens[1:], tokens[2:], strict=False)))

    def copies(self, other: Wording) -> bool:
        """Return True when nearly all of the shorter text is in the longer one.

        A word that only the shorter one has makes it another statement, even where all else is
        alike ("has 27 members", "has 28 members"); only its last word may be cut short.
        """
        shorter, longer = sorted((self, other), key=lambda wording: len(wording.words))
        if not shorter.words or set(shorter.words[:-1]) - set(longer.words):
            return False
        last = shorter.words[-1]
        if last not in longer.words and (
            last.isdigit() or not any(word.startswith(last) for word in longer.words)
        ):
            return False
        return len(shorter.shingles & longer.shingles) >= ALIKE * len(shorter.shingles)


def _pairs(word: str) -> list[str]:
    return [word[i : i + 2] for i in range(len(word) - 1)] or [word]


def _stem(word: str) -> str:
    """A stem common to "wins" and "winning": without the ending, never below four letters."""
    for ending in ("ing", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
