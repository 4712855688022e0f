"""The suite *dataset*: what must hold of a snapshot by itself.

A rule is an error where it holds in the official releases (or in all but a few confirmed mistakes,
see `docs/measurements/expectations.md`), and a warning where they break it themselves.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from great_expectations import expectations as gxe

from freshqa.dataset.question import Question
from freshqa.dataset.validation import ERROR, WARNING
from freshqa.maintaining.deterministic.computed import Computed
from freshqa.maintaining.deterministic.recompute import recompute_all
from prefect_freshqa.expectations.custom.answers import ANSWER_RULES, ANSWERS
from prefect_freshqa.expectations.custom.reviews import (
    ExpectEffectiveYearNotAfterVersionDate,
    ExpectNextReviewAfterVersionDate,
    ExpectNextReviewToBeDateOrCadence,
)
from prefect_freshqa.expectations.custom.texts import CELL_RULES
from prefect_freshqa.expectations.custom.together import answers_together
from prefect_freshqa.expectations.frame import (
    cells_frame,
    joined_answers,
    official_columns,
    row_chunks,
    together_frame,
)
from prefect_freshqa.expectations.question_rules import (
    ASKS,
    IDENTITY,
    presence_rules,
    source_rules,
)
from prefect_freshqa.expectations.rule import Rule, Table, shown

NAME = "dataset"


def dataset_tables(
    questions: Sequence[Question],
    *,
    as_of: date,
    only: Container[str] | None = None,
    keys: Container[str] | None = None,
) -> Iterator[Table]:
    """The suite for a snapshot, each frame laid out when it is asked for; the questions have keys.

    Rules about single questions and cells read a chunk of the questions at a time.

    Args:
        only: Names of the rules to run; None for all of them.
        keys: Keys of the questions that rules about single questions read; None for all of them.
    """
    rules, cell_rules, together = (
        tuple(rule for rule in rules if only is None or rule.name in only)
        for rules in (question_rules(as_of), CELL_RULES, (*IDENTITY, *answers_together(as_of)))
    )
    read = questions if keys is None else [q for q in questions if shown(q.key) in keys]
    for chunk in row_chunks(read) if rules or cell_rules else ():
        if rules:
            yield questions_table(chunk, rules)
        if cell_rules:
            yield Table(NAME, "cells", cells_frame(chunk), cell_rules)
    if together:
        yield together_table(questions, together, as_of=as_of)


def questions_table(questions: Sequence[Question], rules: tuple[Rule, ...]) -> Table:
    """Return the table for rules about single questions; messages may quote all answers."""
    return Table(NAME, "questions", official_columns(questions), rules, {ANSWERS: joined_answers})


def together_table(questions: Sequence[Question], rules: tuple[Rule, ...], *, as_of: date) -> Table:
    """Return the table for rules that compare questions.

    Messages may also quote the answer that follows from the date, which is computed only for them.
    """

    answers: list[Computed | None] = []

    def computed(row: Mapping[str, Any]) -> Computed | None:
        if not answers:
            answers.extend(recompute_all(questions, as_of=as_of))
        return answers[int(row["row"])]

    told = {
        "computed": lambda row: getattr(computed(row), "value", None),
        "because": lambda row: getattr(computed(row), "why", None),
    }
    return Table(NAME, "together", together_frame(questions), rules, told)


def timeless_rules() -> frozenset[str]:
    """Names of the rules about single questions and cells that hold or break on every day."""
    rules = (*question_rules(date.min), *CELL_RULES)
    return frozenset(rule.name for rule in rules) - rules_of_the_day()


def rules_of_the_day() -> frozenset[str]:
    """Return the names of the rules about single questions that read the version date."""
    return frozenset(
        rule.name
        for rule in time_rules(date.min)
        if getattr(rule.expectation, "version_date", None) is not None
    )


def question_rules(as_of: date) -> tuple[Rule, ...]:
    """Rules that read one question at a time (`questions_frame`)."""
    return (
        ASKS,
        *presence_rules(),
        *source_rules(),
        *time_rules(as_of),
        *schedule_rules(),
        *ANSWER_RULES,
    )


def time_rules(as_of: date) -> tuple[Rule, ...]:
    """Effective years and review dates, seen from the version date."""
    day = as_of.isoformat()
    return (
        Rule(
            "effective-year-possible",
            ERROR,
            ExpectEffectiveYearNotAfterVersionDate(version_date=day),
            "effective_year",
            f"effective_year {{effective_year}} is neither “before YYYY” nor a year up to {day[:4]}",
            "holds in every release",
        ),
        Rule(
            "review-readable",
            ERROR,
            ExpectNextReviewToBeDateOrCadence(strict=False),
            "next_review",
            "next_review {next_review} is neither a date nor a cadence word",
            "spreadsheets turn 11/2024 into 24-Nov",
        ),
        Rule(
            "review-official-form",
            WARNING,
            ExpectNextReviewToBeDateOrCadence(),
            "next_review",
            "next_review {next_review} is neither a cadence word nor written MM/DD/YYYY",
            "39 loose dates in 2023-11-13, at most 4 a release since 2024-02",
        ),
        Rule(
            "review-ahead",
            WARNING,
            ExpectNextReviewAfterVersionDate(version_date=day),
            "next_review",
            f"the review of {{next_review}} is overdue on {day}",
            "0 to 4 overdue questions a release; an error only for rows that a draft changes",
        ),
    )


def schedule_rules() -> tuple[Rule, ...]:
    """Return rules that the review schedule fits the fact type."""

    def rule(name: str, severity: str, fact_type: str, words: list[str], why: str) -> Rule:
        return Rule(
            name,
            severity,
            gxe.ExpectColumnValuesToNotBeInSet(column="next_review", value_set=words),
            "next_review",
            f"a {fact_type} question is reviewed {{next_review}}",
            why,
            ("fact_type", fact_type),
        )

    cadences = ["every_time", "frequently", "occasionally", "hardly_ever"]
    return (
        rule("fast-reviewed-often", ERROR, "fast-changing", ["hardly_ever", "N/A"], "holds always"),
        rule("fast-not-occasionally", WARNING, "fast-changing", ["occasionally"], "1 to 5 rows"),
        rule("slow-not-each-time", WARNING, "slow-changing", cadences[:2], "0 to 2 rows"),
        rule("never-not-reviewed", WARNING, "never-changing", cadences, "0 to 2 rows"),
        Rule(
            "unreviewed-never-changes",
            WARNING,
            gxe.ExpectColumnValuesToBeInSet(column="fact_type", value_set=["never-changing"]),
            "fact_type",
            "the question is never reviewed although it is {fact_type}",
            "2 to 4 rows in every release",
            ("next_review", "N/A"),
        ),
    )
