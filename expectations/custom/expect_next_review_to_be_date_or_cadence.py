"""Is a review date one that a scheduler can read?"""

from __future__ import annotations

import re
from datetime import datetime
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

CADENCE_WORDS = frozenset({"every_time", "frequently", "occasionally", "hardly_ever", "N/A"})


def is_date_or_cadence(text: object) -> bool:
    """True for a cadence word and for MM/DD/YYYY that exists in the calendar."""
    if text in CADENCE_WORDS:
        return True
    if not re.fullmatch(r"\d{2}/\d{2}/\d{4}", str(text)):
        return False
    try:
        datetime.strptime(str(text), "%m/%d/%Y")
    except ValueError:
        return False
    return True


def is_readable(text: object) -> bool:
    """True for every text that means a day or a cadence, however it is written."""
    review = parse_review(str(text))
    return review.due_on is not None or review.every_weeks is not None


class NextReviewIsDateOrCadence(ColumnMapMetricProvider):
    """Metric behind `ExpectNextReviewToBeDateOrCadence`."""

    condition_metric_name = "column_values.next_review_is_date_or_cadence"
    condition_value_keys = ("strict",)

    @column_condition_partial(engine=PandasExecutionEngine)
    def _pandas(cls, column: pandas.Series[Any], **kwargs: Any) -> pandas.Series[bool]:
        holds = is_date_or_cadence if kwargs.get("strict", True) else is_readable
        return column.map(holds).astype(bool)


class ExpectNextReviewToBeDateOrCadence(OneSentence, ColumnMapExpectation):
    """Expect each review to be a cadence word or a date that exists, written MM/DD/YYYY.

    ExpectNextReviewToBeDateOrCadence is a Column Map Expectation.

    The cadence words are every_time, frequently, occasionally, hardly_ever and N/A.

    Args:
        column (str): The column with the reviews. Default "next_review".
        strict (bool): False accepts every form that can be read ("2027", "Q3 2024"). Default True.

    Other Parameters:
        mostly, result_format, catch_exceptions, meta, severity: as in every Column Map Expectation.

    Returns:
        An ExpectationValidationResult

    See Also:
        ExpectNextReviewAfterVersionDate

    Supported Data Sources:
        Pandas

    Data Quality Issues:
        Validity

    Example Data:
            next_review   loose
        0   03/10/2025    2024
        1   N/A           02/30/2027

    Code Examples:
        Passing Case:
            Input:
                ExpectNextReviewToBeDateOrCadence(column="next_review")

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectNextReviewToBeDateOrCadence(column="loose")

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 2}}
    """

    column: str = "next_review"
    strict: bool = True

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {
                "next_review": ["03/10/2025", "N/A"],
                "loose": ["2024", "02/30/2027"],
            },
            "tests": [
                {
                    "title": "passing",
                    "in": {"column": "next_review"},
                    "out": {"success": True, "unexpected_list": []},
                },
                {
                    "title": "failing",
                    "in": {"column": "loose"},
                    "out": {"success": False, "unexpected_list": ["2024", "02/30/2027"]},
                },
                {
                    "title": "failing in any form",
                    "in": {"column": "loose", "strict": False},
                    "out": {"success": False, "unexpected_list": ["02/30/2027"]},
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("column map expectation")
    sentence: ClassVar[str] = "$column must be a cadence word or an existing date MM/DD/YYYY."
    map_metric = "column_values.next_review_is_date_or_cadence"
    success_keys = ("strict", "mostly")
    args_keys = ("column", "strict")
