"""Text that was encoded as UTF-8 and decoded as something else, once or twice."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

CHAINS = (("gbk", "gbk"), ("gbk",), ("cp1252", "cp1252"), ("cp1252",), ("mac_roman",))
"""Wrong codecs, in the order in which they have to be undone."""
TYPOGRAPHIC = "\u2010\u2011\u2012\u2013\u2014\u2015\u2018\u2019\u201a\u201c\u201d\u201e\u2022\u2026\u2032\u2033"
MARKS = ("Ã", "Â", "â€")
"""What UTF-8 looks like in the Western codec."""
ESTABLISHED = 3
"""This many cells explained by one chain make it certain for the whole file."""


@dataclass(frozen=True)
class Undone:
    """The earlier text of a cell, the codecs, and whether a mark was in it that is never written."""

    text: str
    chain: tuple[str, ...]
    marked: bool = False


def undo(text: str) -> Undone | None:
    """Return the text before it was misread; None when no chain explains it without loss.

    Every step must turn all of the text into bytes and back: a cell in which a byte was lost, or
    which holds a right character beside the wrong ones, is not explained.
    """
    if text.isascii():
        return None
    for chain in CHAINS:
        misread, undone = text, text
        try:
            for codec in chain:
                misread, undone = undone, _bytes(undone, codec).decode("utf-8")
        except UnicodeError:
            continue
        if not undone.isascii() and _plausible(undone, misread, wide=chain[0] == "gbk"):
            marked = chain[0] == "cp1252" and any(mark in text for mark in MARKS)
            return Undone(undone, chain, marked)
    return None


def suspicious(text: str) -> bool:
    """Return whether a cell looks misread although no chain explains it: characters that never meet.

    A Chinese character that touches a Latin letter or a digit, a replacement character, or a
    character that stands for no writing at all.
    """
    if text.isascii():
        return False
    for before, after in pairwise(text):
        if _wide(before) and after.isascii() and after.isalnum():
            return True
        if _wide(after) and before.isascii() and before.isalnum():
            return True
    return any(unicodedata.category(c) in ("Co", "Cn") or c == "\ufffd" for c in text)


def established(undone: Iterable[Undone]) -> set[tuple[str, ...]]:
    """Chains that certainly apply to the whole file.

    One pair of characters may occur together by chance (a Chinese name, `É’`); a quotation mark or
    dash of three, the marks that UTF-8 leaves in a Western codec, or several cells, are not a coincidence.
    """
    counts: Counter[tuple[str, ...]] = Counter()
    sure: set[tuple[str, ...]] = set()
    for result in undone:
        counts[result.chain] += 1
        if result.marked or any(mark in result.text for mark in TYPOGRAPHIC):
            sure.add(result.chain)
    return sure | {chain for chain, count in counts.items() if count >= ESTABLISHED}


def _bytes(text: str, codec: str) -> bytes:
    if codec != "cp1252":
        return text.encode(codec)
    parts = []
    for character in text:  # bytes that Windows leaves undefined come through as controls
        try:
            parts.append(character.encode(codec))
        except UnicodeEncodeError:
            parts.append(character.encode("latin-1"))
    return b"".join(parts)


def _plausible(undone: str, text: str, *, wide: bool) -> bool:
    """Return whether the result is plausible text and the input was not."""
    latin = all(
        c.isascii() or "\u00a1" <= c <= "\u024f" or "\u1e00" <= c <= "\u1eff" or _symbol(c)
        for c in undone
    )
    if wide:
        return latin and any(_wide(c) or "\ue000" <= c <= "\uf8ff" for c in text)
    letters = all(c.isascii() or c.isalpha() or c in TYPOGRAPHIC or _symbol(c) for c in undone)
    by_chance = sum(not c.isascii() for c in undone) == 1 and any(c in TYPOGRAPHIC for c in text)
    marked = any(mark in text for mark in MARKS)  # `É’` is a letter and an apostrophe, not `ɒ`
    return letters and len(undone) < len(text) and (marked or not by_chance)


def _symbol(character: str) -> bool:
    return character in TYPOGRAPHIC or "\u20a0" <= character <= "\u20bf" or character in "°²³½¼¾×™"


def _wide(character: str) -> bool:
    return "\u2e80" <= character <= "\ufaff" or "\uff00" <= character <= "\uffef"
