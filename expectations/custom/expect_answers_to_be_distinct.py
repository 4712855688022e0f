"""Is every alternative another way to say it?"""

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

from freshqa.dataset.question import ANSWER_COLUMNS
from prefect_freshqa.expectations.custom.rendering import OneSentence, columns, library_metadata
from prefect_freshqa.expectations.custom.rows import rowwise


def is_distinct(answers: Sequence[str]) -> bool:
    """True when no two filled slots hold the same text."""
    given = [answer for answer in answers if answer.strip()]
    return len(given) == len(set(given))


class AnswersAreDistinct(MulticolumnMapMetricProvider):
    """Metric behind `ExpectAnswersToBeDistinct`."""

    condition_metric_name = "multicolumn_values.answers_distinct"

    @multicolumn_condition_partial(engine=PandasExecutionEngine)
    def _pandas(cls, column_list: pandas.DataFrame, **kwargs: Any) -> pandas.Series[bool]:
        return rowwise(column_list, is_distinct)


class ExpectAnswersToBeDistinct(OneSentence, MulticolumnMapExpectation):
    """Expect the answers of each row to differ from one another; empty slots do not count.

    ExpectAnswersToBeDistinct is a Multicolumn Map Expectation.

    Equal alternatives are what is left when a spreadsheet rewrites dates.

    Args:
        column_list (tuple or list): The answer columns, primary first. Default answer_0 to answer_9.

    Other Parameters:
        mostly, result_format, catch_exceptions, meta, severity: as in every Multicolumn Map Expectation.

    Returns:
        An ExpectationValidationResult

    See Also:
        ExpectSelectColumnValuesToBeUniqueWithinRecord, which counts empty slots as equal

    Supported Data Sources:
        Pandas

    Data Quality Issues:
        Uniqueness

    Example Data:
            answer_0   answer_1     answer_2   other_0    other_1    other_2
        0   May 2024   5/2024                  May 2024   May 2024   4/2024
        1   49         forty-nine              49         49

    Code Examples:
        Passing Case:
            Input:
                ExpectAnswersToBeDistinct(column_list=["answer_0", "answer_1", "answer_2"])

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectAnswersToBeDistinct(column_list=["other_0", "other_1", "other_2"])

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 2}}
    """

    column_list: Sequence[str] = columns(*ANSWER_COLUMNS)
    ignore_row_if: str = "never"

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {
                "answer_0": ["May 2024", "49"],
                "answer_1": ["5/2024", "forty-nine"],
                "answer_2": [None, None],
                "other_0": ["May 2024", "49"],
                "other_1": ["May 2024", "49"],
                "other_2": ["4/2024", None],
            },
            "tests": [
                {
                    "title": "passing",
                    "in": {"column_list": ["answer_0", "answer_1", "answer_2"]},
                    "out": {"success": True},
                },
                {
                    "title": "failing",
                    "in": {"column_list": ["other_0", "other_1", "other_2"]},
                    "out": {"success": False, "unexpected_rows": [0, 1]},
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("multicolumn map expectation")
    sentence: ClassVar[str] = "Answers in $column_list must differ from one another."
    map_metric = "multicolumn_values.answers_distinct"
    success_keys = ("mostly",)
    args_keys = ("column_list",)
