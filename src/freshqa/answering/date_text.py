"""Dates in the words of the paper's prompts, whatever the locale."""

from __future__ import annotations

from datetime import date

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


def long_date(day: date) -> str:
    """`March 05, 2024`, as the notebook says today's date."""
    return f"{MONTHS[day.month - 1]} {day.day:02d}, {day.year}"


def short_date(day: date) -> str:
    """`Mar 05, 2024`, as the notebook dates evidence."""
    return f"{MONTHS[day.month - 1][:3]} {day.day:02d}, {day.year}"


def full_years(since: date, until: date) -> int:
    """Whole years from one day to another: an age on that day."""
    before_anniversary = (until.month, until.day) < (since.month, since.day)
    return until.year - since.year - before_anniversary
