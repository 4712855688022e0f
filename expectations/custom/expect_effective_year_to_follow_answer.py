"""Did the effective year move with the answer?"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
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


def follows(row: Sequence[str], since: date, until: date) -> bool:
    """True when the answer stayed, or the year lies between the two dates."""
    old, new, year, *flags = row
    if (
        not old
        or not new
        or "TRUE" in [flag.upper() for flag in flags]
        or not is_replaced(old, new)
    ):
        return True
    return year.isdigit() and since.year <= int(year) <= until.year


class EffectiveYearFollowsAnswer(MulticolumnMapMetricProvider):
    """Metric behind `ExpectEffectiveYearToFollowAnswer`."""

    condition_metric_name = "multicolumn_values.effective_year_follows_answer"
    condition_value_keys = (
        "since",
        "until",
    )

    @multicolumn_condition_partial(engine=PandasExecutionEngine)
    def _pandas(cls, column_list: pandas.DataFrame, **kwargs: Any) -> pandas.Series[bool]:
        since, until = (date.fromisoformat(kwargs[name]) for name in ("since", "until"))
        return rowwise(column_list, lambda row: follows(row, since, until))


class ExpectEffectiveYearToFollowAnswer(OneSentence, MulticolumnMapExpectation):
    """Expect a new answer to have become true between the date of the base and that of the version.

    ExpectEffectiveYearToFollowAnswer is a Multicolumn Map Expectation.

    Questions with a false premise pass. Of 356 real changes 347 held; 5 of the rest are mistakes.

    Args:
        column_list (tuple or list): Primary answer before and now, year, flag before and now. Default old_answer_0,
            answer_0, effective_year, old_false_premise, false_premise.
        since (str): Date of the base, YYYY-MM-DD.
        until (str): Date of the version, YYYY-MM-DD.

    Other Parameters:
        mostly, result_format, catch_exceptions, meta, severity: as in every Multicolumn Map Expectation.

    Returns:
        An ExpectationValidationResult

    See Also:
        ExpectEffectiveYearNotAfterVersionDate

    Supported Data Sources:
        Pandas

    Data Quality Issues:
        Freshness

    Example Data:
            old_answer_0   answer_0    effective_year   old_false_premise   false_premise   wrong
        0   Mira Vale      Oren Dask   2025             FALSE               FALSE           before 2022
        1   .NET 7         .NET 8      2024             FALSE               FALSE           2022

    Code Examples:
        Passing Case:
            Input:
                ExpectEffectiveYearToFollowAnswer(since="2024-12-01", until="2025-03-10")

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectEffectiveYearToFollowAnswer(
                    column_list=["old_answer_0", "answer_0", "wrong", "old_false_premise", "false_premise"],
                    since="2024-12-01",
                    until="2025-03-10",
                )

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 2}}
    """

    column_list: Sequence[str] = columns(
        "old_answer_0", "answer_0", "effective_year", "old_false_premise", "false_premise"
    )
    ignore_row_if: str = "never"
    since: str
    until: str

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {
                "old_answer_0": ["Mira Vale", ".NET 7"],
                "answer_0": ["Oren Dask", ".NET 8"],
                "effective_year": ["2025", "2024"],
                "old_false_premise": ["FALSE", "FALSE"],
                "false_premise": ["FALSE", "FALSE"],
                "wrong": ["before 2022", "2022"],
            },
            "tests": [
                {
                    "title": "passing",
                    "in": {"since": "2024-12-01", "until": "2025-03-10"},
                    "out": {"success": True},
                },
                {
                    "title": "failing",
                    "in": {
                        "column_list": [
                            "old_answer_0",
                            "answer_0",
                            "wrong",
                            "old_false_premise",
                            "false_premise",
                        ],
                        "since": "2024-12-01",
                        "until": "2025-03-10",
                    },
                    "out": {"success": False, "unexpected_rows": [0, 1]},
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("multicolumn map expectation")
    sentence: ClassVar[str] = (
        "The year of a new answer in $column_list must lie between $since and $until."
    )
    map_metric = "multicolumn_values.effective_year_follows_answer"
    success_keys = ("since", "until", "mostly")
    args_keys = ("column_list", "since", "until")
