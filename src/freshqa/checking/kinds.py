"""Is an answer of the kind that the question asks for?

Small models answer "2023" where a number of months is asked for, or repeat a name of the question.
The stored answer shows what kind is wanted.
"""

from __future__ import annotations

import re

from freshqa.answering.premise import YES_NO
from freshqa.dataset.question import Question
from freshqa.dates.mentions import find_dates
from freshqa.facts.tokens import STOP_WORDS, tokenise
from freshqa.facts.verdicts import is_verdict
from freshqa.facts.word_list import words

_YEAR = re.compile(r"(?:19|20)\d\d")
_SPANS = words("year month week day hour minute old")
_CHOICE = re.compile(r"\bor\b", re.IGNORECASE)


def wanted_kind(answer: str, question: Question) -> str:
    """Return the kind that is asked for when an answer is of another one; "" when it may be right.

    Args:
        answer: An answer standing alone.
        question: The stored row.
    """
    stored = question.primary
    if is_verdict(stored) and not is_verdict(answer):
        return "yes or no"
    if is_verdict(answer) and not is_verdict(stored) and not YES_NO.match(question.text):
        return "what the question asks for, not yes or no"
    if len(find_dates(stored)) > len(find_dates(answer)) == 1:
        return "the first and the last day"
    if _YEAR.fullmatch(answer.strip()):
        if any(mention.month for mention in find_dates(stored)):
            return "a date with its month, not a year"
        spans = {token.form for token in tokenise(stored)} & _SPANS
        if spans and not _YEAR.fullmatch(stored.strip()):
            return "how long or how old, not a year"
    return "something that the question does not say itself" if _echoes(answer, question) else ""


def _echoes(answer: str, question: Question) -> bool:
    """True when every word of an answer is the question's, which offers no choice."""
    asked = {token.form for token in tokenise(question.text)}
    said, stored = (
        {token.form for token in tokenise(text)} - STOP_WORDS for text in (answer, question.primary)
    )
    return (
        bool(said) and said <= asked and not stored <= asked and not _CHOICE.search(question.text)
    )
