"""Answers that follow from the date alone, recomputed where the question's pattern is certain."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from types import MappingProxyType

from freshqa.dataset.question import Question
from freshqa.maintaining.deterministic.calendar_answers import calendar_answer
from freshqa.maintaining.deterministic.computed import Computed
from freshqa.maintaining.deterministic.elapsed import elapsed
from freshqa.maintaining.deterministic.known_dates import dates_by_event

NOTHING: Mapping[str, date] = MappingProxyType({})


def recompute(
    question: Question, *, as_of: date, events: Mapping[str, date] = NOTHING
) -> Computed | None:
    """Return what the answer must be at `as_of`, or None when that does not follow from the date.

    Args:
        question: A row of the dataset; its source and review date may hold the day it counts from.
        as_of: The date the dataset speaks about.
        events: Days that sibling questions ask for, from `dates_by_event`.
    """
    if not question.primary.strip():
        return None
    if not question.false_premise:
        computed = calendar_answer(question.text, question.primary, as_of)
        if computed is not None:
            return computed
    return elapsed(question, as_of, events)


_BEGINS = re.compile(r"\W*(?:how|what|which|when|in|on|the)\W", re.IGNORECASE)


def may_follow(question: str) -> bool:
    """Return False for a wording that starts like no pattern here, so that nothing can be computed.

    Neither its own answer follows from the date, nor does it ask for the day another counts from.
    """
    return not question.isascii() or _BEGINS.match(question) is not None


def recompute_all(questions: Sequence[Question], *, as_of: date) -> tuple[Computed | None, ...]:
    """`recompute` for a snapshot, in which questions provide dates for one another."""
    events = dates_by_event(questions)
    return tuple(recompute(question, as_of=as_of, events=events) for question in questions)
