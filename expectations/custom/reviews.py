"""Rules on effective years and review dates relative to the version date."""

from __future__ import annotations

import re
from datetime import date

from freshqa.dates.forms import EFFECTIVE_YEAR, day_of
from freshqa.dates.review import parse_review
from freshqa.dates.spreadsheet import PADDED
from prefect_freshqa.expectations.declare import VERSION_DATE, About, Argument, values


def is_possible(text: str, version_date: date) -> bool:
    """True for `before YYYY`, and for a year of this century up to that of `version_date`."""
    match = EFFECTIVE_YEAR.fullmatch(text)
    return match is not None and (
        match[1] is not None or 2000 <= int(match[2]) <= version_date.year
    )


ExpectEffectiveYearNotAfterVersionDate = values(
    "ExpectEffectiveYearNotAfterVersionDate",
    is_possible,
    About(
        'Expect each effective year to be "before YYYY" or a year up to that of the version date.',
        "The effective year is the year in which the current answer became true.",
        '$column must be "before YYYY" or a year up to that of $version_date.',
        {"effective_year": ["2025", "before 2022"], "wrong": ["2026", "22"]},
        [
            ({"version_date": "2025-03-10"}, []),
            ({"column": "wrong", "version_date": "2025-03-10"}, [0, 1]),
        ],
        column="The column with the years.",
        see="ExpectEffectiveYearToFollowAnswer",
        arguments={"version_date": VERSION_DATE},
    ),
    column="effective_year",
)


_NAMES_A_DAY = re.compile(r"\d{1,2}/\d{1,2}/?\d{4}|\d{4}-\d{1,2}-\d{1,2}")


def is_ahead(text: str, version_date: date) -> bool:
    """True unless the text names a day that is not after `version_date`.

    A month, quarter or year ("11/2023") has no day on which it is overdue.
    """
    due_on = parse_review(text).due_on if _NAMES_A_DAY.fullmatch(text.strip()) else None
    return due_on is None or due_on > version_date


ExpectNextReviewAfterVersionDate = values(
    "ExpectNextReviewAfterVersionDate",
    is_ahead,
    About(
        "Expect each review date to be later than the date of the version; cadence words pass.",
        "A review that is overdue on the day of publication was forgotten.",
        "$column must be a cadence word or a date after $version_date.",
        {"next_review": ["03/11/2025", "occasionally"], "overdue": ["03/10/2025", "10/28/2023"]},
        [
            ({"version_date": "2025-03-10"}, []),
            ({"column": "overdue", "version_date": "2025-03-10"}, [0, 1]),
        ],
        column="The column with the reviews.",
        quality="Freshness",
        see="ExpectNextReviewToBeDateOrCadence",
        arguments={"version_date": VERSION_DATE},
    ),
    column="next_review",
)


CADENCE_WORDS = frozenset({"every_time", "frequently", "occasionally", "hardly_ever", "N/A"})


def is_date_or_cadence(text: str, strict: bool) -> bool:
    """Return True for a cadence word and for MM/DD/YYYY that exists in the calendar.

    Args:
        strict: False accepts every text that means a day or a cadence, however it is written.
    """
    if not strict:
        review = parse_review(text)
        return review.due_on is not None or review.every_weeks is not None
    if text in CADENCE_WORDS:
        return True
    if not PADDED.fullmatch(text):
        return False
    month, day, year = map(int, text.split("/"))
    return day_of(year, month, day) is not None


ExpectNextReviewToBeDateOrCadence = values(
    "ExpectNextReviewToBeDateOrCadence",
    is_date_or_cadence,
    About(
        "Expect each review to be a cadence word or a date that exists, written MM/DD/YYYY.",
        "The cadence words are every_time, frequently, occasionally, hardly_ever and N/A.",
        "$column must be a cadence word or an existing date MM/DD/YYYY.",
        {"next_review": ["03/10/2025", "N/A"], "loose": ["2024", "02/30/2027"]},
        [
            ({"column": "next_review"}, []),
            ({"column": "loose"}, [0, 1]),
            ({"column": "loose", "strict": False}, [1]),
        ],
        column="The column with the reviews.",
        see="ExpectNextReviewAfterVersionDate",
        arguments={
            "strict": Argument(
                bool,
                'False accepts every form that can be read ("2027", "Q3 2024"). Default True.',
                True,
            )
        },
    ),
    column="next_review",
)
