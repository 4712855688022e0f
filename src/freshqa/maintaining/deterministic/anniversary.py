"""An age whose review date moved by a year: did the answer change with it?"""

from __future__ import annotations

import re

from freshqa.dataset.wording import normalised_question
from freshqa.dates.review import parse_review
from freshqa.maintaining.deterministic.computed import Computed, a_number, first_number

_AGE = re.compile(
    r"how old is .+|what is the (?:current )?age of .+|how many years ago (?:did|was|were) .+"
)


def anniversary(
    question: str, *, old_answer: str, answer: str, old_review: str, review: str
) -> Computed | None:
    """Return the age after the anniversary, when the review date was moved to a later anniversary.

    Args:
        question: The wording; only "how old is …" and "how many years ago …" are certain.
        old_answer, answer: Primary answer before and now.
        old_review, review: `next_review` before and now.

    Returns:
        None when it does not follow: another pattern, other days of the year, no plain number, or
        an answer that changed in another way (it may be about another person now).
    """
    if not _AGE.fullmatch(normalised_question(question)):
        return None
    before, after = parse_review(old_review).due_on, parse_review(review).due_on
    number = first_number(old_answer)
    if before is None or after is None or number is None or number != int(number):
        return None
    years = after.year - before.year
    if years < 1 or (before.month, before.day) != (after.month, after.day):
        return None
    why = f"{number} until {before}, the review moved on to {after}"
    computed = a_number(int(number) + years, why, answer)
    forgotten = first_number(answer) == number
    return computed if computed is not None and (computed.agrees or forgotten) else None
