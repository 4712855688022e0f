"""Boundaries of numbers, words and signs in a text."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from freshqa.characters import MARKS
from freshqa.facts.word_list import words
from freshqa.number_words import MONEY_SCALES, ORDINAL_SUFFIXES, SCALES

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_LETTER = rf"(?:(?![{_CJK}])(?:[^\W\d_]|[{MARKS}]))"
_MONEY = "$¢£¤¥֏؋৳฿៛\u20a0-\u20c0"
_TOKEN = re.compile(
    r"(?P<mixed>(?<![\d/.,])\d{1,4}[ \u00a0-]\d{1,2}/\d{1,3}(?![\w/]))"
    r"|(?P<fraction>(?<![\d/.,])\d{1,2}/\d{1,3}(?![\w/]))"
    r"|(?P<power>\d+(?:\.\d+)?(?: ?[x×·*] ?10)?\^-?\d{1,3})"
    r"|(?P<number>\d{1,3}(?:\u00a0\d{3})+(?!\d)|\d+(?:,\d{3})+(?:\.\d+)?"
    r"|\d{1,2}(?:,\d{2})+,\d{3}(?!\d)|\d+(?::\d\d)+(?:\.\d+)?|\d+(?:\.\d+)*|(?<![\w.])\.\d+)"
    r"|(?P<money>(?<!\w)(?:US|AU|CA|NZ|HK|[ACSR])\$)"
    rf"|(?P<cjk>[{_CJK}])"
    rf"|(?P<word>{_LETTER}+(?:['’ʼ]{_LETTER}+)*(?:\+\+|\+(?!\w)|\#(?!\w)|♭)?)"
    rf"|(?P<symbol>[%‰{_MONEY}°℃])"
    r"|(?P<bound><=|>=|!=|[<>≤≥≠~±]|\+(?=\.?\d))"
    rf"|(?P<minus>(?<![\w)\]])(?<!\d )-(?=[{_MONEY}]? ?\.?\d))"
)
_MONEY_CODES = words("usd eur gbp jpy inr chf cny aud cad nzd hkd sgd brl mxn sek krw rs")
_PLUS = re.compile(r"\+(?!\w)")
_SUFFIX_MINUS = re.compile(r"-(?![\w-])")
_STAR = re.compile(r"\*(?![\w*])")
_LONGEST_GRADE = 4
UNITS = words(
    "m km cm mm mi ft in yd kg g mg lb oz t l ml h hr hrs min s sec ms am pm mph kph kmh km kw mw gw "
    "kwh w v a hz khz mhz ghz kb mb gb tb c f k x bp bps usd eur gbp inr st nd rd th mn bn tn year"
)
"""Letters that may follow a number without a space and count something: `5km` is `5 km`."""
WORD_UNITS = frozenset({*ORDINAL_SUFFIXES, "million", "billion", "trillion"})


def plain_word(word: str) -> str:
    """Return a word without case and Latin and Greek diacritics; `ё` is `е`, `й` is not `и`."""
    plain = word.casefold()
    if plain.isascii():
        return plain
    return "".join(map(_plain_letter, unicodedata.normalize("NFKC", plain)))


@lru_cache(maxsize=4096)
def _plain_letter(letter: str) -> str:
    if _CYRILLIC.match(letter):
        return letter.replace("ё", "е")
    decomposed = unicodedata.normalize("NFKD", letter)
    return "".join(c for c in decomposed if not 0x300 <= ord(c) < 0x370)


_CYRILLIC = re.compile("[\u0400-\u052f]")


@dataclass(frozen=True)
class Piece:
    """A match of the pattern, extended by letters or marks that belong to it."""

    kind: str
    text: str
    start: int
    end: int


def pieces(text: str) -> list[Piece]:
    """Return the numbers, words and signs of a text in plain characters, in order."""
    found_pieces: list[Piece] = []
    position = 0
    while (match := _TOKEN.search(text, position)) is not None:
        kind, start, end = match.lastgroup or "", match.start(), match.end()
        if kind == "number":
            end = _glued(text, end, money=_after_money(found_pieces, start))
            kind = "glued" if end > match.end() else kind
        elif kind == "word":
            end = _with_mark(text, start, end)
        found_pieces.append(Piece(kind, text[start:end], start, end))
        position = end
        if kind in ("number", "glued") and (more := _PLUS.match(text, end)):
            found_pieces.append(Piece("more", "+", end, more.end()))
            position = more.end()
    return found_pieces


_DECADE = re.compile(r"(?<![\d.])(?:\d\d)?\d0\Z")
_LETTERS = re.compile(rf"{_LETTER}+\d*")


def _glued(text: str, end: int, *, money: bool = False) -> int:
    """Where a number ends that letters belong to: `4o` and `1990s`, not `5km`, `4th` or `$4B`."""
    letters = _LETTERS.match(text, end)
    if letters is None:
        return end
    form = plain_word(letters.group())
    if money and form in MONEY_SCALES:
        return end
    if letters.group() == "M":  # millions or metres
        return letters.end()
    if form == "s" and _DECADE.search(text[:end]):
        return letters.end()
    return end if form in UNITS or form in SCALES or form in WORD_UNITS else letters.end()


def _after_money(before: list[Piece], start: int) -> bool:
    """Return True for a number right after a currency: `$5`, `EUR 5`."""
    if not before or before[-1].end < start - 1:
        return False
    last = before[-1]
    code = last.kind == "word" and last.text.casefold() in _MONEY_CODES
    return code or last.kind == "money" or (last.kind == "symbol" and last.text in _MONEY)


def _with_mark(text: str, start: int, end: int) -> int:
    """Where a word ends that a mark belongs to: `AA-`, `A*`, `Cl-`."""
    word = text[start:end]
    if len(word) == 2 and word.istitle() and _SUFFIX_MINUS.match(text, end):
        return end + 1
    if len(word) <= _LONGEST_GRADE and word.isupper():
        if _SUFFIX_MINUS.match(text, end):
            return end + 1
        if len(word) == 1 and _STAR.match(text, end):
            return end + 1
    return end
