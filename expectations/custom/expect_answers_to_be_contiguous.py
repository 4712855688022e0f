"""Are the answer slots filled from the first one on?"""

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


def is_contiguous(answers: Sequence[str]) -> bool:
    """True when no filled slot follows an empty one."""
    given = [bool(answer.strip()) for answer in answers]
    return given == sorted(given, reverse=True)


class AnswersAreContiguous(MulticolumnMapMetricProvider):
    """Metric behind `ExpectAnswersToBeContiguous`."""

    condition_metric_name = "multicolumn_values.answers_contiguous"

    @multicolumn_condition_partial(engine=PandasExecutionEngine)
    def _pandas(cls, column_list: pandas.DataFrame, **kwargs: Any) -> pandas.Series[bool]:
        return rowwise(column_list, is_contiguous)


class ExpectAnswersToBeContiguous(OneSentence, MulticolumnMapExpectation):
    """Expect the answers of each row to fill the slots from the first one on, without a gap.

    ExpectAnswersToBeContiguous is a Multicolumn Map Expectation.

    A reader that stops at the first empty slot loses what stands behind it.

    Args:
        column_list (tuple or list): The answer columns, primary first. Default answer_0 to answer_9.

    Other Parameters:
        mostly, result_format, catch_exceptions, meta, severity: as in every Multicolumn Map Expectation.

    Returns:
        An ExpectationValidationResult

    Supported Data Sources:
        Pandas

    Data Quality Issues:
        Completeness

    Example Data:
            answer_0    answer_1    answer_2   other_0   other_1     other_2
        0   41          forty-one              41                    forty-one
        1   Mira Vale                                    Mira Vale

    Code Examples:
        Passing Case:
            Input:
                ExpectAnswersToBeContiguous(column_list=["answer_0", "answer_1", "answer_2"])

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectAnswersToBeContiguous(column_list=["other_0", "other_1", "other_2"])

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 2}}
    """

    column_list: Sequence[str] = columns(*ANSWER_COLUMNS)
    ignore_row_if: str = "never"

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {
                "answer_0": ["41", "Mira Vale"],
                "answer_1": ["forty-one", None],
                "answer_2": [None, None],
                "other_0": ["41", None],
                "other_1": [None, "Mira Vale"],
                "other_2": ["forty-one", None],
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
    sentence: ClassVar[str] = "Answers must fill $column_list from the first on, without a gap."
    map_metric = "multicolumn_values.answers_contiguous"
    success_keys = ("mostly",)
    args_keys = ("column_list",)
