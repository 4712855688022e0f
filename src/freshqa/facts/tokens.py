"""Text as comparable tokens with their positions.

Folded away: case, Latin diacritics, apostrophes, possessives, plural s, citation marks, thousands
separators, the difference between `twenty-two` and `22`, between `3 million` and `3,000,000`,
between a minus sign and a hyphen, a full-width character and a plain one.
Kept: every token boundary, so that `12` is never found in `2012`; signs, bounds, powers and
fractions of a number (`-5`, `<5`, `5+`, `10⁶`, `3½`); marks that belong to a word (`C++`, `AA-`);
a single letter (`Type A`); currencies.
"""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from freshqa.characters import unify
from freshqa.facts.pieces import Piece, pieces, plain_word
from freshqa.facts.token import Token, canonical, fraction_token, number_token, power_token
from freshqa.facts.word_list import words
from freshqa.number_words import (
    MONEY_SCALES,
    ORDINAL_SUFFIXES,
    SCALES,
    WORD_VALUES,
    read_words,
)

_CITATION = re.compile(r"\[\d{1,3}\]")

_BOUNDS = {"<=": "≤", ">=": "≥", "!=": "≠"}
_SYMBOLS = {
    "%": "percent",
    "‰": "permille",
    "$": "dollar",
    "US$": "dollar",
    "AU$": "aud",
    "A$": "aud",
    "CA$": "cad",
    "C$": "cad",
    "NZ$": "nzd",
    "HK$": "hkd",
    "S$": "sgd",
    "R$": "brl",
    "€": "euro",
    "£": "pound",
    "¥": "yen",
    "¢": "cent",
    "₹": "rupee",
    "₩": "won",
    "₽": "ruble",
    "°": "degree",
}
_MONEY_NAMES = {
    "usd": "dollar",
    "eur": "euro",
    "gbp": "pound",
    "jpy": "yen",
    "inr": "rupee",
    "krw": "won",
    "rub": "ruble",
    "rouble": "ruble",
    "chf": "franc",
    "rs": "rupee",
    "cny": "yuan",
    "rmb": "yuan",
    "renminbi": "yuan",
}
CURRENCIES = frozenset(
    {*_MONEY_NAMES, *_MONEY_NAMES.values(), "aud", "cad", "nzd", "hkd", "sgd", "brl", "mxn", "sek"}
    | {"cent"}
)
"""Comparable forms of currencies; codes count as the currency they name."""
DOLLARS = frozenset({"dollar", "aud", "cad", "nzd", "hkd", "sgd"})
"""Currencies that are written with the same sign; which one is meant may be left out."""
SIGNS = frozenset({"percent", "permille", "degree", "bc", "bce"})
"""Units, and eras, that no number goes without by accident."""
STOP_WORDS = words(
    "a an the of in on at to by for from with as and or but it its he she they his her "
    "their this that these those there than who whom which what when where why how is are "
    "wa were be been am do doe did ha have had will would can could not no never yet so "
    "far only"
)
"""Words, in comparable form, that say nothing of what a text is about."""
ARTICLES = frozenset({"a", "an", "the"})


@lru_cache(maxsize=512)  # one check reads the same dozen texts ninety times
def tokenise(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text, in order, articles left out."""
    plain, offsets = unify(text)
    masked = _CITATION.sub(lambda match: " " * len(match.group()), plain)
    raw = [_token(piece) for piece in pieces(masked)]
    tokens = [t for t in _merge_numbers(raw, masked) if not _is_article(t, masked)]
    if plain is text:
        return tuple(tokens)
    offsets.append(len(text))
    return tuple(
        replace(t, start=offsets[t.start], end=offsets[t.end - 1] + 1 if t.end else 0)
        for t in tokens
    )


_SENTENCE_START = re.compile(r"(?:\A|[.!?:;\"“”'‘(\[]\s*|\n\s*)\Z")
_WORD_FOLLOWS = re.compile(r"\s+\w")
_SMALL_FOLLOWS = re.compile(r"\s+[a-z]")


def _is_article(token: Token, text: str) -> bool:
    """Return True for an article; `A` in "Type A" and "Hepatitis A is common" is a letter."""
    if token.form not in ARTICLES:
        return False
    written = text[token.start : token.end]
    if written not in ("a", "A"):
        return True
    if not _WORD_FOLLOWS.match(text, token.end):
        return False
    starts = _SENTENCE_START.search(text[max(0, token.start - 3) : token.start])
    return written == "a" or bool(starts) or not _SMALL_FOLLOWS.match(text, token.end)


def fold(text: str) -> str:
    """Return the comparable form of a text: its token forms joined by spaces."""
    return " ".join(token.form for token in tokenise(text))


def fold_word(word: str) -> str:
    """Return one word without case, Latin diacritics, apostrophes, possessive and plural s."""
    plain = plain_word(word)
    plain = re.sub(r"['’ʼ]s$", "", plain)
    plain = re.sub(r"['’ʼ]", "", plain)
    if plain == "seconds":  # "10 seconds" holds no ordinal
        return plain
    if len(plain) > 4 and plain.endswith("ies"):
        return plain[:-3] + "y"
    if len(plain) > 3 and plain.endswith("s") and not plain.endswith(("ss", "us", "is")):
        return plain[:-1]
    return plain


def _token(piece: Piece) -> Token:
    kind, text, start, end = piece.kind, piece.text, piece.start, piece.end
    if kind == "number":
        return number_token(text, start, end)
    if kind in ("mixed", "fraction"):
        return fraction_token(text, start, end)
    if kind == "power":
        return power_token(text, start, end)
    if kind == "symbol":
        return Token(_SYMBOLS.get(text, text), start, end)
    if kind in ("bound", "minus", "more"):
        return Token(_BOUNDS.get(text, text), start, end, bound=kind)
    if kind == "glued":
        return Token(plain_word(text).replace(",", ""), start, end)
    if kind == "money":
        return Token(_SYMBOLS[text], end - 1, end)
    form = fold_word(text)
    return Token(_MONEY_NAMES.get(form, form) if kind == "word" else form, start, end)


def _merge_numbers(raw: list[Token], text: str) -> list[Token]:
    """Number parts joined, and what is written with a number (sign, bound) made part of it."""
    merged: list[Token] = []
    position = 0
    held: list[Token] = []
    while position < len(raw):
        token, position = _next_token(raw, position, text)
        if token.bound == "more":
            if merged and merged[-1].value is not None:
                merged[-1] = _bounded(merged[-1], "≥", merged[-1].start, token.end)
            continue
        if token.bound:
            held.append(token)
            continue
        if token.value is not None and token.value >= 0:
            token, held = _signed(token, held, merged)
        elif held and token.form not in CURRENCIES and token.form not in _SYMBOLS.values():
            merged += [replace(sign, bound="") for sign in held]
            held = []
        merged.append(token)
    return merged + [replace(sign, bound="") for sign in held]


_MINUS = frozenset({"minu", "minus", "negative"})


def _signed(token: Token, held: list[Token], merged: list[Token]) -> tuple[Token, list[Token]]:
    """Return a number with the sign and the bound before it."""
    start = token.start
    for sign in held:
        start = min(start, sign.start)
        if sign.form == "-":
            value = -(token.value or Decimal(0))
            token = replace(token, value=value, form=canonical(value))
    if (
        merged
        and not held
        and merged[-1].form in _MINUS
        and not (len(merged) > 1 and merged[-2].value is not None)
    ):
        start = merged.pop().start
        value = -(token.value or Decimal(0))
        token = replace(token, value=value, form=canonical(value))
    signs = "".join(sign.form for sign in held if sign.form != "-")
    if any(previous.start > start for previous in merged):  # "-$5": the sign is the number's
        start = token.start
    return _bounded(token, signs, start, token.end) if signs else replace(token, start=start), []


def _bounded(token: Token, bound: str, start: int, end: int) -> Token:
    return replace(token, form=f"{bound}{token.form}", bound=bound, start=start, end=end)


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
    if scale is None and not gap and position and raw[position - 1].form in CURRENCIES:
        scale = MONEY_SCALES.get(following.form)
    if scale is not None and gap in ("", " ", "-", "\u00a0"):
        value = first.value * scale
        unit = scale * first.precision
        token = Token(canonical(value), first.start, following.end, value, precision=unit)
        return token, position + 2
    return first, position + 1


def _words(raw: list[Token], position: int, text: str) -> tuple[Token, int]:
    """Return a number in words: the longest run that reads as one number."""
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
