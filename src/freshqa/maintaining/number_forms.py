"""A new number in the forms in which the old answers wrote the old one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from freshqa.facts.token import Token, canonical, rounds_to
from freshqa.facts.tokens import tokenise
from freshqa.number_words import MAX_IN_WORDS, in_words

_MORE_DECIMALS = 2
_BOUND = re.compile(r"(?i)\b(more than|over|nearly|almost|at least|less than|about|around)\b")


def rebuild_numbers(old: Sequence[str], new: str) -> list[str]:
    """Return all accepted forms of a new number.

    Args:
        old: The stored answers, primary first.
        new: The new primary answer, with exactly one number in it.

    Returns:
        The new answer as the old primary wrote its own, then every old alternative that wrote the
        same number, in the new number; without such a pattern, the new answer and, for a small
        whole number, its word. Bounds ("more than 720K") are never carried over.
    """
    number = the_number(new)
    if number is None or number.value is None:
        return [new]
    before = the_number(old[0]) if old else None
    if before is None or before.value is None or not _same_unit(old[0], new):
        return _unique([new, *_in_words(number.value)])
    forms = [_replace(answer, before, number.value) for answer in old]
    first, *rest = forms
    return _unique([first or new, *(form for form in rest if form)])


def the_number(answer: str) -> Token | None:
    """Return the only number of an answer, or None when it has none or several."""
    numbers = [token for token in tokenise(answer) if token.value is not None]
    return numbers[0] if len(numbers) == 1 else None


def _same_unit(old: str, new: str) -> bool:
    """Return False when the new answer names a unit that the old one does not have."""
    new_words = {token.form for token in tokenise(new) if token.value is None}
    old_words = {token.form for token in tokenise(old) if token.value is None}
    return new_words <= old_words or not new_words or not old_words


def _replace(answer: str, before: Token, value: Decimal) -> str | None:
    """Return a stored form with the new number in place of the old one, None when it holds another.

    A form that only rounds the old number ("750K" for 749,718) rounds the new one.
    """
    token = the_number(answer)
    if token is None or token.ordinal or _BOUND.search(answer):
        return None
    rounded = token.value != before.value
    if rounded and not rounds_to(before, token):
        return None
    new = _write_like(answer[token.start : token.end], token, value, rounded=rounded)
    return None if new is None else answer[: token.start] + new + answer[token.end :]


def _write_like(written: str, token: Token, value: Decimal, *, rounded: bool) -> str | None:
    """A value in the style of a written number: words, thousands separators, decimals, scale."""
    if token.word:
        words = _in_words(value)
        return words[0] if words else None
    scale = re.search(r"[\s-]*[A-Za-z]+$", written)
    digits = written[: scale.start()] if scale else written
    factor = token.value / Decimal(digits.replace(",", "")) if scale and token.value else Decimal(1)
    scaled = value / factor
    decimals = len(digits.partition(".")[2])
    exact = canonical(scaled)
    if rounded:
        exact = f"{round(scaled, decimals):.{decimals}f}"
    elif len(exact.partition(".")[2]) > decimals + _MORE_DECIMALS:
        return None
    elif len(exact.partition(".")[2]) < decimals:
        exact = f"{scaled:.{decimals}f}"
    if "," in digits:
        whole, point, part = exact.partition(".")
        exact = f"{int(whole):,}{point}{part}"
    return exact + (scale.group() if scale else "")


def _in_words(value: Decimal) -> list[str]:
    if value == value.to_integral_value() and 0 <= value <= MAX_IN_WORDS:
        return [in_words(int(value))]
    return []


def _unique(forms: list[str]) -> list[str]:
    return list(dict.fromkeys(forms))
