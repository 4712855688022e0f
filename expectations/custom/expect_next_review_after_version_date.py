"""Is the next review still to come?"""

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

from freshqa.dataset.calendar import parse_review
from prefect_freshqa.expectations.custom.rendering import OneSentence, library_metadata

_NAMES_A_DAY = re.compile(r"\d{1,2}/\d{1,2}/?\d{4}|\d{4}-\d{1,2}-\d{1,2}")


def is_ahead(text: str, version_date: date) -> bool:
    """True unless the text names a day that is not after `version_date`.

    A month, quarter or year ("11/2023") has no day on which it is overdue.
    """
    due_on = parse_review(text).due_on if _NAMES_A_DAY.fullmatch(text.strip()) else None
    return due_on is None or due_on > version_date


class NextReviewIsAhead(ColumnMapMetricProvider):
    """Metric behind `ExpectNextReviewAfterVersionDate`."""

    condition_metric_name = "column_values.next_review_after_version_date"
    condition_value_keys = ("version_date",)

    @column_condition_partial(engine=PandasExecutionEngine)
    def _pandas(cls, column: pandas.Series[Any], **kwargs: Any) -> pandas.Series[bool]:
        day = date.fromisoformat(kwargs["version_date"])
        return column.map(lambda text: is_ahead(str(text), day)).astype(bool)


class ExpectNextReviewAfterVersionDate(OneSentence, ColumnMapExpectation):
    """Expect each review date to be later than the date of the version; cadence words pass.

    ExpectNextReviewAfterVersionDate is a Column Map Expectation.

    A review that is overdue on the day of publication was forgotten.

    Args:
        column (str): The column with the reviews. Default "next_review".
        version_date (str): The date the data speak about, YYYY-MM-DD.

    Other Parameters:
        mostly, result_format, catch_exceptions, meta, severity: as in every Column Map Expectation.

    Returns:
        An ExpectationValidationResult

    See Also:
        ExpectNextReviewToBeDateOrCadence

    Supported Data Sources:
        Pandas

    Data Quality Issues:
        Freshness

    Example Data:
            next_review    overdue
        0   03/11/2025     03/10/2025
        1   occasionally   10/28/2023

    Code Examples:
        Passing Case:
            Input:
                ExpectNextReviewAfterVersionDate(version_date="2025-03-10")

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectNextReviewAfterVersionDate(column="overdue", version_date="2025-03-10")

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 2}}
    """

    column: str = "next_review"
    version_date: str

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {
                "next_review": ["03/11/2025", "occasionally"],
                "overdue": ["03/10/2025", "10/28/2023"],
            },
            "tests": [
                {
                    "title": "passing",
                    "in": {"version_date": "2025-03-10"},
                    "out": {"success": True},
                },
                {
                    "title": "failing",
                    "in": {"column": "overdue", "version_date": "2025-03-10"},
                    "out": {"success": False, "unexpected_rows": [0, 1]},
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("column map expectation")
    sentence: ClassVar[str] = "$column must be a cadence word or a date after $version_date."
    map_metric = "column_values.next_review_after_version_date"
    success_keys = ("version_date", "mostly")
    args_keys = ("column", "version_date")
