"""Check that the false-premise flag fits the answer."""

from __future__ import annotations

import re

REBUTTAL_WORDS = 3
"""The shortest rebuttal in eight official releases has four words ("Venus has no moons.")."""
_ASKS_FOR_A_THING = re.compile(r"(?:who|what|which|when|where|in (?:what|which))\b", re.IGNORECASE)
_DENIES = re.compile(
    r"\b(?:has|have|had|is|was|were|will|did|does)(?: not|n['’]t| never)\b"
    r"|\bno longer\b|\bnot yet\b|\b(?:still )?(?:ongoing|airing)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s")


def flag_fits(question: str, answer: str, *, false_premise: bool) -> bool:
    """Return False for a rebuttal that is only a name or a number, and for an unflagged denial.

    Args:
        question: The wording: only who, what, which, when and where can be denied.
    """
    if false_premise:
        return len(answer.split()) >= REBUTTAL_WORDS
    first = _SENTENCE.split(answer.strip())[0]
    return not (_ASKS_FOR_A_THING.match(question.strip()) and _DENIES.search(first))
