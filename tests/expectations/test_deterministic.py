"""Answers computed from the date: correct and wrong cases, and cases that give no answer."""

from __future__ import annotations

from datetime import date

import pytest

from freshqa.dataset.question import Question
from freshqa.maintaining.deterministic.holidays import easter, nth_weekday
from freshqa.maintaining.deterministic.recompute import recompute, recompute_all

AS_OF = date(2025, 4, 7)  # a Monday; the day before a Patch Tuesday


def row(text: str, answer: str, **fields: str) -> Question:
    return Question(
        {"question": text, "answer_0": answer, "false_premise": "FALSE", **fields}, key=text
    )


BORN = "https://example.org/wiki/Mira#:~:text=born%204%20March%201999"
MONTH_ONLY = "https://example.org/wiki/Mira#:~:text=March%201999%20(-,age%C2%A026,-)"
DAY_ONLY = "https://example.org/wiki/Mira#:~:text=4%2C%201999%20(-,age%C2%A026,-)"
DIED = "https://example.org/wiki/Oren#:~:text=Died,2%20April%202005"
FOUNDED = "https://example.org/wiki/Guild#:~:text=founded%20on%20August%2029%2C%201997"


@pytest.mark.parametrize(
    ("question", "value", "agrees"),
    [
        (row("What month is it?", "April"), "April", True),
        (row("What month is it?", "May"), "April", False),
        (row("What year is it now?", "2024"), "2025", False),
        (row("What season is it in the northern hemisphere?", "spring"), "spring", True),
        (row("What season is it in the southern hemisphere?", "Autumn"), "fall", True),
        (row("When is the next leap year?", "2028"), "2028", True),
        (row("When is the next leap year?", "2026"), "2028", False),
        (row("When is this year's Black Friday?", "November 28"), "2025-11-28", True),
        (row("When is this year's Black Friday?", "Nov 21, 2025"), "2025-11-28", False),
        (row("What date is Thanksgiving this year?", "Nov 27, 2025"), "2025-11-27", True),
        (row("What date is this year's Labor Day?", "September 1"), "2025-09-01", True),
        (row("What date was the last Memorial Day?", "May 27, 2024"), "2024-05-27", True),
        (row("When is the next Memorial Day?", "05/25/2025"), "2025-05-26", False),
        (row("When is Easter next year?", "April 5, 2026"), "2026-04-05", True),
        (
            row("What date is mother's day in the United States this year?", "Sunday, May 11"),
            "2025-05-11",
            True,
        ),
        (row("When is the next U.S. federal holiday?", "Memorial Day"), "Memorial Day", True),
        (row("When is the next U.S. federal holiday?", "May 26, 2025"), "Memorial Day", True),
        (row("When is the next U.S. federal holiday?", "Juneteenth"), "Memorial Day", False),
        (
            row(
                "On what date in North America did the most recent Microsoft's Patch Tuesday "
                "come out?",
                "Apr 8, 2025",
            ),
            "2025-03-11",
            False,
        ),
        (
            row(
                "The upcoming Microsoft's Patch Tuesday will come out on what date in "
                "North America?",
                "April 8, 2025",
            ),
            "2025-04-08",
            True,
        ),
        (row("How many days until Christmas?", "262 days"), "262", True),
        (row("How many days are left until Halloween?", "206"), "207", False),
        (row("How old is Mira Vale?", "26 years old", source=BORN), "26", True),
        (row("How old is Mira Vale?", "twenty-six", source=BORN), "26", True),
        (row("How old is Mira Vale?", "25", source=BORN), "26", False),
        (
            row("How old is Mira Vale?", "25", source=MONTH_ONLY, next_review="03/04/2026"),
            "26",
            False,
        ),
        (
            row("How old is Mira Vale?", "26", source=DAY_ONLY, next_review="03/04/2026"),
            "26",
            True,
        ),
        (row("How many years ago did Oren Dask die?", "19 years", source=DIED), "20", False),
        (row("How many years ago did Oren Dask die?", "almost 21 years", source=DIED), "20", True),
        (
            row(
                "In how many years will the Guild celebrate its thirtieth anniversary?",
                "more than 2 years",
                source=FOUNDED,
            ),
            "2",
            True,
        ),
        (
            row(
                "When did the Guild celebrate its twenty-fifth anniversary?",
                "It has not happened yet.",
                source=FOUNDED,
                false_premise="TRUE",
            ),
            "2022-08-29",
            False,
        ),
    ],
)
def test_each_answer_is_recomputed(question: Question, value: str, agrees: bool) -> None:
    computed = recompute(question, as_of=AS_OF)
    assert computed is not None
    assert (computed.value, computed.agrees) == (value, agrees)


@pytest.mark.parametrize(
    "question",
    [
        row("Which month is the best to visit Wend?", "April"),
        row("What date is mother's day this year?", "May 11"),  # of which country?
        row("How old is Mira Vale?", "26"),  # no birth date anywhere
        row("How old is Mira Vale?", "26", source=MONTH_ONLY),  # the day is missing
        row("How old is Mira Vale?", "26", source=BORN, next_review="09/01/2025"),
        row("How old is Mira Vale?", "8 months", source=BORN),
        row("How old was Mira Vale when she retired?", "26", source=BORN),
        row("How old is Mira Vale?", "", source=BORN),
        row("How many years ago did Oren Dask die?", "40", source=DIED),  # another day is meant
        row("What month is it?", "No month.", false_premise="TRUE"),
    ],
)
def test_nothing_is_reported_unless_it_is_certain(question: Question) -> None:
    assert recompute(question, as_of=AS_OF) is None


def test_an_ambiguous_day_gives_no_answer() -> None:
    question = row("When is the next Labor Day?", "September 1, 2025")
    assert recompute(question, as_of=date(2025, 9, 1)) is None
    season = row("What season is it in the northern hemisphere?", "spring")
    assert recompute(season, as_of=date(2025, 6, 10)) is None


def test_on_patch_tuesday_itself_both_readings_are_right() -> None:
    text = "On what date did the most recent Microsoft's Patch Tuesday come out?"
    for answer in ("Apr 8, 2025", "Mar 11, 2025"):
        computed = recompute(row(text, answer), as_of=date(2025, 4, 8))
        assert computed is not None and computed.agrees


def test_the_date_of_an_event_is_taken_from_a_sibling_question() -> None:
    age = row("How old is Mira Vale?", "25")
    born = row("When was Mira Vale born?", "March 4, 1999")
    first, second = recompute_all([age, born], as_of=AS_OF)
    assert first is not None and (first.value, first.agrees) == ("26", False)
    assert "another question" in first.why
    assert second is None


@pytest.mark.parametrize(
    ("year", "day"),
    [(2024, date(2024, 3, 31)), (2025, date(2025, 4, 20)), (2038, date(2038, 4, 25))],
)
def test_easter_equals_the_ecclesiastical_tables(year: int, day: date) -> None:
    """Days from the ecclesiastical tables of the U.S. Naval Observatory."""
    assert easter(year) == day


def test_nth_weekday_counts_from_both_ends() -> None:
    assert nth_weekday(2025, 5, 0, -1) == date(2025, 5, 26)
    assert nth_weekday(2024, 12, 6, -1) == date(2024, 12, 29)
    assert nth_weekday(2025, 11, 3, 4) == date(2025, 11, 27)
