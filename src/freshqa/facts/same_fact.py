"""Do two answers state the same fact? The only module that decides it.

`relation` compares two short answers and leaves doubt open. Of two stored answers one has to be
right, so doubt counts as another fact: `is_replaced` for two primary answers, `same_fact` for two
rows of answers, primary first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from itertools import pairwise

from rapidfuzz import fuzz

from freshqa.dates.mentions import read_date
from freshqa.facts.doubts import doubtful
from freshqa.facts.token import Token, rounds_to
from freshqa.facts.tokens import fold, tokenise
from freshqa.facts.units import CURRENCIES, DOLLARS, SIGNS
from freshqa.facts.verdicts import is_verdict, same_verdict
from freshqa.facts.word_list import words

_FILLERS = words("in on of at is was it by")
_MANY = words(
    "half quarter third dozen score couple pair other plus minus times per each not no non only"
)
"""Words that make another quantity of a number next to them."""
_TURNED = words("not never neither nor either or no non except without former ex unlike isn't")
"""Words that make a name another answer."""
HEDGES = words(
    "over more than least nearly almost about approximately around roughly under below above less "
    "fewer up between some circa"
)
"""Words that make a number a bound or a guess."""
_MAX_TOKENS = 6
_MAX_NAMES = 5
_LIST = re.compile(
    r"\s(?:and|&)\s|;|,\s*(?!(?:jr|sr|inc|ltd)\b)(?:(?:and|&)\s+)?(?=\D)", re.IGNORECASE
)


SENTENCE = 6
"""From this many words on, two answers that are much alike are one, reworded."""
_MUCH_ALIKE = 80.0


class Relation(str, Enum):
    """The relation of one answer to another."""

    same = "same"
    variant = "variant"  # the same person with more or fewer of the middle names
    different = "different"
    unclear = "unclear"


@lru_cache(maxsize=4096)  # one change, and one check, compares the same few answers many times
def relation(answer: str, other: str) -> Relation:
    """Compare two short answers by form alone; anything doubtful is `unclear`.

    `different` is said only of two dates, two plain quantities or two numbers with the same words:
    two names may be two names of one person.
    """
    if is_verdict(answer) and is_verdict(other):
        agree = same_verdict(answer, other)
        if agree is None:
            return Relation.unclear
        return Relation.same if agree else Relation.different
    first, second = read_date(answer), read_date(other)
    if first and second:
        if first.agrees(second) or second.agrees(first):
            coarser = second.day is not None and first.day is None
            return Relation.unclear if coarser else Relation.same
        return Relation.different if first.contradicts(second) else Relation.unclear
    left, right = _content(answer), _content(other)
    if not left or not right:
        return (
            Relation.same
            if answer.strip() and answer.strip() == other.strip()
            else Relation.unclear
        )
    if [(t.form, t.ordinal) for t in left] == [(t.form, t.ordinal) for t in right]:
        return Relation.unclear if doubtful(answer, other) else Relation.same
    if is_list(answer) and is_list(other) and members(answer) == members(other):
        return Relation.same
    if _same_person(answer, other):
        return Relation.variant
    numbers_say = _numbers(left, right)
    if numbers_say is Relation.same and doubtful(answer, other):
        return Relation.unclear
    return numbers_say


def is_same(answer: str, other: str) -> bool:
    """Return True when two answers certainly state the same fact, in whatever form."""
    return relation(answer, other) in (Relation.same, Relation.variant)


def is_replaced(old: str, new: str) -> bool:
    """Return True when the new primary answer does not state the fact of the old one.

    Two long answers that are much alike state one fact, unless a number gave way to another.
    """
    if old == new or is_same(old, new):
        return False
    if min(len(old.split()), len(new.split())) < SENTENCE:
        return True
    before, after = numbers(old), numbers(new)
    if before - after and after - before:
        return True
    return fuzz.ratio(fold(old), fold(new)) < _MUCH_ALIKE


def numbers(answer: str) -> frozenset[Decimal]:
    """Return the numbers that an answer names, in digits or words."""
    return frozenset(token.value for token in tokenise(answer) if token.value is not None)


def same_fact(old: Sequence[str], new: Sequence[str]) -> bool:
    """Return True when two rows of answers, primary first, state the same fact.

    The primary answer stayed, or gave way to an alternative that was there already, while most of
    the old answers stayed: one left-over alternative does not make it the same fact.
    """
    if not old or not new:
        return not old and not new
    if not is_replaced(old[0], new[0]):
        return True
    if not any(is_same(new[0], answer) for answer in old):
        return False
    kept = sum(any(is_same(answer, other) for other in new) for answer in old)
    return any(is_same(old[0], answer) for answer in new) or 2 * kept > len(old)


def contains(name: str, other: str) -> bool:
    """True when one name has all words of the other and neither is a list, a date or a number."""
    if is_list(name) or is_list(other) or read_date(name) or read_date(other):
        return False
    left, right = set(fold(name).split()), set(fold(other).split())
    shorter, longer = sorted((left, right), key=len)
    if not shorter or any(token.value is not None for token in tokenise(name)):
        return False
    more = longer - shorter
    return shorter <= longer and not more & _TURNED and all(len(word) > 1 for word in more)


def is_list(answer: str) -> bool:
    """Return True when an answer names several things ("A and B", "A, B")."""
    return _LIST.search(answer) is not None


def list_parts(answer: str) -> list[str]:
    """Return the things that a list answer names, as written."""
    return [part.strip() for part in _LIST.split(answer) if part and part.strip()]


def members(answer: str) -> frozenset[str]:
    """Return the things that a list answer names, in comparable form."""
    forms = (" ".join(token.form for token in _content(part)) for part in list_parts(answer))
    return frozenset(forms) - {""}


@lru_cache(maxsize=4096)
def _content(answer: str) -> tuple[Token, ...]:
    return tuple(token for token in tokenise(answer) if token.form not in _FILLERS)


def _same_person(name: str, other: str) -> bool:
    """True for `Lena Ostrow` and `Lena Marie Ostrow`: first and last name, others between."""
    shorter, longer = sorted((name.split(), other.split()), key=len)
    if not len(shorter) == 2 < len(longer) <= _MAX_NAMES:  # of two middle names, which one?
        return False
    if not all(word[:1].isupper() and word[1:2] != "" for word in (*shorter, *longer[-1:])):
        return False
    left, right = [fold(word) for word in shorter], [fold(word) for word in longer]
    remaining = iter(right)
    between = all(word in remaining for word in left)
    return between and left[0] == right[0] and left[-1] == right[-1]


def _numbers(left: Sequence[Token], right: Sequence[Token]) -> Relation:
    """Return two short answers of one number each, with the same words around it or none."""
    numbers = [t for t in left if t.value is not None]
    others = [t for t in right if t.value is not None]
    if len(numbers) != 1 or len(others) != 1 or len(left) > _MAX_TOKENS:
        return Relation.unclear
    number, other = numbers[0], others[0]
    if number.bound != other.bound or number.ordinal != other.ordinal:
        opposed = {number.bound[:1], other.bound[:1]} in ({"<", ">"}, {"≤", ">"}, {"<", "≥"})
        return Relation.different if opposed else Relation.unclear
    equal = number.value == other.value
    if _money(left) and _money(right) and not _money(left) & _money(right):
        certain = equal and not (_money(left) | _money(right)) <= DOLLARS
        return Relation.different if certain else Relation.unclear
    words = {t.form for t in left if t.value is None} - CURRENCIES
    other_words = {t.form for t in right if t.value is None} - CURRENCIES
    if (words | other_words) & HEDGES or (words and other_words and words != other_words):
        return Relation.unclear
    if _other_unit(left, words, right, other_words):
        return Relation.unclear
    if equal:
        turned = (words ^ other_words) & (_MANY | SIGNS)
        named = _in_a_name(left) != _in_a_name(right)
        return Relation.unclear if turned or named else Relation.same
    if rounds_to(number, other) or rounds_to(other, number):
        return Relation.unclear
    return Relation.different


def _other_unit(
    left: Sequence[Token], words: set[str], right: Sequence[Token], others: set[str]
) -> bool:
    """Return True for money beside a unit that is not known as money: `$5` and `5 zł`."""
    return bool(
        (_money(left) and others and not _money(right))
        or (_money(right) and words and not _money(left))
    )


def _in_a_name(tokens: Sequence[Token]) -> bool:
    """Return True where letters come right before a number: `F16`, not `$5`."""
    return any(
        token.value is not None
        and previous.end == token.start
        and previous.form.isalpha()
        and previous.form not in CURRENCIES
        for previous, token in pairwise(tokens)
    )


def _money(tokens: Sequence[Token]) -> frozenset[str]:
    return frozenset(token.form for token in tokens if token.form in CURRENCIES)
