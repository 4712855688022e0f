"""Write a new date answer in every form in which the old answer was stored."""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from datetime import date

from freshqa.dates.forms import MONTHLY, OTHERS, STANDARD, Form
from freshqa.dates.mentions import DateMention, read_date


def rebuild_dates(old: Sequence[str], new: str) -> list[str]:
    """Return all accepted forms of a new date.

    Args:
        old: The stored answers, primary first.
        new: The new primary answer; it must read as a date with its year.

    Returns:
        The new date in every form in which the old answers wrote one date, in their order; the
        benchmark's standard slots where they wrote none; `[new]` when it is not such a date.
    """
    mention = read_date(new)
    if mention is None or mention.year is None:
        return [new]
    day = date(mention.year, mention.month, mention.day or 1)
    same_precision = [a for a in old if _precision(read_date(a)) == _precision(mention)]
    if not same_precision or _precision(read_date(old[0])) is None:
        standard = STANDARD if mention.day else MONTHLY
        return _unique([form(day) for form in standard])
    forms = [
        form
        for slot, answer in enumerate(old)
        if (form := _form(slot, answer, mention)) is not None
    ]
    return _unique([form(day) for form in forms]) or [new]


def _precision(mention: DateMention | None) -> str | None:
    if mention is None:
        return None
    return "day" if mention.day else "month"


def _form(slot: int, answer: str, new: DateMention) -> Form | None:
    """Return the form that writes this stored answer; None if there is none.

    `03/06/2026` may be two forms: the one that the benchmark has in this slot comes first.
    """
    mention = read_date(answer)
    if mention is None or _precision(mention) != _precision(new):
        return None
    standard = STANDARD if mention.day else MONTHLY
    ours = (*standard[slot : slot + 1], *standard, *OTHERS)
    for year in _years(answer, mention):
        readings = [(mention.month, mention.day), _swapped(mention)]
        days = [
            date(year, month, day or 1)
            for month, day in readings
            if (day or 1) <= calendar.monthrange(year, month)[1]
        ]
        for form in ours:
            if any(form(day) == answer.strip() for day in days):
                return form
    return None


def _swapped(mention: DateMention) -> tuple[int, int | None]:
    if mention.swapped and mention.day:
        return mention.day, mention.month
    return mention.month, mention.day


def _years(answer: str, mention: DateMention) -> Sequence[int]:
    """The year written; where none is and a weekday is, each year in which they may agree."""
    if mention.year is not None:
        return (mention.year,)
    return range(2020, 2032) if re.match(r"[A-Z][a-z]+,", answer) else (2024,)


def _unique(forms: list[str]) -> list[str]:
    return list(dict.fromkeys(forms))
