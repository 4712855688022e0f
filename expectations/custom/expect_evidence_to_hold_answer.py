"""Does a new answer stand in the evidence it was taken from?"""

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
from freshqa.maintaining.source_quotes import supported
from prefect_freshqa.expectations.custom.rendering import OneSentence, columns, library_metadata
from prefect_freshqa.expectations.custom.rows import rowwise

READ = (*ANSWER_COLUMNS, "evidence")


def holds(row: Sequence[str]) -> bool:
    """True without evidence, and when it holds one of the answers."""
    *answers, evidence = row
    given = [answer for answer in answers if answer.strip()]
    return not evidence.strip() or supported(given, [evidence])


class EvidenceHoldsAnswer(MulticolumnMapMetricProvider):
    """Metric behind `ExpectEvidenceToHoldAnswer`."""

    condition_metric_name = "multicolumn_values.evidence_holds_answer"

    @multicolumn_condition_partial(engine=PandasExecutionEngine)
    def _pandas(cls, column_list: pandas.DataFrame, **kwargs: Any) -> pandas.Series[bool]:
        return rowwise(column_list, holds)


class ExpectEvidenceToHoldAnswer(OneSentence, MulticolumnMapExpectation):
    """Expect one of the answers to stand in the evidence; rows without evidence pass.

    ExpectEvidenceToHoldAnswer is a Multicolumn Map Expectation.

    Dates are found however they are written, numbers to the precision of the answer.

    Args:
        column_list (tuple or list): Answer columns, then the evidence. Default answer_0 to answer_9, evidence.

    Other Parameters:
        mostly, result_format, catch_exceptions, meta, severity: as in every Multicolumn Map Expectation.

    Returns:
        An ExpectationValidationResult

    See Also:
        ExpectSourcesToQuoteNewAnswer

    Supported Data Sources:
        Pandas

    Data Quality Issues:
        Validity

    Example Data:
            answer_0        evidence                     other
        0   March 4, 2025   It closed on 4 March 2025.   It closed in May 2025.
        1   Mira Vale

    Code Examples:
        Passing Case:
            Input:
                ExpectEvidenceToHoldAnswer(column_list=["answer_0", "evidence"])

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectEvidenceToHoldAnswer(column_list=["answer_0", "other"])

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 1}}
    """

    column_list: Sequence[str] = columns(*READ)
    ignore_row_if: str = "never"

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {
                "answer_0": ["March 4, 2025", "Mira Vale"],
                "evidence": ["It closed on 4 March 2025.", None],
                "other": ["It closed in May 2025.", None],
            },
            "tests": [
                {
                    "title": "passing",
                    "in": {"column_list": ["answer_0", "evidence"]},
                    "out": {"success": True},
                },
                {
                    "title": "failing",
                    "in": {"column_list": ["answer_0", "other"]},
                    "out": {"success": False, "unexpected_rows": [0]},
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("multicolumn map expectation")
    sentence: ClassVar[str] = "Evidence must hold one of the answers ($column_list)."
    map_metric = "multicolumn_values.evidence_holds_answer"
    success_keys = ("mostly",)
    args_keys = ("column_list",)
