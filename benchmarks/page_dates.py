"""Dates that pages give of themselves: ours beside htmldate, which trafilatura brings.

    python -m benchmarks.page_dates

The pages are those of tests/evidence/page_date_cases.json, of our own writing: what a page states as
its own dates, and dates on it that are of something else. `wrong` is another day, or a day where the page
states none.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from htmldate import find_date
from lxml import html

from freshqa.dates.page_date import parse_date
from freshqa.evidence.page_dates import page_dates

CASES = Path(__file__).parent.parent / "tests" / "evidence" / "page_date_cases.json"
MOMENT = datetime(2026, 1, 1, tzinfo=timezone.utc)
Dates = tuple[str | None, str | None]


def ours(page: str) -> Dates:
    published, modified = page_dates(html.fromstring(page))
    return _day(published), _day(modified)


def _day(raw: str) -> str | None:
    day = parse_date(raw[:10] if raw[4:5] == "-" else raw, relative_to=MOMENT) if raw else None
    return day.isoformat() if day else None


def htmldate_with(extensive: bool) -> Callable[[str], Dates]:
    """htmldate; a change that is the day of publication again counts as none."""

    def read(page: str) -> Dates:
        tree = html.fromstring(page)
        published, last = (
            find_date(tree, original_date=first, extensive_search=extensive)
            for first in (True, False)
        )
        return published, last if last != published else None

    return read


READERS: dict[str, Callable[[str], Dates]] = {
    "ours": ours,
    "htmldate, fast": htmldate_with(False),
    "htmldate, extensive": htmldate_with(True),
}


def score(read: Callable[[str], Dates], cases: list[dict[str, Any]]) -> Counter[str]:
    counted: Counter[str] = Counter()
    for case in cases:
        for read_date, wanted in zip(
            read(case["html"]), (case["published"], case["modified"]), strict=True
        ):
            counted["right"] += read_date == wanted
            counted["wrong"] += read_date is not None and read_date != wanted
            counted["unread"] += read_date is None and wanted is not None
    return counted


def main() -> None:
    cases = json.loads(CASES.read_text("utf-8"))
    print(f"| {len(cases)} pages, two dates each | right | wrong | unread | ms a page |")
    print("|---|---|---|---|---|")
    for name, read in READERS.items():
        score(read, cases)  # warm
        began = time.process_time()
        counted = score(read, cases)
        ms = (time.process_time() - began) / len(cases) * 1e3
        figures = " | ".join(str(counted[key]) for key in ("right", "wrong", "unread"))
        print(f"| {name} | {figures} | {ms:.2f} |")


if __name__ == "__main__":
    main()
