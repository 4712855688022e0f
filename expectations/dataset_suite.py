"""The suite *dataset*: what must hold of a snapshot by itself."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from great_expectations import expectations as gxe

from freshqa.dataset.question import Question
from freshqa.dataset.validation import ERROR
from prefect_freshqa.expectations.custom.expect_next_review_to_be_date_or_cadence import (
    ExpectNextReviewToBeDateOrCadence,
)
from prefect_freshqa.expectations.frame import questions_frame
from prefect_freshqa.expectations.rule import Rule, Table

VOCABULARIES = {
    "split": ["TEST", "DEV"],
    "fact_type": ["never-changing", "slow-changing", "fast-changing"],
    "num_hops": ["one-hop", "multi-hop"],
    "false_premise": ["TRUE", "FALSE"],
}
REQUIRED = ("key", "question", "split", "fact_type", "num_hops", "false_premise", "answer_0")


def dataset_tables(questions: Sequence[Question], *, as_of: date) -> tuple[Table, ...]:
    """The rules for a snapshot, with the frames they read; the questions have keys."""
    return (Table("dataset", questions_frame(questions), dataset_rules(as_of)),)


def dataset_rules(as_of: date) -> tuple[Rule, ...]:
    """Rules that read one row per question."""
    return (*_identity(), *_present(), *_vocabularies(), *_review())


def _identity() -> tuple[Rule, ...]:
    return (
        Rule(
            "questions-present",
            ERROR,
            gxe.ExpectTableRowCountToBeBetween(min_value=1),
            "",
            "there are no questions",
        ),
        Rule(
            "key-unique",
            ERROR,
            gxe.ExpectColumnValuesToBeUnique(column="key"),
            "",
            "the key {key} stands for more than one question",
        ),
        Rule(
            "question-unique",
            ERROR,
            gxe.ExpectColumnValuesToBeUnique(column="wording"),
            "question",
            "the same question is asked twice",
        ),
    )


def _present() -> tuple[Rule, ...]:
    return tuple(
        Rule(
            f"{column.replace('_', '-')}-present",
            ERROR,
            gxe.ExpectColumnValuesToNotBeNull(column=column),
            column,
            f"{column} is empty",
        )
        for column in (*REQUIRED, "effective_year", "next_review")
    )


def _vocabularies() -> tuple[Rule, ...]:
    return tuple(
        Rule(
            f"{column.replace('_', '-')}-vocabulary",
            ERROR,
            gxe.ExpectColumnValuesToBeInSet(column=column, value_set=words),
            column,
            f"{column} is {{{column}}}, not one of {', '.join(words)}",
        )
        for column, words in VOCABULARIES.items()
    )


def _review() -> tuple[Rule, ...]:
    return (
        Rule(
            "review-readable",
            ERROR,
            ExpectNextReviewToBeDateOrCadence(),
            "next_review",
            "next_review {next_review} is neither a cadence word nor a date MM/DD/YYYY that exists",
        ),
    )
