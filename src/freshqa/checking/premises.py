"""Do two rebuttals of a false premise say the same?"""

from __future__ import annotations

from freshqa.dates.mentions import find_dates
from freshqa.facts.tokens import STOP_WORDS, tokenise

_SHARED = 0.5


def same_rebuttal(response: str, stored: str, *, question: str) -> bool:
    """True when a response that rejects the premise says nothing else than a stored rebuttal.

    It shares words with it, and repeats every number in it that the question does not have: "seven
    living former prime ministers" is not "eight".

    Args:
        response: Text of a response that rejects the premise.
        stored: A stored answer of a false-premise question.
    """
    wanted = {token.form for token in tokenise(stored)} - STOP_WORDS
    said = {token.form for token in tokenise(response)}
    if not wanted or len(wanted & said) < _SHARED * len(wanted):
        return False
    return own_numbers(stored, question) <= said


def own_numbers(text: str, question: str) -> set[str]:
    """Numbers of a text that neither the question has nor a date or year is."""
    asked = {token.form for token in tokenise(question)}
    dates = find_dates(text)
    return {
        token.form
        for token in tokenise(text)
        if token.value is not None
        and token.form not in asked
        and not any(mention.start <= token.start < mention.end for mention in dates)
        and not 1900 <= token.value <= 2100
    }
