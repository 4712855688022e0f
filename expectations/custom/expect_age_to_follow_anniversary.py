"""Did an age move on with its birthday?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import pandas
from great_expectations.execution_engine import PandasExecutionEngine
from great_expectations.expectations.expectation import MulticolumnMapExpectation
from great_expectations.expectations.metrics.map_metric_provider import (
    MulticolumnMapMetricProvider,
    multicolumn_condition_partial,
)

from freshqa.maintaining.deterministic.anniversary import anniversary
from prefect_freshqa.expectations.custom.rendering import OneSentence, columns, library_metadata
from prefect_freshqa.expectations.custom.rows import rowwise


def followed(row: Sequence[str]) -> bool:
    """True unless the anniversary passed and the age stayed."""
    question, old_answer, answer, old_review, review = row
    computed = anniversary(
        question, old_answer=old_answer, answer=answer, old_review=old_review, review=review
    )
    return computed is None or computed.agrees


class AgeFollowsAnniversary(MulticolumnMapMetricProvider):
    """Metric behind `ExpectAgeToFollowAnniversary`."""

    condition_metric_name = "multicolumn_values.age_follows_anniversary"

    @multicolumn_condition_partial(engine=PandasExecutionEngine)
    def _pandas(cls, column_list: pandas.DataFrame, **kwargs: Any) -> pandas.Series[bool]:
        return rowwise(column_list, followed)


class ExpectAgeToFollowAnniversary(OneSentence, MulticolumnMapExpectation):
    """Expect an age whose review moved to a later anniversary to have grown by those years.

    ExpectAgeToFollowAnniversary is a Multicolumn Map Expectation.

    Rows of another pattern, and answers that changed in another way, pass.

    Args:
        column_list (tuple or list): Question, primary answer before and now, review before and now. Default
            question, old_answer_0, answer_0, old_next_review, next_review.

    Other Parameters:
        mostly, result_format, catch_exceptions, meta, severity: as in every Multicolumn Map Expectation.

    Returns:
        An ExpectationValidationResult

    See Also:
        ExpectAnswersToMatchComputation

    Supported Data Sources:
        Pandas

    Data Quality Issues:
        Freshness

    Example Data:
            question                                old_answer_0   answer_0       old_next_review   next_review   forgotten
        0   How old is the guild leader?            23 years old   24 years old   03/09/2024        03/09/2025    23 years old
        1   How many years ago did Oren Dask die?   18             19 years       04/02/2024        04/02/2025    18 years

    Code Examples:
        Passing Case:
            Input:
                ExpectAgeToFollowAnniversary()

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectAgeToFollowAnniversary(
                    column_list=["question", "old_answer_0", "forgotten", "old_next_review", "next_review"],
                )

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 2}}
    """

    column_list: Sequence[str] = columns(
        "question", "old_answer_0", "answer_0", "old_next_review", "next_review"
    )
    ignore_row_if: str = "never"

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {
                "question": [
                    "How old is the guild leader?",
                    "How many years ago did Oren Dask die?",
                ],
                "old_answer_0": ["23 years old", "18"],
                "answer_0": ["24 years old", "19 years"],
                "old_next_review": ["03/09/2024", "04/02/2024"],
                "next_review": ["03/09/2025", "04/02/2025"],
                "forgotten": ["23 years old", "18 years"],
            },
            "tests": [
                {"title": "passing", "in": {}, "out": {"success": True}},
                {
                    "title": "failing",
                    "in": {
                        "column_list": [
                            "question",
                            "old_answer_0",
                            "forgotten",
                            "old_next_review",
                            "next_review",
                        ]
                    },
                    "out": {"success": False, "unexpected_rows": [0, 1]},
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("multicolumn map expectation")
    sentence: ClassVar[str] = (
        "Ages in $column_list must grow when their review moves to a later anniversary."
    )
    map_metric = "multicolumn_values.age_follows_anniversary"
    success_keys = ("mostly",)
    args_keys = ("column_list",)
