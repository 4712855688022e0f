"""Dates in the words of the paper's prompts, whatever the locale."""

from __future__ import annotations

from datetime import date

from freshqa.dates.months import NAMES


def long_date(day: date) -> str:
    """`March 05, 2024`, as the notebook says today's date."""
    return f"{NAMES[day.month - 1]} {day.day:02d}, {day.year}"


def short_date(day: date) -> str:
    """`Mar 05, 2024`, as the notebook dates evidence."""
    return f"{NAMES[day.month - 1][:3]} {day.day:02d}, {day.year}"


def full_years(since: date, until: date) -> int:
    """Whole years from one day to another: an age on that day."""
    before_anniversary = (until.month, until.day) < (since.month, since.day)
    return until.year - since.year - before_anniversary
