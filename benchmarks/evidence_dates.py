"""Dates of search results: ours beside the parsers that others use.

    python benchmarks/evidence_dates.py

The strings are those of tests/evidence/date_cases.json: what engines show, and what is no date; the
day wanted is what a person reads. Every parser gets the moment of the response where it takes one.
Figures: right, wrong (another day, or a day where there is none), unread, and µs of CPU time per string, warm.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import dateparser
from dateutil import parser as dateutil_parser

from freshqa.dates import page_date as dates
from freshqa.dates.foreign_date import LANGUAGES

CASES = Path(__file__).parent.parent / "tests" / "evidence" / "date_cases.json"
Read = Callable[[str, datetime, str], date | None]


def ours(text: str, moment: datetime, language: str) -> date | None:
    """Return what the evidence gets; without the memory of earlier strings."""
    dates._parse.cache_clear()
    return dates.parse_date(text, relative_to=moment, language=language)


def ours_remembering(text: str, moment: datetime, language: str) -> date | None:
    """Return the same for a string seen before in the same response."""
    return dates.parse_date(text, relative_to=moment, language=language)


def fuzzy(text: str, moment: datetime, language: str) -> date | None:
    """dateutil as FreshPrompt's notebook uses it."""
    return dateutil_parser.parse(text, fuzzy=True, default=moment).date()


def dateparser_with(languages: list[str] | None) -> Read:
    """dateparser with the same moment and the first of the month for a missing day."""

    def read(text: str, moment: datetime, language: str) -> date | None:
        base = {"RELATIVE_BASE": moment, "PREFER_DAY_OF_MONTH": "first"}
        known = languages or ([language.partition("-")[0]] if language else ["en"])
        parsed = dateparser.parse(text, languages=known, settings=base)
        return parsed.date() if parsed else None

    return read


PARSERS: dict[str, Read] = {
    "ours": ours,
    "ours, string seen before": ours_remembering,
    "dateutil, fuzzy (the notebook's)": fuzzy,
    "dateparser, language of the page": dateparser_with(None),
    f"dateparser, {len(LANGUAGES) + 1} languages": dateparser_with(["en", *LANGUAGES]),
}


def score(read: Read, cases: list[dict[str, Any]], moment: datetime) -> tuple[int, int, int, float]:
    """Right, wrong, unread, µs per string."""
    right = wrong = unread = 0
    taken = 0.0
    for turn in ("warm-up", "measured"):
        for case in cases:
            started = time.process_time()
            try:
                day = read(case["text"], moment, case["language"])
            except (ValueError, OverflowError, AttributeError, TypeError):
                day = None
            if turn == "measured":
                taken += time.process_time() - started
                shown = day.isoformat() if day else None
                right += shown == case["expected"]
                wrong += day is not None and shown != case["expected"]
                unread += day is None and case["expected"] is not None
    return right, wrong, unread, taken / len(cases) * 1e6


def main() -> None:
    """Print the table."""
    data = json.loads(CASES.read_text("utf-8"))
    moment = datetime.fromisoformat(data["moment"]).replace(tzinfo=None)
    cases = data["cases"]
    print(
        f"{len(cases)} strings\n\n| parser | right | wrong | unread | µs |\n|---|---|---|---|---|"
    )
    for name, read in PARSERS.items():
        right, wrong, unread, microseconds = score(read, cases, moment)
        print(f"| {name} | {right} | {wrong} | {unread} | {microseconds:.0f} |")


if __name__ == "__main__":
    main()
