"""The gold version for a response, and a note when another one was used.

A response is judged fairly by the version in force on its date. One that is younger than the gold
may be right about a change the gold has not seen; one whose gold has changed since may have been
right when it was given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from freshqa.dataset.question import Question
from freshqa.facts.same_fact import same_fact

AFTER_GOLD = "response-after-gold"
GOLD_CHANGED = "gold-changed-since"


def fact_changed(old: Question, new: Question) -> bool:
    """Return True when two rows state different facts, or one has a false premise."""
    return old.false_premise != new.false_premise or not same_fact(old.answers, new.answers)


def marks(
    gold: Question,
    *,
    gold_as_of: date | None,
    responded_on: date | None,
    newest: Mapping[str, Question],
) -> tuple[str, ...]:
    """Return the remarks that are shown beside a judgement.

    Args:
        gold: The row that the response was graded against.
        gold_as_of: Date on which it was right, if known.
        responded_on: Date of the response, if known.
        newest: Key → row of the newest version.
    """
    remarks = []
    if responded_on is not None and gold_as_of is not None and responded_on > gold_as_of:
        remarks.append(AFTER_GOLD)
    now = newest.get(gold.key)
    if now is not None and fact_changed(gold, now):
        remarks.append(GOLD_CHANGED)
    return tuple(remarks)


def in_force(versions: Sequence[tuple[int, date]], on: date) -> int | None:
    """Number of the version in force on a date: the newest that describes that day or an earlier.

    Args:
        versions: Number and date of every version.
        on: The date.
    """
    known = [(as_of, number) for number, as_of in versions if as_of <= on]
    return max(known)[1] if known else None
