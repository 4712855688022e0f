"""Do the alternatives state the fact of the primary answer?"""

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
from freshqa.maintaining.alternatives import contradicting
from prefect_freshqa.expectations.custom.rendering import OneSentence, columns, library_metadata
from prefect_freshqa.expectations.custom.rows import rowwise


def matches(answers: Sequence[str]) -> bool:
    """True when no alternative contradicts the primary answer."""
    return not contradicting(answers[0], [answer for answer in answers[1:] if answer.strip()])


class AlternativesMatchPrimary(MulticolumnMapMetricProvider):
    """Metric behind `ExpectAlternativesToMatchPrimary`."""

    condition_metric_name = "multicolumn_values.alternatives_match_primary"

    @multicolumn_condition_partial(engine=PandasExecutionEngine)
    def _pandas(cls, column_list: pandas.DataFrame, **kwargs: Any) -> pandas.Series[bool]:
        return rowwise(column_list, matches)


class ExpectAlternativesToMatchPrimary(OneSentence, MulticolumnMapExpectation):
    """Expect no alternative answer to be another date or number than the primary answer.

    ExpectAlternativesToMatchPrimary is a Multicolumn Map Expectation.

    Names and sentences are let through, rounded (724K for 723,866) and hedged numbers too.

    Args:
        column_list (tuple or list): The answer columns, primary first. Default answer_0 to answer_9.

    Other Parameters:
        mostly, result_format, catch_exceptions, meta, severity: as in every Multicolumn Map Expectation.

    Returns:
        An ExpectationValidationResult

    See Also:
        ExpectAlternativesToBeRebuilt

    Supported Data Sources:
        Pandas

    Data Quality Issues:
        Validity

    Example Data:
            answer_0      answer_1     answer_2       other_0       other_1      other_2
        0   Apr 5, 2023   04/05/2023   5 April 2023   Apr 5, 2023   04/15/2023   5 April 2023
        1   723,866       724K                        93            91 times

    Code Examples:
        Passing Case:
            Input:
                ExpectAlternativesToMatchPrimary(column_list=["answer_0", "answer_1", "answer_2"])

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectAlternativesToMatchPrimary(column_list=["other_0", "other_1", "other_2"])

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 2}}
    """

    column_list: Sequence[str] = columns(*ANSWER_COLUMNS)
    ignore_row_if: str = "never"

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {
                "answer_0": ["Apr 5, 2023", "723,866"],
                "answer_1": ["04/05/2023", "724K"],
                "answer_2": ["5 April 2023", None],
                "other_0": ["Apr 5, 2023", "93"],
                "other_1": ["04/15/2023", "91 times"],
                "other_2": ["5 April 2023", None],
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
    sentence: ClassVar[str] = (
        "Alternatives in $column_list must state the date or number of the first."
    )
    map_metric = "multicolumn_values.alternatives_match_primary"
    success_keys = ("mostly",)
    args_keys = ("column_list",)
