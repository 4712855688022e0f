"""Are sibling questions flagged alike?"""

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

from freshqa.maintaining.siblings import sibling_premises
from prefect_freshqa.expectations.custom.rendering import OneSentence, columns, library_metadata
from prefect_freshqa.expectations.custom.rows import questions, without


class SiblingPremisesAgree(MulticolumnMapMetricProvider):
    """Metric behind `ExpectSiblingPremisesToAgree`."""

    condition_metric_name = "multicolumn_values.sibling_premises_agree"

    @multicolumn_condition_partial(engine=PandasExecutionEngine)
    def _pandas(cls, column_list: pandas.DataFrame, **kwargs: Any) -> pandas.Series[bool]:
        rows = list(questions(column_list, ("question", "false_premise", "answer_0")))
        pairs = sibling_premises(rows)
        return without(column_list, {position for pair in pairs for position in pair})


class ExpectSiblingPremisesToAgree(OneSentence, MulticolumnMapExpectation):
    """Expect questions alike in wording and answer to carry the same false-premise flag.

    ExpectSiblingPremisesToAgree is a Multicolumn Map Expectation.

    "The show has not aired this year." cannot make one premise false and its sibling's true.

    Args:
        column_list (tuple or list): Question, flag and primary answer. Default question, false_premise, answer_0.

    Other Parameters:
        mostly, result_format, catch_exceptions, meta, severity: as in every Multicolumn Map Expectation.

    Returns:
        An ExpectationValidationResult

    See Also:
        ExpectPremiseFlagToMatchAnswer

    Supported Data Sources:
        Pandas

    Data Quality Issues:
        Validity

    Example Data:
            question                    false_premise   answer_0                            differs
        0   Who won Voices this year?   TRUE            The show has not aired this year.   TRUE
        1   Who won Idols this year?    TRUE            The show has not aired this year.   FALSE

    Code Examples:
        Passing Case:
            Input:
                ExpectSiblingPremisesToAgree()

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectSiblingPremisesToAgree(column_list=["question", "differs", "answer_0"])

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 2}}
    """

    column_list: Sequence[str] = columns("question", "false_premise", "answer_0")
    ignore_row_if: str = "never"

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {
                "question": ["Who won Voices this year?", "Who won Idols this year?"],
                "false_premise": ["TRUE", "TRUE"],
                "answer_0": [
                    "The show has not aired this year.",
                    "The show has not aired this year.",
                ],
                "differs": ["TRUE", "FALSE"],
            },
            "tests": [
                {"title": "passing", "in": {}, "out": {"success": True}},
                {
                    "title": "failing",
                    "in": {"column_list": ["question", "differs", "answer_0"]},
                    "out": {"success": False, "unexpected_rows": [0, 1]},
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("multicolumn map expectation")
    sentence: ClassVar[str] = (
        "Questions alike in wording and answer must be flagged alike ($column_list)."
    )
    map_metric = "multicolumn_values.sibling_premises_agree"
    success_keys = ("mostly",)
    args_keys = ("column_list",)
