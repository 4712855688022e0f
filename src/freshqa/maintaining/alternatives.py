"""Do the alternatives of an answer still state the fact that the primary answer states?"""

from __future__ import annotations

from collections.abc import Sequence

from freshqa.facts.same_fact import HEDGES, Relation, is_replaced, is_same, relation
from freshqa.facts.token import Token
from freshqa.facts.tokens import fold, tokenise

SHORT = 2
"""An alternative with more words than this beside its number is a sentence, not a form of it."""


def contradicting(primary: str, alternatives: Sequence[str]) -> tuple[str, ...]:
    """Alternatives that state another date or number than the primary answer.

    Only what is certain: names and sentences never contradict, rounded and hedged numbers
    (`676 million` beside `676,728,782`, `nearly 19 years`) do not either.
    """
    return tuple(a for a in alternatives if a != primary and _contradicts(primary, a))


def left_over(old: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    """Alternatives of the old fact that were kept although the primary answer is another fact.

    Args:
        old: Answers before, primary first.
        new: Answers after, primary first.
    """
    if not old or not new or not is_replaced(old[0], new[0]):
        return ()
    before = {fold(answer) for answer in old}
    return tuple(
        answer
        for answer in new[1:]
        if fold(answer) in before and not _fits(answer, new[0]) and fold(answer) != fold(new[0])
    )


def _contradicts(primary: str, alternative: str) -> bool:
    if relation(primary, alternative) is not Relation.different:
        return False
    left, right = tokenise(primary), tokenise(alternative)
    words = [token.form for token in (*left, *right) if token.value is None]
    if any(word in HEDGES for word in words):
        return False
    if max(_words(left), _words(right)) > SHORT:
        return False
    number, other = _number(left), _number(right)
    return number is None or other is None or not _rounds(number, other)


def _fits(alternative: str, primary: str) -> bool:
    """Return True when an old alternative may also express the new primary answer."""
    left, right = set(fold(alternative).split()), set(fold(primary).split())
    if left <= right or right <= left:
        return True
    number, other = _number(tokenise(alternative)), _number(tokenise(primary))
    if number is not None and other is not None:
        return _rounds(number, other) or not HEDGES.isdisjoint(left)
    return is_same(alternative, primary)


def _words(tokens: Sequence[Token]) -> int:
    return sum(token.value is None for token in tokens)


def _number(tokens: Sequence[Token]) -> Token | None:
    numbers = [token for token in tokens if token.value is not None]
    return numbers[0] if len(numbers) == 1 else None


def _rounds(number: Token, other: Token) -> bool:
    """True when one number is the other one, cut or rounded to the precision it is written in."""
    if number.value is None or other.value is None:
        return False
    coarser = max(number.precision, other.precision)
    gap = abs(number.value - other.value)
    plain = coarser == 1 and number.precision == other.precision
    return gap < coarser or (not plain and gap == coarser)
