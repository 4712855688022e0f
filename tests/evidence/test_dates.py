"""Dates are read to the day in many languages; an unclear date is not read."""

from __future__ import annotations

import json
import threading
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freshqa.dates.page_date import calendar_date, parse_date

CASES = json.loads((Path(__file__).parent / "date_cases.json").read_text("utf-8"))
MOMENT = datetime.fromisoformat(CASES["moment"])


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda c: f"{c['language']}:{c['text'][:20]}")
def test_dates_are_read_as_a_person_reads_them(case: dict[str, Any]) -> None:
    day = parse_date(case["text"], relative_to=MOMENT, language=case["language"])
    assert (day.isoformat() if day else None) == case["expected"]


def test_relative_dates_use_the_time_of_the_response_in_any_time_zone() -> None:
    tokyo = MOMENT.astimezone(timezone(timedelta(hours=9)))
    for moment in (MOMENT, tokyo, MOMENT.replace(tzinfo=None)):
        assert parse_date("1 hour ago", relative_to=moment) == date(2026, 11, 27)


@pytest.mark.parametrize(
    ("day", "raw", "expected"),
    [
        (date(2024, 3, 31), "1 month ago", date(2024, 2, 29)),
        (date(2024, 2, 29), "1 year ago", date(2023, 2, 28)),
        (date(2024, 1, 15), "2 months ago", date(2023, 11, 15)),
        (date(2024, 3, 1), "1 day ago", date(2024, 2, 29)),
        (date(2024, 1, 2), "Dec 31", date(2023, 12, 31)),
        (date(2023, 3, 1), "Feb 29", None),
    ],
)
def test_relative_months_and_years_respect_the_lengths_of_months(
    day: date, raw: str, expected: date | None
) -> None:
    moment = datetime(day.year, day.month, day.day, 12, tzinfo=timezone.utc)
    assert parse_date(raw, relative_to=moment) == expected


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=30), st.from_regex(r"[0-9]{1,12} ?[a-z/.:-]{1,8} ?[0-9]{0,6}")))
def test_any_text_is_parsed_without_an_error_or_a_future_date(raw: str) -> None:
    day = parse_date(raw, relative_to=MOMENT)
    assert day is None or day <= MOMENT.date() + timedelta(days=1)


@given(st.dates(date(1900, 1, 1), date(2026, 11, 27)))
def test_every_day_is_read_back_in_every_calendar_form(day: date) -> None:
    month = day.strftime("%B").casefold()
    forms = [
        (day.isoformat(), ""),
        (f"{month} {day.day}, {day.year}", ""),
        (f"{day.day} {month[:3]} {day.year}", ""),
        (f"{day.year}年{day.month}月{day.day}日", ""),
        (f"{day.day}.{day.month}.{day.year}", ""),
        (f"{day.month}/{day.day}/{day.year}", "MDY"),
        (f"{day.day}/{day.month}/{day.year}", "DMY"),
    ]
    assert [calendar_date(text, order=order) for text, order in forms] == [day] * len(forms)


def test_eight_threads_read_the_same_dates() -> None:
    cases = [case for case in CASES["cases"] if case["group"] == "words"]
    wrong: list[str] = []

    def check() -> None:
        for case in cases:
            day = parse_date(case["text"], relative_to=MOMENT, language=case["language"])
            if (day.isoformat() if day else None) != case["expected"]:
                wrong.append(case["text"])

    threads = [threading.Thread(target=check) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
