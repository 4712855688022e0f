"""Did a sibling question stay behind?"""

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
from freshqa.maintaining.siblings import siblings
from prefect_freshqa.expectations.custom.rendering import OneSentence, columns, library_metadata
from prefect_freshqa.expectations.custom.rows import questions, texts, without


def left_behind(columns: pandas.DataFrame) -> set[int]:
    """Positions of rows that kept an answer which a sibling gave up."""
    names = ("question", "answer_0", "source", "false_premise", "note")
    before = list(questions(columns, names))
    now = [row[-1] for row in texts(columns)]
    moved = [bool(new) and is_replaced(q.primary, new) for q, new in zip(before, now, strict=True)]
    pairs = siblings(before, apart=moved)
    return {
        stayed
        for first, second in pairs
        for stayed, went in ((first, second), (second, first))
        if moved[went] and not moved[stayed] and now[stayed]
    }


class SiblingAnswersMoveTogether(MulticolumnMapMetricProvider):
    """Metric behind `ExpectSiblingAnswersToMoveTogether`."""

    condition_metric_name = "multicolumn_values.sibling_answers_move_together"

    @multicolumn_condition_partial(engine=PandasExecutionEngine)
    def _pandas(cls, column_list: pandas.DataFrame, **kwargs: Any) -> pandas.Series[bool]:
        return without(column_list, left_behind(column_list))


class ExpectSiblingAnswersToMoveTogether(OneSentence, MulticolumnMapExpectation):
    """Expect questions that gave the same answer for the same reason to change together.

    ExpectSiblingAnswersToMoveTogether is a Multicolumn Map Expectation.

    Siblings gave one answer and cited one page, or are alike in wording. The one left is flagged.

    Args:
        column_list (tuple or list): Question, primary answer, source and flag before, primary answer now. Default
            old_question, old_answer_0, old_source, old_false_premise, answer_0.

    Other Parameters:
        mostly, result_format, catch_exceptions, meta, severity: as in every Multicolumn Map Expectation.

    Returns:
        An ExpectationValidationResult

    See Also:
        ExpectSiblingPremisesToAgree

    Supported Data Sources:
        Pandas

    Data Quality Issues:
        Freshness

    Example Data:
            old_question                          old_answer_0   old_source                  old_false_premise   answer_0    behind
        0   Who leads the Guild?                  Mira Vale      https://example.org/guild   FALSE               Oren Dask   Oren Dask
        1   Which singer runs the lantern club?   Mira Vale      https://example.org/guild   FALSE               Oren Dask   Mira Vale

    Code Examples:
        Passing Case:
            Input:
                ExpectSiblingAnswersToMoveTogether()

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectSiblingAnswersToMoveTogether(
                    column_list=["old_question", "old_answer_0", "old_source", "old_false_premise", "behind"],
                )

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 1}}
    """

    column_list: Sequence[str] = columns(
        "old_question", "old_answer_0", "old_source", "old_false_premise", "answer_0"
    )
    ignore_row_if: str = "never"

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {
                "old_question": ["Who leads the Guild?", "Which singer runs the lantern club?"],
                "old_answer_0": ["Mira Vale", "Mira Vale"],
                "old_source": ["https://example.org/guild", "https://example.org/guild"],
                "old_false_premise": ["FALSE", "FALSE"],
                "answer_0": ["Oren Dask", "Oren Dask"],
                "behind": ["Oren Dask", "Mira Vale"],
            },
            "tests": [
                {"title": "passing", "in": {}, "out": {"success": True}},
                {
                    "title": "failing",
                    "in": {
                        "column_list": [
                            "old_question",
                            "old_answer_0",
                            "old_source",
                            "old_false_premise",
                            "behind",
                        ]
                    },
                    "out": {"success": False, "unexpected_rows": [1]},
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("multicolumn map expectation")
    sentence: ClassVar[str] = (
        "Questions that gave one answer for one reason must change together ($column_list)."
    )
    map_metric = "multicolumn_values.sibling_answers_move_together"
    success_keys = ("mostly",)
    args_keys = ("column_list",)
