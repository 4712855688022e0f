"""Text as comparable tokens that remember where they stood.

Folded away: case, diacritics, apostrophes, possessives, plural s, citation marks, thousands
separators, the difference between `twenty-two` and `22`, between `3 million` and `3,000,000`.
Kept: every token boundary, so that `12` is never found in `2012`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from freshqa.checking.number_words import ORDINAL_SUFFIXES, SCALES, WORD_VALUES, read_words
from freshqa.checking.word_list import words

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_CITATION = re.compile(r"\[\d{1,3}\]")
_TOKEN = re.compile(
    rf"(?P<number>\d+(?:,\d{{3}})+(?:\.\d+)?|\d+(?::\d\d)+(?:\.\d+)?|\d+(?:\.\d+)*)"
    rf"|(?P<cjk>[{_CJK}])"
    rf"|(?P<word>(?:(?![{_CJK}])[^\W\d_])+(?:['’ʼ](?:(?![{_CJK}])[^\W\d_])+)*)"
    r"|(?P<symbol>[%$€£¥₹°])"
)
_SYMBOLS = {
    "%": "percent",
    "$": "dollar",
    "€": "euro",
    "£": "pound",
    "¥": "yen",
    "₹": "rupee",
    "°": "degree",
}
_ROUND_ZEROS = 3
CURRENCIES = frozenset({"dollar", "euro", "pound", "yen", "rupee", "usd", "eur", "gbp", "inr"})
STOP_WORDS = words(
    "a an the of in on at to by for from with as and or but it its he she they his her "
    "their this that these those there than who whom which what when where why how is are "
    "wa were be been am do doe did ha have had will would can could not no never yet so "
    "far only"
)
"""Words, in comparable form, that say nothing of what a text is about."""
ARTICLES = frozenset({"a", "an", "the"})


@dataclass(frozen=True)
class Token:
    """One token: its comparable form, and its place in the original text.

    Args:
        form: What is compared; for a number its canonical decimal text.
        start, end: Character offsets into the original text.
        value: The number it stands for, or None.
        ordinal: True for `22nd` and `twenty-second`.
        word: True for a number written in words ("one" may be a pronoun).
        precision: For a number, the size of one unit in its last written digit.
    """

    form: str
    start: int
    end: int
    value: Decimal | None = None
    ordinal: bool = False
    word: bool = False
    precision: Decimal = Decimal(1)


@lru_cache(maxsize=512)  # one check reads the same dozen texts ninety times
def tokenise(text: str) -> tuple[Token, ...]:
    """The tokens of a text, in order, articles left out."""
    masked = _CITATION.sub(lambda found: " " * len(found.group()), text)
    masked = "".join(" " if unicodedata.category(c) == "No" else c for c in masked)
    raw = [_token(found) for found in _TOKEN.finditer(masked)]
    return tuple(token for token in _merge_numbers(raw, masked) if token.form not in ARTICLES)


def fold(text: str) -> str:
    """The comparable form of a text: its token forms joined by spaces."""
    return " ".join(token.form for token in tokenise(text))


def fold_word(word: str) -> str:
    """One word without case, diacritics, apostrophes, possessive and plural s."""
    decomposed = unicodedata.normalize("NFKD", word)
    plain = "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()
    plain = re.sub(r"['’ʼ]s$", "", plain)
    plain = re.sub(r"['’ʼ]", "", plain)
    if plain == "seconds":  # "10 seconds" holds no ordinal
        return plain
    if len(plain) > 4 and plain.endswith("ies"):
        return plain[:-3] + "y"
    if len(plain) > 3 and plain.endswith("s") and not plain.endswith(("ss", "us", "is")):
        return plain[:-1]
    return plain


def _token(found: re.Match[str]) -> Token:
    start, end = found.span()
    text = found.group()
    if found.lastgroup == "number":
        return _number(text, start, end)
    if found.lastgroup == "symbol":
        return Token(_SYMBOLS[text], start, end)
    if found.lastgroup == "cjk":
        return Token(unicodedata.normalize("NFKC", text), start, end)
    return Token(fold_word(text), start, end)


def _number(text: str, start: int, end: int) -> Token:
    plain = text.replace(",", "")
    if ":" in plain or plain.count(".") > 1:  # a time (3:43.13) or a version (17.4.1)
        return Token(plain, start, end)
    value = Decimal(plain)
    decimals = len(plain.partition(".")[2])
    precision = Decimal(1).scaleb(-decimals)
    zeros = len(plain) - len(plain.rstrip("0")) if not decimals else 0
    if zeros >= _ROUND_ZEROS:  # 677,000,000 is rounded; 180 need not be
        precision = Decimal(1).scaleb(min(zeros, len(plain) - 1))
    return Token(canonical(value), start, end, value, precision=precision)


def canonical(value: Decimal) -> str:
    """A number as plain decimal text, without an exponent or trailing zeros."""
    text = format(value, "f")
    return (text.rstrip("0").rstrip(".") or "0") if "." in text else text


def _merge_numbers(raw: list[Token], text: str) -> list[Token]:
    merged: list[Token] = []
    position = 0
    while position < len(raw):
        token, position = _next_token(raw, position, text)
        merged.append(token)
    return merged


def _next_token(raw: list[Token], position: int, text: str) -> tuple[Token, int]:
    """The token that starts at `position`, number parts joined, and where the next one starts."""
    first = raw[position]
    if first.value is None and first.form in WORD_VALUES:
        return _words(raw, position, text)
    if first.value is None or position + 1 >= len(raw):
        return first, position + 1
    following = raw[position + 1]
    gap = text[first.end : following.start]
    if following.form in ORDINAL_SUFFIXES and not gap:
        token = Token(first.form, first.start, following.end, first.value, ordinal=True)
        return token, position + 2
    scale = SCALES.get(following.form)
    if scale is not None and gap in ("", " ", "-", "\u00a0"):
        value = first.value * scale
        unit = scale * first.precision
        token = Token(canonical(value), first.start, following.end, value, precision=unit)
        return token, position + 2
    return first, position + 1


def _words(raw: list[Token], position: int, text: str) -> tuple[Token, int]:
    """A number in words: the longest run that reads as one number."""
    forms = []
    for index in range(position, min(position + 8, len(raw))):
        if index > position and text[raw[index - 1].end : raw[index].start].strip(" -\u00a0"):
            break
        forms.append(raw[index].form)
    value, ordinal, used = read_words(forms)
    last = raw[position + used - 1]
    token = Token(
        canonical(value), raw[position].start, last.end, value, ordinal=ordinal, word=True
    )
    return token, position + used
