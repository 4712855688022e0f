"""Can the fact have become true in that year?"""

from __future__ import annotations

import re
from datetime import date
from typing import Any, ClassVar

import pandas
from great_expectations.execution_engine import PandasExecutionEngine
from great_expectations.expectations.expectation import ColumnMapExpectation
from great_expectations.expectations.metrics import (
    ColumnMapMetricProvider,
    column_condition_partial,
)

from prefect_freshqa.expectations.custom.rendering import OneSentence, library_metadata


def is_possible(text: str, version_date: date) -> bool:
    """True for `before YYYY`, and for a year of this century up to that of `version_date`."""
    found = re.fullmatch(r"(before )?(\d{4})", text)
    return found is not None and (
        found[1] is not None or 2000 <= int(found[2]) <= version_date.year
    )


class EffectiveYearIsPossible(ColumnMapMetricProvider):
    """Metric behind `ExpectEffectiveYearNotAfterVersionDate`."""

    condition_metric_name = "column_values.effective_year_not_after_version_date"
    condition_value_keys = ("version_date",)

    @column_condition_partial(engine=PandasExecutionEngine)
    def _pandas(cls, column: pandas.Series[Any], **kwargs: Any) -> pandas.Series[bool]:
        day = date.fromisoformat(kwargs["version_date"])
        return column.map(lambda text: is_possible(str(text), day)).astype(bool)


class ExpectEffectiveYearNotAfterVersionDate(OneSentence, ColumnMapExpectation):
    """Expect each effective year to be "before YYYY" or a year up to that of the version date.

    ExpectEffectiveYearNotAfterVersionDate is a Column Map Expectation.

    The effective year is the year in which the current answer became true.

    Args:
        column (str): The column with the years. Default "effective_year".
        version_date (str): The date the data speak about, YYYY-MM-DD.

    Other Parameters:
        mostly, result_format, catch_exceptions, meta, severity: as in every Column Map Expectation.

    Returns:
        An ExpectationValidationResult

    See Also:
        ExpectEffectiveYearToFollowAnswer

    Supported Data Sources:
        Pandas

    Data Quality Issues:
        Validity

    Example Data:
            effective_year   wrong
        0   2025             2026
        1   before 2022      22

    Code Examples:
        Passing Case:
            Input:
                ExpectEffectiveYearNotAfterVersionDate(version_date="2025-03-10")

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectEffectiveYearNotAfterVersionDate(column="wrong", version_date="2025-03-10")

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 2}}
    """

    column: str = "effective_year"
    version_date: str

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {"effective_year": ["2025", "before 2022"], "wrong": ["2026", "22"]},
            "tests": [
                {
                    "title": "passing",
                    "in": {"version_date": "2025-03-10"},
                    "out": {"success": True},
                },
                {
                    "title": "failing",
                    "in": {"column": "wrong", "version_date": "2025-03-10"},
                    "out": {"success": False, "unexpected_rows": [0, 1]},
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("column map expectation")
    sentence: ClassVar[str] = '$column must be "before YYYY" or a year up to that of $version_date.'
    map_metric = "column_values.effective_year_not_after_version_date"
    success_keys = ("version_date", "mostly")
    args_keys = ("column", "version_date")
