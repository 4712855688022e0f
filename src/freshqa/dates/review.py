"""What the text of a `next_review` cell means, in all the ways it has been written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from freshqa.dates.months import NUMBERS, WRITTEN

CADENCE_WEEKS = {"every_time": 1, "frequently": 1, "occasionally": 13, "hardly_ever": 52, "n/a": 52}
"""Review words of the official sheet → weeks between checks (`every_time`, `frequently`: each run)."""
SEASONS = {"winter": 1, "spring": 3, "summer": 6, "fall": 9, "autumn": 9}
PARTS = {"early": 1, "mid": 5, "late": 9}
REMEDY = "Write MM/DD/YYYY, or one of every_time, frequently, occasionally, hardly_ever, N/A."
Parts = Mapping[str, str]


@dataclass(frozen=True)
class Review:
    """What a `next_review` cell means.

    Args:
        raw: The text of the cell.
        due_on: The first day it can mean; None for a cadence word or an unreadable text.
        every_weeks: How often, for a cadence word.
        problem: Why the text is not as it should be; "" when it is. A text with a problem may
            still have a meaning (`01/012026`); one without meaning counts as due.
    """

    raw: str
    due_on: date | None = None
    every_weeks: int | None = None
    problem: str = ""

    @property
    def readable(self) -> bool:
        """Whether the text has a meaning."""
        return self.due_on is not None or self.every_weeks is not None


def parse_review(text: str) -> Review:
    """Return the meaning of a review cell: a date, the first day of a loose one, or a cadence."""
    cleaned = " ".join(text.split()).casefold()
    word = _word(text)
    if cleaned in CADENCE_WEEKS:
        return Review(text, every_weeks=CADENCE_WEEKS[cleaned])
    if word in CADENCE_WEEKS or cleaned in ("na", "n.a."):
        problem = "the word is written otherwise"
        return Review(text, every_weeks=CADENCE_WEEKS.get(word, 52), problem=problem)
    if not cleaned:
        return Review(text, problem="empty")
    for pattern, meaning, problem in FORMS:
        found = pattern.fullmatch(cleaned)
        if found:
            try:
                return Review(text, due_on=meaning(found.groupdict()), problem=problem)
            except ValueError:
                return Review(text, problem="no such day in the calendar")
    return Review(text, problem="neither a date nor a review word")


def more_than_weekly(text: str) -> bool:
    """Return whether a review cell says that the answer changes more than once a week."""
    return _word(text) == "every_time"


def _word(text: str) -> str:
    return "_".join(text.casefold().replace("-", " ").replace("_", " ").split())


def _day(parts: Parts) -> date:
    month, day, year = parts["m"], int(parts["d"]), int(parts["y"])
    number = int(month) if month.isdigit() else NUMBERS[month[:3]]
    return date(2000 + year if year < 100 else year, number, day)


def _first(parts: Parts) -> date:
    return _day({**parts, "d": "1"})


def _quarter(parts: Parts) -> date:
    return date(int(parts["y"]), 3 * int(parts["q"]) - 2, 1)


def _named(months: Mapping[str, int]) -> Callable[[Parts], date]:
    return lambda parts: date(int(parts["y"]), months[parts["name"]], 1)


def _forms(
    *rows: tuple[str, Callable[[Parts], date], str],
) -> list[tuple[re.Pattern[str], Callable[[Parts], date], str]]:
    month = rf"(?P<m>(?:{WRITTEN})[a-z]*)\.?"
    pieces = {"M": month, "Y": r"(?P<y>\d{4})", "D": r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"}
    return [(re.compile(p.format(**pieces)), meaning, problem) for p, meaning, problem in rows]


FORMS = _forms(
    (r"(?P<m>\d{{1,2}})/(?P<d>\d{{1,2}})/{Y}", _day, ""),
    (r"{Y}-(?P<m>\d{{1,2}})-(?P<d>\d{{1,2}})(?:[t ].*)?", _day, ""),
    (r"{Y}", lambda parts: date(int(parts["y"]), 1, 1), ""),
    (r"(?P<m>\d{{1,2}})/{Y}", _first, ""),
    (r"q(?P<q>[1-4])[ /-]?{Y}", _quarter, ""),
    (r"{Y}[ /-]?q(?P<q>[1-4])", _quarter, ""),
    (rf"(?P<name>{'|'.join(SEASONS)}),? {{Y}}", _named(SEASONS), ""),
    (rf"(?P<name>{'|'.join(PARTS)})[ -]{{Y}}", _named(PARTS), ""),
    (r"{M},? {Y}", _first, ""),
    (r"{M} {D},? {Y}", _day, ""),
    (r"{D} {M},? {Y}", _day, ""),
    (r"(?P<m>\d\d)/?(?P<d>\d\d)/?{Y}", _day, "a slash is missing"),
    (r"(?P<m>\d{{1,2}})[-.](?P<d>\d{{1,2}})[-.]{Y}", _day, "slashes are written otherwise"),
    (r"(?P<m>\d{{1,2}})/(?P<d>\d{{1,2}})/(?P<y>\d\d)", _day, "a year of two digits"),
)  # fmt: skip
