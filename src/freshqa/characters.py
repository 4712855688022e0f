"""Unify characters that mean the same; keep those that carry meaning.

A minus sign is a hyphen, a full-width digit a digit, a no-break space a space; a superscript, a
fraction and a vowel sign stay what they are.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_DASHES = "\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d"
_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-", strict=True))
_SAME = {
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys("≈∼〜～≃≅", "~"),
    **dict.fromkeys("≦⩽", "≤"),
    **dict.fromkeys("≧⩾", "≥"),
    **dict.fromkeys("\u00a0\u202f\u2009\u2007", "\u00a0"),
    **dict.fromkeys("™℠®©", " "),
    "♯": "#",
    "⁄": "/",
}
_CYRILLIC = re.compile("[\u0400-\u052f]")
_LATIN_MARKS = range(0x300, 0x370)
_VARIATION = (*range(0xFE00, 0xFE10), 0x034F)
MARKS = "".join(
    chr(code)
    for block in ((0x483, 0x1D00), (0x20D0, 0x2100), (0x3099, 0x309B), (0xA66F, 0xAC00))
    for code in range(*block)
    if unicodedata.category(chr(code)).startswith("M")
)
"""Marks that are part of a word: vowel signs of Thai, Hindi, Burmese and others."""


def unify(text: str) -> tuple[str, list[int]]:
    """Return a text in plain characters, and for each of them its offset in the original.

    `10⁶` becomes `10^6`, `3½` becomes `3 1/2`, `5ºC` becomes `5°C`; ASCII stays as it is.
    """
    if text.isascii():
        return text, list(range(len(text)))
    parts: list[str] = []
    offsets: list[int] = []
    raised = False
    for offset, char in enumerate(text):
        before = parts[-1][-1:] if parts else ""
        plain = _plain(char)
        composed = unicodedata.normalize("NFC", before + char) if ord(char) in _LATIN_MARKS else ""
        if len(composed) == 1 and _CYRILLIC.match(composed):  # `й` is a letter of its own
            parts[-1] = parts[-1][:-1] + composed
        if char in _SUPERSCRIPTS:
            exponent = before.isdigit() or before == ")"
            plain = ("^" if exponent and not raised else "") + _SUPERSCRIPTS[char]
            if not exponent and not raised and _closes_a_word(parts):
                plain = " "  # a note, not a power
        elif len(plain) > 1 and "/" in plain and before.isdigit():  # `3½`, not `9/11`
            plain = " " + plain
        elif char == "º" and before.isdigit():
            plain = "°"
        raised = char in _SUPERSCRIPTS
        if plain:
            parts.append(plain)
            offsets += [offset] * len(plain)
    return "".join(parts), offsets


def _closes_a_word(parts: list[str]) -> bool:
    """True after four letters or more, or after a mark: what is raised there is a note."""
    last = "".join(parts[-4:])
    return not last[-1:].isalpha() or (len(last) >= 4 and last.isalpha())


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    if char in _SAME:
        return _SAME[char]
    category = unicodedata.category(char)
    if category == "Cf" or ord(char) in _LATIN_MARKS or ord(char) in _VARIATION:
        return ""
    if category == "Zs":
        return " "
    kind = unicodedata.decomposition(char).partition(" ")[0]
    if category == "No" and kind not in ("<fraction>", "<sub>"):
        return " "  # circled and the like
    if kind.startswith("<"):
        return unicodedata.normalize("NFKC", char).replace("⁄", "/")
    return char
