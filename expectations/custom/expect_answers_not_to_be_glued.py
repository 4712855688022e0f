"""Did two answers run into one slot?"""

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

SHORTEST = 4
"""Characters; shorter answers are prefixes of other words by chance."""


def is_separate(answers: Sequence[str]) -> bool:
    """True when no answer continues another one without a space."""
    given = [answer.strip() for answer in answers if answer.strip()]
    return not any(_glued(one, other) for one in given for other in given)


def _glued(long: str, short: str) -> bool:
    rest = long[len(short) :]
    return (
        len(short) >= SHORTEST
        and long.startswith(short)
        and short[-1].islower()
        and rest[:1].isupper()
    )


class AnswersAreSeparate(MulticolumnMapMetricProvider):
    """Metric behind `ExpectAnswersNotToBeGlued`."""

    condition_metric_name = "multicolumn_values.answers_separate"

    @multicolumn_condition_partial(engine=PandasExecutionEngine)
    def _pandas(cls, column_list: pandas.DataFrame, **kwargs: Any) -> pandas.Series[bool]:
        return rowwise(column_list, is_separate)


class ExpectAnswersNotToBeGlued(OneSentence, MulticolumnMapExpectation):
    """Expect no answer to be another answer of the row with more text glued to its end.

    ExpectAnswersNotToBeGlued is a Multicolumn Map Expectation.

    Found by a capital letter right after the shorter answer: "Mira ValeCaptain Vale".

    Args:
        column_list (tuple or list): The answer columns. Default answer_0 to answer_9.

    Other Parameters:
        mostly, result_format, catch_exceptions, meta, severity: as in every Multicolumn Map Expectation.

    Returns:
        An ExpectationValidationResult

    See Also:
        ExpectAnswersToBeDistinct

    Supported Data Sources:
        Pandas

    Data Quality Issues:
        Validity

    Example Data:
            answer_0    answer_1              glued
        0   Mira Vale   Mira Vale (captain)   Mira ValeCaptain Vale
        1   Oren Dask   Dask                  Dask

    Code Examples:
        Passing Case:
            Input:
                ExpectAnswersNotToBeGlued(column_list=["answer_0", "answer_1"])

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectAnswersNotToBeGlued(column_list=["answer_0", "glued"])

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 1}}
    """

    column_list: Sequence[str] = columns(*ANSWER_COLUMNS)
    ignore_row_if: str = "never"

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {
                "answer_0": ["Mira Vale", "Oren Dask"],
                "answer_1": ["Mira Vale (captain)", "Dask"],
                "glued": ["Mira ValeCaptain Vale", "Dask"],
            },
            "tests": [
                {
                    "title": "passing",
                    "in": {"column_list": ["answer_0", "answer_1"]},
                    "out": {"success": True},
                },
                {
                    "title": "failing",
                    "in": {"column_list": ["answer_0", "glued"]},
                    "out": {"success": False, "unexpected_rows": [0]},
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("multicolumn map expectation")
    sentence: ClassVar[str] = "No answer in $column_list may run into another one."
    map_metric = "multicolumn_values.answers_separate"
    success_keys = ("mostly",)
    args_keys = ("column_list",)
