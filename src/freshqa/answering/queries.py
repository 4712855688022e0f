"""A question in other words, for a further search."""

from __future__ import annotations

import re
from datetime import date

from freshqa.dates.forms import NAMES, YEAR_WORD
from freshqa.evidence.search_engine import Recency

_BE = r"(?:is|are|was|were|'s|’s)"
_FORMS = (
    (rf"(?:who|what|which)\s*{_BE}\s+(?P<rest>.+)", "{rest} is"),
    (
        r"how many (?P<rest>.+?)\s+(?:are|were|is|was) there(?P<more>.*)",
        "the number of {rest}{more} is",
    ),
    (
        r"how many (?P<rest>.+?)\s+(?:does|do|did|has|have) (?P<more>.+)",
        "the number of {rest} {more} is",
    ),
    (r"how many (?P<rest>.+)", "the number of {rest} is"),
    (r"how old (?:is|was) (?P<rest>.+)", "{rest} is years old"),
    (r"how much (?:is|does|did|was) (?P<rest>.+?)(?: cost)?", "the price of {rest} is"),
    (rf"when {_BE} (?P<rest>.+)", "{rest} is on"),
    (r"when (?:did|does|will|do) (?P<rest>.+)", "{rest} on"),
    (rf"where {_BE} (?P<rest>.+)", "{rest} is in"),
    (r"where (?:did|does|will|do) (?P<rest>.+)", "{rest} in"),
    (r"(?:who|which|what) (?P<rest>.+)", "{rest}"),
)
_PATTERNS = tuple((re.compile(pattern, re.IGNORECASE), form) for pattern, form in _FORMS)


def declarative(question: str) -> str:
    """Return the question as the start of the sentence that answers it; "" where no rule fits.

    `Who is the CEO of Acme?` → `the CEO of Acme is`.
    """
    asked = " ".join(question.split()).rstrip("?!. ")
    for pattern, form in _PATTERNS:
        match = pattern.fullmatch(asked)
        if match:
            parts = {"more": "", **match.groupdict()}
            return form.format(**parts)
    return ""


def dated(question: str, recency: Recency, *, as_of: date) -> str:
    """Return the question with the month or the year in words; "" when it names a year itself."""
    if YEAR_WORD.search(question):
        return ""
    asked = " ".join(question.split()).rstrip("?!. ")
    month = f"{NAMES[as_of.month - 1]} " if recency is not Recency.year else ""
    return f"{asked} {month}{as_of.year}"
