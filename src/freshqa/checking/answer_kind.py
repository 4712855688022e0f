"""Is an answer of the kind that the question asks for?

Small models answer "2023" where a number of months is asked for, or repeat a name of the question.
The stored answer shows what kind is wanted.
"""

from __future__ import annotations

import re

from freshqa.answering.premise import YES_NO
from freshqa.dataset.question import Question
from freshqa.dates.forms import BARE_YEAR
from freshqa.dates.mentions import find_dates, read_date
from freshqa.facts.tokens import STOP_WORDS, tokenise
from freshqa.facts.verdicts import is_verdict
from freshqa.facts.word_list import words

_SPANS = words("year month week day hour minute old")
_NUMBER = re.compile(
    r"\b(?:how (?:many|much|old|long|far|tall|often|big|large|high)|when"
    r"|(?:what|which) (?:\w+ )?(?:year|date|day|time|number|percentage|score|age|season|episode))\b",
    re.IGNORECASE,
)
_NONE = re.compile(r"\b(?:no|not|none|never|nobody|zero|unknown|yet)\b|n['’]t\b", re.IGNORECASE)
_CHOICE = re.compile(r"\bor\b", re.IGNORECASE)


def wanted_kind(answer: str, question: Question) -> str:
    """Return the kind asked for if an answer is of another kind; "" if the answer may be right.

    Args:
        answer: An answer standing alone.
    """
    stored = question.primary
    if is_verdict(stored) and not is_verdict(answer):
        return "yes or no"
    if is_verdict(answer) and not is_verdict(stored) and not YES_NO.match(question.text):
        return "what the question asks for, not yes or no"
    if (wrong := _wrong_date(answer, stored)) or (wrong := _wrong_number(answer, question)):
        return wrong
    return "something that the question does not say itself" if _echoes(answer, question) else ""


def _wrong_date(answer: str, stored: str) -> str:
    dates, said = find_dates(stored), find_dates(answer)
    if len(dates) > len(said) == 1:
        return "the first and the last day"
    dated = read_date(stored)
    return "a date with its month" if dated and dated.month and not said else ""


def _wrong_number(answer: str, question: Question) -> str:
    """A year for a span of time, or a number alone where a name is stored."""
    stored = tokenise(question.primary)
    if any(token.value is not None for token in stored):
        year = BARE_YEAR.fullmatch(answer.strip()) and not BARE_YEAR.fullmatch(
            question.primary.strip()
        )
        spans = {token.form for token in stored} & _SPANS
        return "how long or how old, not a year" if year and spans else ""
    alone = all(token.value is not None for token in tokenise(answer))
    either = _NUMBER.search(question.text) or _NONE.search(question.primary)
    return "a name, not a number" if alone and not either else ""


def _echoes(answer: str, question: Question) -> bool:
    """True when every word of an answer is the question's, which offers no choice."""
    asked = {token.form for token in tokenise(question.text)}
    said, stored = (
        {token.form for token in tokenise(text)} - STOP_WORDS for text in (answer, question.primary)
    )
    return (
        bool(said) and said <= asked and not stored <= asked and not _CHOICE.search(question.text)
    )
