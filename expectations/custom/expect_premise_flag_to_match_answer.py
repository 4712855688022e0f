"""Does a false-premise flag go with the answer?"""

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

from freshqa.maintaining.premise_flag import flag_fits
from prefect_freshqa.expectations.custom.rendering import OneSentence, columns, library_metadata
from prefect_freshqa.expectations.custom.rows import rowwise


def fits(row: Sequence[str]) -> bool:
    """True when flag and answer go together."""
    question, flag, answer = row
    return flag_fits(question, answer, false_premise=flag.upper() == "TRUE")


class PremiseFlagMatchesAnswer(MulticolumnMapMetricProvider):
    """Metric behind `ExpectPremiseFlagToMatchAnswer`."""

    condition_metric_name = "multicolumn_values.premise_flag_matches_answer"

    @multicolumn_condition_partial(engine=PandasExecutionEngine)
    def _pandas(cls, column_list: pandas.DataFrame, **kwargs: Any) -> pandas.Series[bool]:
        return rowwise(column_list, fits)


class ExpectPremiseFlagToMatchAnswer(OneSentence, MulticolumnMapExpectation):
    """Expect flagged questions to be rebutted, and unflagged ones not to be denied.

    ExpectPremiseFlagToMatchAnswer is a Multicolumn Map Expectation.

    A bare name cannot rebut a premise; "the show has not aired" denies one. How-many questions pass.

    Args:
        column_list (tuple or list): Question, flag (TRUE or FALSE) and primary answer. Default question, false_premise, answer_0.

    Other Parameters:
        mostly, result_format, catch_exceptions, meta, severity: as in every Multicolumn Map Expectation.

    Returns:
        An ExpectationValidationResult

    See Also:
        ExpectSiblingPremisesToAgree

    Supported Data Sources:
        Pandas

    Data Quality Issues:
        Validity

    Example Data:
            question                             false_premise   answer_0                                wrong_flag   wrong
        0   Who won Voices this year?            TRUE            The show has not aired this year.       FALSE        The show has not aired this year.
        1   When did the Guild go to the moon?   TRUE            The Guild has never been to the moon.   TRUE         1999

    Code Examples:
        Passing Case:
            Input:
                ExpectPremiseFlagToMatchAnswer()

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectPremiseFlagToMatchAnswer(column_list=["question", "wrong_flag", "wrong"])

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 2}}
    """

    column_list: Sequence[str] = columns("question", "false_premise", "answer_0")
    ignore_row_if: str = "never"

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {
                "question": ["Who won Voices this year?", "When did the Guild go to the moon?"],
                "false_premise": ["TRUE", "TRUE"],
                "answer_0": [
                    "The show has not aired this year.",
                    "The Guild has never been to the moon.",
                ],
                "wrong_flag": ["FALSE", "TRUE"],
                "wrong": ["The show has not aired this year.", "1999"],
            },
            "tests": [
                {"title": "passing", "in": {}, "out": {"success": True}},
                {
                    "title": "failing",
                    "in": {"column_list": ["question", "wrong_flag", "wrong"]},
                    "out": {"success": False, "unexpected_rows": [0, 1]},
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("multicolumn map expectation")
    sentence: ClassVar[str] = "The flag and the answer in $column_list must go together."
    map_metric = "multicolumn_values.premise_flag_matches_answer"
    success_keys = ("mostly",)
    args_keys = ("column_list",)
