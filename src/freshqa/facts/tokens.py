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
from functools import lru_cache

from freshqa.characters import unify
from freshqa.facts.number_parts import MINUS, merge_numbers
from freshqa.facts.pieces import Piece, pieces, plain_word
from freshqa.facts.token import Token, fraction_token, number_token, power_token
from freshqa.facts.units import MONEY_NAMES, SYMBOLS
from freshqa.facts.word_list import words
from freshqa.number_words import SCALES, WORD_VALUES

_CITATION = re.compile(r"\[\d{1,3}\]")

_BOUNDS = {"<=": "≤", ">=": "≥", "!=": "≠"}
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
    simple = simple_tokens(text)
    return any_tokens(text) if simple is None else simple


def any_tokens(text: str) -> tuple[Token, ...]:
    """Return the tokens of any text, numbers of several words made one."""
    plain, offsets = unify(text)
    masked = _CITATION.sub(lambda match: " " * len(match.group()), plain)
    raw = [_token(piece) for piece in pieces(masked)]
    tokens = [t for t in merge_numbers(raw, masked) if not _is_article(t, masked)]
    if plain is text:
        return tuple(tokens)
    offsets.append(len(text))
    return tuple(
        t._replace(start=offsets[t.start], end=offsets[t.end - 1] + 1 if t.end else 0)
        for t in tokens
    )


_SIMPLE = re.compile(r"(?:[A-Za-z]+|[0-9]+)(?:[,.;:]? (?:[A-Za-z]+|[0-9]+))*[.?]?")
"""Words and whole numbers with a space between: most answers, and most questions."""
_SIMPLE_PIECE = re.compile(r"[A-Za-z]+|[0-9]+")
_PARTS_OF_NUMBERS = frozenset({*WORD_VALUES, *SCALES, *MINUS})


def simple_tokens(text: str) -> tuple[Token, ...] | None:
    """Return the tokens of a text of independent words and numbers; None for any other text."""
    if not _SIMPLE.fullmatch(text):
        return None
    tokens = []
    for match in _SIMPLE_PIECE.finditer(text):
        written = match.group()
        start, end = match.span()
        if written[0].isdigit():
            tokens.append(number_token(written, start, end))
            continue
        form = fold_word(written)
        form = MONEY_NAMES.get(form, form)
        if form in _PARTS_OF_NUMBERS:
            return None
        tokens.append(Token(form, start, end))
    return tuple(token for token in tokens if not _is_article(token, text))


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


_APOSTROPHE = re.compile("['’ʼ]")
_POSSESSIVE = re.compile("['’ʼ]s$")


@lru_cache(maxsize=4096)
def fold_word(word: str) -> str:
    """Return one word without case, Latin diacritics, apostrophes, possessive and plural s."""
    plain = plain_word(word)
    if _APOSTROPHE.search(plain):
        plain = _APOSTROPHE.sub("", _POSSESSIVE.sub("", plain))
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
        return Token(SYMBOLS.get(text, text), start, end)
    if kind in ("bound", "minus", "more"):
        return Token(_BOUNDS.get(text, text), start, end, bound=kind)
    if kind == "glued":
        return Token(plain_word(text).replace(",", ""), start, end)
    if kind == "money":
        return Token(SYMBOLS[text], end - 1, end)
    form = fold_word(text)
    return Token(MONEY_NAMES.get(form, form) if kind == "word" else form, start, end)
