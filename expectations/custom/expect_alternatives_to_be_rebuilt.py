"""Were the alternatives rebuilt with the primary answer?"""

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
from freshqa.maintaining.alternatives import left_over
from prefect_freshqa.expectations.custom.rendering import OneSentence, columns, library_metadata
from prefect_freshqa.expectations.custom.rows import rowwise

BEFORE_AND_AFTER = (*(f"old_{column}" for column in ANSWER_COLUMNS), *ANSWER_COLUMNS)


def rebuilt(row: Sequence[str]) -> bool:
    """True when nothing is left over; the first half of the row is before, the second after."""
    half = len(row) // 2
    old, new = [[answer for answer in part if answer.strip()] for part in (row[:half], row[half:])]
    return not left_over(old, new)


class AlternativesAreRebuilt(MulticolumnMapMetricProvider):
    """Metric behind `ExpectAlternativesToBeRebuilt`."""

    condition_metric_name = "multicolumn_values.alternatives_rebuilt"

    @multicolumn_condition_partial(engine=PandasExecutionEngine)
    def _pandas(cls, column_list: pandas.DataFrame, **kwargs: Any) -> pandas.Series[bool]:
        return rowwise(column_list, rebuilt)


class ExpectAlternativesToBeRebuilt(OneSentence, MulticolumnMapExpectation):
    """Expect no alternative of the old fact to be kept once the primary answer is another fact.

    ExpectAlternativesToBeRebuilt is a Multicolumn Map Expectation.

    An old alternative that also fits the new primary answer, or rounds the same number, passes.

    Args:
        column_list (tuple or list): Answer columns before, then as many after, primary first. Default
            old_answer_0 to old_answer_9, answer_0 to answer_9.

    Other Parameters:
        mostly, result_format, catch_exceptions, meta, severity: as in every Multicolumn Map Expectation.

    Returns:
        An ExpectationValidationResult

    See Also:
        ExpectAlternativesToMatchPrimary

    Supported Data Sources:
        Pandas

    Data Quality Issues:
        Freshness

    Example Data:
            old_answer_0   old_answer_1   answer_0   answer_1   stale_1
        0   April 2024     4/2024         May 2024   5/2024     4/2024
        1   91             91 times       93         93 times   91 times

    Code Examples:
        Passing Case:
            Input:
                ExpectAlternativesToBeRebuilt(
                    column_list=["old_answer_0", "old_answer_1", "answer_0", "answer_1"],
                )

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectAlternativesToBeRebuilt(
                    column_list=["old_answer_0", "old_answer_1", "answer_0", "stale_1"],
                )

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 2}}
    """

    column_list: Sequence[str] = columns(*BEFORE_AND_AFTER)
    ignore_row_if: str = "never"

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {
                "old_answer_0": ["April 2024", "91"],
                "old_answer_1": ["4/2024", "91 times"],
                "answer_0": ["May 2024", "93"],
                "answer_1": ["5/2024", "93 times"],
                "stale_1": ["4/2024", "91 times"],
            },
            "tests": [
                {
                    "title": "passing",
                    "in": {"column_list": ["old_answer_0", "old_answer_1", "answer_0", "answer_1"]},
                    "out": {"success": True},
                },
                {
                    "title": "failing",
                    "in": {"column_list": ["old_answer_0", "old_answer_1", "answer_0", "stale_1"]},
                    "out": {"success": False, "unexpected_rows": [0, 1]},
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("multicolumn map expectation")
    sentence: ClassVar[str] = (
        "Alternatives must be rebuilt when the primary answer changes ($column_list)."
    )
    map_metric = "multicolumn_values.alternatives_rebuilt"
    success_keys = ("mostly",)
    args_keys = ("column_list",)
