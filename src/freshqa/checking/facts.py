"""Do two short answers state the same fact?"""

from __future__ import annotations

import re
from enum import Enum

from freshqa.checking.dates import read_date
from freshqa.checking.tokens import CURRENCIES, Token, tokenise

_FILLERS = frozenset(
    ["about", "approximately", "around", "roughly", "in", "on", "of", "at", "is", "was", "it", "by"]
)
_LIST = re.compile(r"\s(?:and|&)\s|;|,\s*(?!(?:jr|sr|inc|ltd)\b)(?=\D)", re.IGNORECASE)


class Relation(str, Enum):
    """How one answer stands to another."""

    same = "same"
    different = "different"
    unclear = "unclear"


def relation(one: str, other: str) -> Relation:
    """Compare two short answers by form alone; anything doubtful is `unclear`.

    `different` is said only of two dates, two plain quantities or two numbers with the same words:
    two names may be two names of one person.
    """
    first, second = read_date(one), read_date(other)
    if first and second:
        if first.agrees(second) or second.agrees(first):
            coarser = second.day is not None and first.day is None
            return Relation.unclear if coarser else Relation.same
        return Relation.different if first.contradicts(second) else Relation.unclear
    mine, theirs = _content(one), _content(other)
    if not mine or not theirs:
        return Relation.unclear
    if [t.form for t in mine] == [t.form for t in theirs]:
        return Relation.same
    if is_list(one) and is_list(other) and members(one) == members(other):
        return Relation.same
    return _numbers(mine, theirs)


def is_list(answer: str) -> bool:
    """True when an answer names several things ("A and B", "A, B")."""
    return _LIST.search(answer) is not None


def list_parts(answer: str) -> list[str]:
    """The things that a list answer names, as written."""
    return [part.strip() for part in _LIST.split(answer) if part and part.strip()]


def members(answer: str) -> frozenset[str]:
    """The things that a list answer names, in comparable form."""
    forms = (" ".join(token.form for token in _content(part)) for part in list_parts(answer))
    return frozenset(forms) - {""}


def _content(answer: str) -> list[Token]:
    return [token for token in tokenise(answer) if token.form not in _FILLERS]


def _numbers(mine: list[Token], theirs: list[Token]) -> Relation:
    """Two answers of one number each: same value, same units (or none given) → same."""
    one = [t for t in mine if t.value is not None]
    other = [t for t in theirs if t.value is not None]
    if len(one) != 1 or len(other) != 1:
        return Relation.unclear
    words = {t.form for t in mine if t.value is None} - CURRENCIES
    others = {t.form for t in theirs if t.value is None} - CURRENCIES
    if words and others and words != others:
        return Relation.unclear
    if one[0].value == other[0].value:
        return Relation.same
    return Relation.different
