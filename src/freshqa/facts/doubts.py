"""Differences that leave two answers unclear although they have the same words and numbers.

Everything here is left to a judge: a wrong "same" would hide a change.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from freshqa.facts.token import Token, like_versions
from freshqa.facts.tokens import tokenise
from freshqa.facts.units import CURRENCIES, SIGNS

_BETWEEN = re.compile(r"(?<=\w)(?:\*{1,2}|\^)(?=\w)|(?<=\d)!(?!\w)")
_AFTER_A_DIGIT = re.compile(r"(?<=\d)(?:['’′]|[\"”″])")
"""Feet and inches, minutes and seconds of arc; an even number of them are quotation marks."""
_PLAIN = frozenset("=|~<>+→←↔")
"""Mathematical signs that tokens read, or that only separate words."""
_BRACKETED = re.compile(r"\s*\(\s*[^()\w]{0,2}\d[\d.,]*(?:\s+\w+)?\s*\)\s*")


def doubtful(answer: str, other: str) -> bool:
    """Return True when two answers with the same tokens may still state different facts.

    `√2` and `2`, `5'` and `5"`, `(5)` and `5` (a negative number in accounts), `3.10` and `3.1`.
    """
    if answer == other:
        return False
    if stray_signs(answer) != stray_signs(other):
        return True
    if bool(_BRACKETED.fullmatch(answer)) != bool(_BRACKETED.fullmatch(other)):
        return True
    left, right = tokenise(answer), tokenise(other)
    return any(versions(left, right, a, b) for a, b in zip(left, right, strict=False))


def versions(left: Sequence[Token], right: Sequence[Token], number: Token, other: Token) -> bool:
    """Return True for two numbers that differ as versions (`3.10`, `3.1`) and have no unit."""
    units = {token.form for token in (*left, *right)} & (CURRENCIES | SIGNS)
    last = left[-1] is number or right[-1] is other
    return last and not units and like_versions(number, other)


def stray_signs(answer: str) -> list[str]:
    """Return the signs of an answer that are in no token, in order."""
    covered = {i for token in tokenise(answer) for i in range(token.start, token.end)}
    signs = [
        (i, char)
        for i, char in enumerate(answer)
        if i not in covered and unicodedata.category(char) in ("Sm", "Sc") and char not in _PLAIN
    ]
    signs += [(match.start(), match.group()) for match in _BETWEEN.finditer(answer)]
    for match in _AFTER_A_DIGIT.finditer(answer):
        sign = "'" if match.group() in "'’′" else '"'
        alike = "'’′‘" if sign == "'" else '"”″“'
        if sum(answer.count(char) for char in alike) % 2:
            signs.append((match.start(), sign))
    return [char for _, char in sorted(signs)]
