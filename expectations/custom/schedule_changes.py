"""Rules about changes of review dates and effective years in a draft."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from great_expectations import expectations as gxe

from freshqa.dataset.validation import ERROR, WARNING
from freshqa.facts.same_fact import is_replaced
from freshqa.maintaining.deterministic.anniversary import anniversary
from prefect_freshqa.expectations.custom.changes import CHANGED
from prefect_freshqa.expectations.custom.reviews import (
    ExpectNextReviewAfterVersionDate,
    ExpectNextReviewToBeDateOrCadence,
)
from prefect_freshqa.expectations.declare import VERSION_DATE, About, Argument, rows
from prefect_freshqa.expectations.rule import Rule


def followed(row: Sequence[str]) -> bool:
    """True unless the anniversary has passed and the age is unchanged."""
    question, old_answer, answer, old_review, review = row
    computed = anniversary(
        question, old_answer=old_answer, answer=answer, old_review=old_review, review=review
    )
    return computed is None or computed.agrees


ExpectAgeToFollowAnniversary = rows(
    "ExpectAgeToFollowAnniversary",
    followed,
    About(
        "Expect an age whose review moved to a later anniversary to have grown by those years.",
        "Rows of another pattern, and answers that changed in another way, pass.",
        "Ages in $column_list must grow when their review moves to a later anniversary.",
        {
            "question": ["How old is the guild leader?", "How many years ago did Oren Dask die?"],
            "old_answer_0": ["23 years old", "18"],
            "answer_0": ["24 years old", "19 years"],
            "old_next_review": ["03/09/2024", "04/02/2024"],
            "next_review": ["03/09/2025", "04/02/2025"],
            "forgotten": ["23 years old", "18 years"],
        },
        [
            ({}, []),
            (
                {
                    "column_list": [
                        "question",
                        "old_answer_0",
                        "forgotten",
                        "old_next_review",
                        "next_review",
                    ]
                },
                [0, 1],
            ),
        ],
        column="Question, primary answer before and now, review before and now.",
        quality="Freshness",
        see="ExpectAnswersToMatchComputation",
    ),
    columns=("question", "old_answer_0", "answer_0", "old_next_review", "next_review"),
)


def follows(row: Sequence[str], since: date, until: date) -> bool:
    """Return True when the answer is unchanged, or the year is between the two dates."""
    old, new, year, *flags = row
    if (
        not old
        or not new
        or "TRUE" in [flag.upper() for flag in flags]
        or not is_replaced(old, new)
    ):
        return True
    return year.isdigit() and since.year <= int(year) <= until.year


ExpectEffectiveYearToFollowAnswer = rows(
    "ExpectEffectiveYearToFollowAnswer",
    follows,
    About(
        "Expect a new answer to have become true between the date of the base and that of the version.",
        "Questions with a false premise pass. Of 356 real changes 347 held; 5 of the rest are mistakes.",
        "The year of a new answer in $column_list must be between $since and $until.",
        {
            "old_answer_0": ["Mira Vale", ".NET 7"],
            "answer_0": ["Oren Dask", ".NET 8"],
            "effective_year": ["2025", "2024"],
            "old_false_premise": ["FALSE", "FALSE"],
            "false_premise": ["FALSE", "FALSE"],
            "wrong": ["before 2022", "2022"],
        },
        [
            ({"since": "2024-12-01", "until": "2025-03-10"}, []),
            (
                {
                    "column_list": [
                        "old_answer_0",
                        "answer_0",
                        "wrong",
                        "old_false_premise",
                        "false_premise",
                    ],
                    "since": "2024-12-01",
                    "until": "2025-03-10",
                },
                [0, 1],
            ),
        ],
        column="Primary answer before and now, year, flag before and now.",
        quality="Freshness",
        see="ExpectEffectiveYearNotAfterVersionDate",
        arguments={
            "since": Argument(str, "Date of the base, YYYY-MM-DD.", read=date.fromisoformat),
            "until": VERSION_DATE,
        },
    ),
    columns=("old_answer_0", "answer_0", "effective_year", "old_false_premise", "false_premise"),
)


def review_changes(as_of: date) -> tuple[Rule, ...]:
    """A changed question is reviewed again, later than before, and an answer changes when due."""
    until = as_of.isoformat()
    return (
        Rule(
            "changed-review-ahead",
            ERROR,
            ExpectNextReviewAfterVersionDate(version_date=until),
            "next_review",
            f"the question was changed, but its review of {{next_review}} is not after {until}",
            "3 in seven transitions",
            CHANGED,
        ),
        Rule(
            "changed-review-form",
            ERROR,
            ExpectNextReviewToBeDateOrCadence(),
            "next_review",
            "the question was changed; {next_review} is neither a cadence word nor MM/DD/YYYY",
            "loose forms are left from 2023; a change brings the official form",
            CHANGED,
        ),
        Rule(
            "review-not-back",
            WARNING,
            gxe.ExpectColumnValuesToNotBeInSet(column="review_moved", value_set=["back"]),
            "next_review",
            "the review moved back from {old_next_review} to {next_review}",
            "4 in seven transitions, one of them a mistake",
        ),
        Rule(
            "answer-not-ahead-of-review",
            WARNING,
            gxe.ExpectColumnValuesToNotBeInSet(column="due", value_set=["no"]),
            "answer_0",
            "the answer changed before its review of {old_next_review}: it was {old_answer_0}",
            "0 to 3 a release",
            ("answer", "replaced"),
        ),
        Rule(
            "age-follows-anniversary",
            WARNING,
            ExpectAgeToFollowAnniversary(),
            "answer_0",
            "the review moved from {old_next_review} to {next_review}, the age is still {answer_0}",
            "1 in seven transitions, a mistake",
        ),
    )


def year_changes(as_of: date, base_as_of: date | None) -> tuple[Rule, ...]:
    """Return rules that compare the effective year of a new answer with the dates of base and draft."""
    since = (base_as_of or as_of.replace(month=1, day=1)).isoformat()
    return (
        Rule(
            "effective-year-follows-answer",
            WARNING,
            ExpectEffectiveYearToFollowAnswer(since=since, until=as_of.isoformat()),
            "effective_year",
            "the answer was {old_answer_0}; {effective_year} is not when it became {answer_0}",
            "9 of 356 real changes, 5 of them mistakes",
        ),
        Rule(
            "effective-year-not-back",
            WARNING,
            gxe.ExpectColumnValuesToNotBeInSet(column="year_moved", value_set=["back"]),
            "effective_year",
            "the year moved back from {old_effective_year}",
            "3 in seven transitions, all corrections",
        ),
    )
