"""Was an answer that never changes changed without a reason?"""

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

from freshqa.maintaining.alternatives import is_replaced
from prefect_freshqa.expectations.custom.rendering import OneSentence, columns, library_metadata
from prefect_freshqa.expectations.custom.rows import rowwise


def stayed(row: Sequence[str]) -> bool:
    """True when the answer states the same fact, or somebody said why not."""
    fact_type, old, new, reason = row
    if fact_type != "never-changing" or not old or not new or reason.strip():
        return True
    return not is_replaced(old, new)


class NeverChangingAnswersStay(MulticolumnMapMetricProvider):
    """Metric behind `ExpectNeverChangingAnswersToStay`."""

    condition_metric_name = "multicolumn_values.never_changing_answers_stay"

    @multicolumn_condition_partial(engine=PandasExecutionEngine)
    def _pandas(cls, column_list: pandas.DataFrame, **kwargs: Any) -> pandas.Series[bool]:
        return rowwise(column_list, stayed)


class ExpectNeverChangingAnswersToStay(OneSentence, MulticolumnMapExpectation):
    """Expect answers to never-changing questions to stay, unless a reason is given.

    ExpectNeverChangingAnswersToStay is a Multicolumn Map Expectation.

    In seven real transitions one such answer was corrected, of 223 each time.

    Args:
        column_list (tuple or list): Fact type before, primary answer before and now, reason. Default
            old_fact_type, old_answer_0, answer_0, reason.

    Other Parameters:
        mostly, result_format, catch_exceptions, meta, severity: as in every Multicolumn Map Expectation.

    Returns:
        An ExpectationValidationResult

    Supported Data Sources:
        Pandas

    Data Quality Issues:
        Validity

    Example Data:
            old_fact_type    old_answer_0   answer_0    reason                    none
        0   never-changing   1947           1948        The archive was opened.
        1   fast-changing    Mira Vale      Oren Dask

    Code Examples:
        Passing Case:
            Input:
                ExpectNeverChangingAnswersToStay()

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectNeverChangingAnswersToStay(
                    column_list=["old_fact_type", "old_answer_0", "answer_0", "none"],
                )

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 1}}
    """

    column_list: Sequence[str] = columns("old_fact_type", "old_answer_0", "answer_0", "reason")
    ignore_row_if: str = "never"

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {
                "old_fact_type": ["never-changing", "fast-changing"],
                "old_answer_0": ["1947", "Mira Vale"],
                "answer_0": ["1948", "Oren Dask"],
                "reason": ["The archive was opened.", None],
                "none": [None, None],
            },
            "tests": [
                {"title": "passing", "in": {}, "out": {"success": True}},
                {
                    "title": "failing",
                    "in": {"column_list": ["old_fact_type", "old_answer_0", "answer_0", "none"]},
                    "out": {"success": False, "unexpected_rows": [0]},
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("multicolumn map expectation")
    sentence: ClassVar[str] = (
        "Never-changing answers in $column_list must stay unless a reason is given."
    )
    map_metric = "multicolumn_values.never_changing_answers_stay"
    success_keys = ("mostly",)
    args_keys = ("column_list",)
