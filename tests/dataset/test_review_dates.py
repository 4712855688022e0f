"""Every known review text is read, and passed dates are rolled forward as the maintainers do."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freshqa.dataset.official_order import official_order
from freshqa.dates.review import due, parse_review, roll_review

TODAY = date(2024, 3, 13)


@pytest.mark.parametrize(
    ("text", "weeks"),
    [
        ("every_time", 1),
        ("frequently", 1),
        ("occasionally", 13),
        ("hardly_ever", 52),
        ("N/A", 52),
        (" Frequently ", 1),
    ],
)
def test_cadence_words_are_read(text: str, weeks: int) -> None:
    review = parse_review(text)
    assert (review.every_weeks, review.due_on, review.problem) == (weeks, None, "")
    assert review.raw == text


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("03/11/2024", date(2024, 3, 11)),
        ("1/13/2026", date(2026, 1, 13)),
        ("2024-11-27", date(2024, 11, 27)),
        ("2024-11-27 00:00:00", date(2024, 11, 27)),
        ("2047", date(2047, 1, 1)),
        ("11/2023", date(2023, 11, 1)),
        ("Q3 2024", date(2024, 7, 1)),
        ("2024 Q1", date(2024, 1, 1)),
        ("Fall 2024", date(2024, 9, 1)),
        ("winter 2025", date(2025, 1, 1)),
        ("mid-2025", date(2025, 5, 1)),
        ("March 2025", date(2025, 3, 1)),
        ("Mar 5, 2025", date(2025, 3, 5)),
        ("5 March 2025", date(2025, 3, 5)),
        ("Sept. 3rd, 2025", date(2025, 9, 3)),
    ],
)
def test_review_dates_are_read(text: str, day: date) -> None:
    review = parse_review(text)
    assert (review.due_on, review.every_weeks, review.problem) == (day, None, "")


@pytest.mark.parametrize(
    ("text", "day", "problem"),
    [
        ("01/012026", date(2026, 1, 1), "a slash is missing"),
        ("01-02-2026", date(2026, 1, 2), "slashes are written otherwise"),
        ("1/2/26", date(2026, 1, 2), "a year of two digits"),
        ("02/30/2024", None, "no such day in the calendar"),
        ("13/13/2024", None, "no such day in the calendar"),
        ("24-Nov", None, "neither a date nor a review word"),
        ("soon", None, "neither a date nor a review word"),
        ("", None, "empty"),
    ],
)
def test_malformed_review_dates_are_read(
    text: str, day: date | None, problem: str, make: Any
) -> None:
    review = parse_review(text)
    assert (review.due_on, review.problem) == (day, problem)
    assert (review.due_on is None) == (day is None)
    if day is None:
        entry = due(make(next_review=text), as_of=TODAY)
        assert entry is not None and entry.due_on == TODAY
        assert entry.why == f"unreadable review {text!r}: {problem}"


def test_misspelled_cadence_words_keep_their_meaning() -> None:
    review = parse_review("hardly ever")
    assert (review.every_weeks, review.problem) == (52, "the word is written otherwise")


@given(st.text(max_size=30) | st.from_regex(r"[0-9/ -]{1,12}"))
def test_any_text_is_parsed(text: str) -> None:
    review = parse_review(text)
    assert review.raw == text
    assert review.due_on or review.every_weeks or review.problem


@given(st.dates(date(2000, 1, 1), date(2100, 1, 1)), st.integers(0, 30))
def test_a_date_is_due_up_to_the_day_of_the_next_run(day: date, days: int) -> None:
    from freshqa.dataset.question import Question

    question = Question({"question": "When?", "next_review": f"{day:%m/%d/%Y}"})
    review = due(question, as_of=TODAY, days=days)
    assert (review is not None) == (day <= TODAY + timedelta(days=days))


class TestDue:
    def test_questions_are_due_as_recorded_for_each_run(self, make: Any) -> None:
        for word in ("every_time", "frequently"):
            review = due(make(next_review=word), as_of=TODAY, last_checked=TODAY)
            assert review is not None and review.why == f"{word}: every run"

    @pytest.mark.parametrize(
        ("word", "weeks"), [("occasionally", 13), ("hardly_ever", 52), ("N/A", 52)]
    )
    def test_a_cadence_counts_from_the_last_check(self, word: str, weeks: int, make: Any) -> None:
        question = make(next_review=word)
        never = due(question, as_of=TODAY)
        assert never is not None and never.why == f"{word}: never checked"
        long_ago = TODAY - timedelta(weeks=weeks)
        review = due(question, as_of=TODAY, last_checked=long_ago)
        assert review is not None and review.due_on == TODAY
        assert due(question, as_of=TODAY, days=6, last_checked=long_ago + timedelta(days=7)) is None
        assert due(question, as_of=TODAY, days=7, last_checked=long_ago + timedelta(days=7))


class TestRoll:
    @pytest.mark.parametrize(
        ("text", "fact_type", "review", "changed", "expected", "answer"),
        [
            ("Who is it?", "fast-changing", "frequently", True, "frequently", "x"),
            ("Who is it?", "fast-changing", "03/14/2024", True, "03/14/2024", "x"),
            ("Who is it?", "never-changing", "03/01/2024", True, "N/A", "x"),
            ("Who won the latest award?", "fast-changing", "03/10/2024", True, "03/10/2025", "x"),
            ("Who won the latest award?", "fast-changing", "11/10/2023", True, "11/10/2024", "x"),
            ("Who won the latest award?", "fast-changing", "03/10/2024", False, "frequently", "x"),
            ("Who won the latest award?", "slow-changing", "03/10/2024", False, "occasionally", "x"),
            ("How old is Idris Quane?", "fast-changing", "02/29/2024", True, "02/28/2025", "8"),
            ("Who won this year?", "fast-changing", "01/01/2024", False, "01/01/2025", "x"),
            ("What month is it?", "fast-changing", "03/01/2024", True, "04/01/2024", "March"),
            ("When is the next regatta?", "fast-changing", "03/10/2024", True, "05/19/2024", "May 19, 2024"),
            ("When was the last regatta?", "fast-changing", "03/10/2024", True, "frequently", "Mar 10, 2024"),
            ("Who is it?", "slow-changing", "2024", True, "occasionally", "x"),
            ("Who is it?", "fast-changing", "soon", True, "frequently", "x"),
        ],
    )  # fmt: skip
    def test_the_next_review_follows_the_policy(
        self,
        text: str,
        fact_type: str,
        review: str,
        changed: bool,
        expected: str,
        answer: str,
        make: Any,
    ) -> None:
        question = make(text, answer, fact_type=fact_type, next_review=review)
        assert roll_review(question, as_of=TODAY, changed=changed) == expected

    @pytest.mark.parametrize(
        ("old", "review", "new", "expected"),
        [
            (["Mar 12, 2024", "March 12, 2024"], "03/12/2024", ["Apr 9, 2024"], "04/09/2024"),
            (["Mar 12, 2024"], "03/12/2024", ["Tuesday, April 9, 2024"], "04/09/2024"),
            (["Mar 12, 2024"], "03/12/2024", ["9 April 2024 (a Tuesday)"], "04/09/2024"),
            (["March 12"], "03/12/2024", ["April 9th"], "04/09/2024"),
            (["March 12"], "03/12/2024", ["9 January"], "01/09/2025"),
            (["2024-03-12"], "2024-03-12", ["2024-04-09"], "04/09/2024"),
            (["Tuesday (Mar 12, 2024)"], "03/12/2024", ["4/9/2024"], "04/09/2024"),
            (["Memorial Day", "May 27, 2024"], "05/27/2024", ["Juneteenth", "Jun 19, 2024"], "06/19/2024"),
            (["Apr 2, 2024"], "04/02/2024", ["May 7, 2024"], "05/07/2024"),  # put off before its day
            (["Mar 12, 2024"], "03/12/2024", ["Easter"], "frequently"),
            (["Mar 12, 2024"], "03/12/2024", ["April 12-14, 2024"], "frequently"),
            (["Mar 12, 2024"], "03/12/2024", ["Apr 9, 2024 or Apr 16, 2024"], "frequently"),
            (["Mar 12, 2024"], "03/12/2024", ["Mar 2, 2024"], "frequently"),
            (["Mar 12, 2024"], "03/11/2024", ["May 5, 1891"], "frequently"),
            (["x"], "04/02/2024", ["May 7, 2024"], "04/02/2024"),
        ],
    )  # fmt: skip
    def test_the_review_of_an_event_follows_the_event(
        self, old: list[str], review: str, new: list[str], expected: str, make: Any
    ) -> None:
        question = make("When is the next one?", fact_type="fast-changing", next_review=review)
        changed = question.with_changes({f"answer_{n}": text for n, text in enumerate(new)})
        rolled = roll_review(changed, as_of=TODAY, changed=True, old_answers=old)
        assert rolled == expected

    def test_reviews_in_december_roll_into_the_next_year(self, make: Any) -> None:
        question = make("What month is it?", "December", next_review="12/01/2024")
        assert roll_review(question, as_of=date(2024, 12, 3), changed=True) == "01/01/2025"

    @given(st.text(max_size=12), st.booleans())
    def test_a_rolled_review_is_readable_and_not_in_the_past(
        self, review: str, changed: bool
    ) -> None:
        from freshqa.dataset.question import Question

        question = Question({"question": "Who won the latest cup?", "next_review": review})
        rolled = parse_review(roll_review(question, as_of=TODAY, changed=changed))
        assert rolled.readable
        assert rolled.due_on is None or rolled.due_on > TODAY


class TestOfficialOrder:
    def test_every_sort_key_is_descending(self, make: Any) -> None:
        rows = (
            make("1?", false_premise="TRUE", fact_type="slow-changing"),
            make("2?", fact_type="slow-changing", effective_year="before 2022"),
            make(
                "3?", fact_type="slow-changing", effective_year="2024", next_review="occasionally"
            ),
            make("4?", fact_type="slow-changing", effective_year="2024", next_review="N/A"),
            make("5?", fact_type="slow-changing", effective_year="2024", next_review="2033"),
            make("6?", fact_type="slow-changing", effective_year="2024", next_review="10/04/2026"),
            make("7?", fact_type="slow-changing", effective_year="2024", next_review="02/01/2026"),
            make(
                "8?", fact_type="slow-changing", effective_year="2023", next_review="occasionally"
            ),
            make(
                "9?", fact_type="slow-changing", num_hops="multi-hop", effective_year="before 2022"
            ),
            make("10?", fact_type="never-changing"),
            make("11?", split="DEV", false_premise="TRUE"),
        )
        assert [q.text for q in official_order(tuple(reversed(rows)))] == [q.text for q in rows]

    def test_ties_keep_their_order(self, make: Any) -> None:
        rows = tuple(make(f"{i}?") for i in (3, 1, 2))
        assert official_order(rows) == rows

    @pytest.mark.real_data
    @pytest.mark.parametrize(
        "name",
        ["FreshQA_v03042024.csv", "FreshQA_v03112024.csv", "FreshQA_v04082024.jsonl",
         "FreshQA_v05272024.xlsx", "FreshQA_v04072025.csv", "FreshQA_v11242025_excel.csv"],
    )  # fmt: skip
    def test_real_releases_are_in_the_official_order(self, name: str, real: Any) -> None:
        questions = real(name)
        assert [q.key for q in official_order(questions)] == [q.key for q in questions]


@pytest.mark.real_data
def test_every_review_text_of_every_clean_release_is_readable(real: Any) -> None:
    for name in ("FreshQA_v11132023.csv", "FreshQA_v11232023.csv", "FreshQA_v02052024.csv", "FreshQA_v03042024.csv",
                 "FreshQA_v04082024.jsonl", "FreshQA_v05272024.xlsx", "FreshQA_v04072025.csv"):  # fmt: skip
        texts = {q.next_review for q in real(name)}
        assert [text for text in texts if not parse_review(text).readable] == []
