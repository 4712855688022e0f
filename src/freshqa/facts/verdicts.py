"""Answers that are a yes or a no, and what is said after it."""

from __future__ import annotations

import re

from freshqa.facts.tokens import tokenise
from freshqa.facts.word_list import words

_VERDICT = re.compile(
    r"^\W*(yes|no)(?=\W*$|\s*[,;:–—]|\s+-\s|[.!](?:\s+\D|\Z))(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_NEXT_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\D)|\n+")
_QUALIFIED = words(
    "but only until till except unles if unless though although however while wherea whereas despite "
    "partly partially mostly almost nearly depend depending sometime sometimes some most few limited "
    "provided probably possibly perhap perhaps maybe likely reportedly allegedly may might could yet "
    "temporarily formerly previously technically half"
)
"""Words after yes or no that make it less than a yes or a no."""


def is_verdict(answer: str) -> bool:
    """Return True when an answer is a yes or a no, or a sentence that starts with one."""
    return bool(yes_or_no(answer))


def find_verdict(verdict: str, text: str) -> int | None:
    """Where a text, or a sentence of it, gives the same plain yes or no; None when nowhere."""
    starts = [0, *(found.end() for found in _NEXT_SENTENCE.finditer(text))]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        for said in (text[start:end], text[start:] if not start else ""):
            if is_verdict(said) and same_verdict(verdict, said):
                return start + len(said) - len(said.lstrip())
    return None


def yes_or_no(answer: str) -> str:
    """`yes` or `no` where an answer is one, or a sentence that starts with one."""
    found = _VERDICT.match(answer)
    return found.group(1).casefold() if found else ""


def same_verdict(one: str, other: str) -> bool | None:
    """True or False for two answers that start with yes or no; None where one takes it back."""
    mine, theirs = _after_verdict(one), _after_verdict(other)
    agree = yes_or_no(one) == yes_or_no(other)
    if agree and mine == theirs:
        return True
    turned = {False: _QUALIFIED, True: _QUALIFIED | {"not", "never", "no"}}
    for answer, rest in ((one, mine), (other, theirs)):
        if set(rest) & turned[yes_or_no(answer) == "yes"]:
            return None
    return agree


def _after_verdict(answer: str) -> list[str]:
    found = _VERDICT.match(answer)
    return [token.form for token in tokenise(found["rest"])] if found else []
