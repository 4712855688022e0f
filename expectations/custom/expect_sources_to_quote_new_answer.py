"""Do the sources still quote the answer that was replaced?"""

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
from freshqa.maintaining.alternatives import is_replaced
from freshqa.maintaining.source_quotes import quotes_only_old
from prefect_freshqa.expectations.custom.rendering import OneSentence, columns, library_metadata
from prefect_freshqa.expectations.custom.rows import rowwise

READ = (*(f"old_{column}" for column in ANSWER_COLUMNS), *ANSWER_COLUMNS, "source")


def quotes_new(row: Sequence[str]) -> bool:
    """True when the answer stayed, or the sources do not give away the old one."""
    half = len(row) // 2
    old, new = [
        [answer for answer in part if answer.strip()] for part in (row[:half], row[half:-1])
    ]
    if not old or not new or not is_replaced(old[0], new[0]):
        return True
    return not quotes_only_old(old, new, row[-1].split("\n"))


class SourcesQuoteNewAnswer(MulticolumnMapMetricProvider):
    """Metric behind `ExpectSourcesToQuoteNewAnswer`."""

    condition_metric_name = "multicolumn_values.sources_quote_new_answer"

    @multicolumn_condition_partial(engine=PandasExecutionEngine)
    def _pandas(cls, column_list: pandas.DataFrame, **kwargs: Any) -> pandas.Series[bool]:
        return rowwise(column_list, quotes_new)


class ExpectSourcesToQuoteNewAnswer(OneSentence, MulticolumnMapExpectation):
    """Expect the passages that source links quote not to hold only an answer no longer given.

    ExpectSourcesToQuoteNewAnswer is a Multicolumn Map Expectation.

    Passages are the "#:~:text=" parts of links. Sources without one, or quoting neither, pass.

    Args:
        column_list (tuple or list): Answer columns before, as many after, then the source. Default
            old_answer_0 to old_answer_9, answer_0 to answer_9, source.

    Other Parameters:
        mostly, result_format, catch_exceptions, meta, severity: as in every Multicolumn Map Expectation.

    Returns:
        An ExpectationValidationResult

    See Also:
        ExpectEvidenceToHoldAnswer

    Supported Data Sources:
        Pandas

    Data Quality Issues:
        Freshness

    Example Data:
            old_answer_0   answer_0    source                                                     old_source
        0   Mira Vale      Oren Dask   https://example.org/guild#:~:text=led%20by%20Oren%20Dask   https://example.org/guild#:~:text=led%20by%20Mira%20Vale

    Code Examples:
        Passing Case:
            Input:
                ExpectSourcesToQuoteNewAnswer(column_list=["old_answer_0", "answer_0", "source"])

            Output:
                {"success": true, "result": {"element_count": 1, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectSourcesToQuoteNewAnswer(
                    column_list=["old_answer_0", "answer_0", "old_source"],
                )

            Output:
                {"success": false, "result": {"element_count": 1, "unexpected_count": 1}}
    """

    column_list: Sequence[str] = columns(*READ)
    ignore_row_if: str = "never"

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {
                "old_answer_0": ["Mira Vale"],
                "answer_0": ["Oren Dask"],
                "source": ["https://example.org/guild#:~:text=led%20by%20Oren%20Dask"],
                "old_source": ["https://example.org/guild#:~:text=led%20by%20Mira%20Vale"],
            },
            "tests": [
                {
                    "title": "passing",
                    "in": {"column_list": ["old_answer_0", "answer_0", "source"]},
                    "out": {"success": True},
                },
                {
                    "title": "failing",
                    "in": {"column_list": ["old_answer_0", "answer_0", "old_source"]},
                    "out": {"success": False, "unexpected_rows": [0]},
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("multicolumn map expectation")
    sentence: ClassVar[str] = "Sources must not quote only the old answer ($column_list)."
    map_metric = "multicolumn_values.sources_quote_new_answer"
    success_keys = ("mostly",)
    args_keys = ("column_list",)
