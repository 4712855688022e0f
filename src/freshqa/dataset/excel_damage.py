"""Cells that a spreadsheet converted to a date, a time or a number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from freshqa.dataset.question import ANSWER_COLUMNS, Question
from freshqa.dates.spreadsheet import EXCEL_DATE, PADDED, SLASH_DATE

SURE_SIGNS = (
    ("excel-date", EXCEL_DATE),
    ("excel-time", re.compile(r"\d\d:\d\d\.\d")),
    ("excel-number", re.compile(r"-?\d(?:\.\d+)?E[+-]\d{2,3}")),
    ("excel-error", re.compile(r"#{3,}|#(?:N/A|REF!|NAME\?|VALUE!|DIV/0!|NUM!|NULL!)")),
)
"""Texts that are never written as an answer."""
WEAK_SIGNS = (
    ("excel-date", re.compile(r"\d{1,2}/\d{1,2}/\d\d")),
    ("excel-time", re.compile(r"\d{1,2}:\d\d(?: [AP]M)?")),
    ("excel-number", re.compile(r"\W?\d[\d,.]* ")),  # an accounting format leaves a blank
)
"""Texts that count only in a file that a spreadsheet has certainly written."""


@dataclass(frozen=True)
class Sign:
    """A cell with a sign of a spreadsheet, and which."""

    column: str
    kind: str


def sure_signs(question: Question) -> list[Sign]:
    """Texts that only a spreadsheet writes."""
    return [
        Sign(column, kind)
        for column in (*ANSWER_COLUMNS, "next_review", "effective_year")
        if (text := question.fields[column])
        for kind, pattern in SURE_SIGNS
        if pattern.fullmatch(text)
    ]


def weak_signs(question: Question, *, spreadsheet: bool) -> list[Sign]:
    """Cells that may be as their author wrote them.

    Args:
        spreadsheet: Whether other cells of the file certainly come from a spreadsheet.
    """
    signs = []
    review = question.next_review
    if SLASH_DATE.fullmatch(review) and not PADDED.fullmatch(review):
        signs.append(Sign("next_review", "zeros-stripped"))
    for column in ANSWER_COLUMNS:
        text = question.fields[column]
        if not text or not spreadsheet:
            continue
        if SLASH_DATE.fullmatch(text) and not PADDED.fullmatch(text):
            signs.append(Sign(column, "zeros-stripped"))
        signs += [Sign(column, kind) for kind, p in WEAK_SIGNS if p.fullmatch(text)]
    return signs


def collapsed(question: Question) -> Mapping[str, str]:
    """Alternatives that repeat an answer before them: column → the column it repeats."""
    first: dict[str, str] = {}
    repeats = {}
    for column in ANSWER_COLUMNS:
        text = question.fields[column].strip()
        if text and first.setdefault(text, column) != column:
            repeats[column] = first[text]
    return repeats
