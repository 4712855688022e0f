"""Can the row numbers be reproduced?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, ClassVar

import pandas
from great_expectations.execution_engine import PandasExecutionEngine
from great_expectations.expectations.expectation import MulticolumnMapExpectation
from great_expectations.expectations.metrics.map_metric_provider import (
    MulticolumnMapMetricProvider,
    multicolumn_condition_partial,
)

from freshqa.dataset.official_order import official_order
from freshqa.dataset.question import Question
from prefect_freshqa.expectations.custom.rendering import OneSentence, columns, library_metadata
from prefect_freshqa.expectations.custom.rows import questions, without

SORTED_BY = ("split", "false_premise", "fact_type", "num_hops", "effective_year", "next_review")


def inversions(rows: Iterable[Question]) -> set[int]:
    """Positions of rows that the sort would put before their predecessor."""
    pairs = enumerate(pairwise(rows), 1)
    return {at for at, (before, row) in pairs if official_order([before, row])[0] is not before}


class RowsAreInOfficialOrder(MulticolumnMapMetricProvider):
    """Metric behind `ExpectRowsInOfficialOrder`."""

    condition_metric_name = "multicolumn_values.official_order"

    @multicolumn_condition_partial(engine=PandasExecutionEngine)
    def _pandas(cls, column_list: pandas.DataFrame, **kwargs: Any) -> pandas.Series[bool]:
        return without(column_list, inversions(questions(column_list, SORTED_BY)))


class ExpectRowsInOfficialOrder(OneSentence, MulticolumnMapExpectation):
    """Expect each row to stand where the sort of the official sheet puts it after the row before.

    ExpectRowsInOfficialOrder is a Multicolumn Map Expectation.

    The official id is the row number after that sort: an inversion is a row edited afterwards.

    Args:
        column_list (tuple or list): Sort columns. Default split, false_premise, fact_type, num_hops, effective_year, next_review.

    Other Parameters:
        mostly, result_format, catch_exceptions, meta, severity: as in every Multicolumn Map Expectation.

    Returns:
        An ExpectationValidationResult

    Supported Data Sources:
        Pandas

    Data Quality Issues:
        Validity

    Example Data:
            split   false_premise   fact_type       num_hops   effective_year   next_review    swapped
        0   TEST    TRUE            slow-changing   one-hop    2024             occasionally   TRUE
        1   TEST    FALSE           slow-changing   one-hop    before 2022      occasionally   FALSE
        2   TEST    FALSE           slow-changing   one-hop    2025             occasionally   TRUE

    Code Examples:
        Passing Case:
            Input:
                ExpectRowsInOfficialOrder()

            Output:
                {"success": true, "result": {"element_count": 3, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectRowsInOfficialOrder(
                    column_list=["split", "swapped", "fact_type", "num_hops", "effective_year", "next_review"],
                )

            Output:
                {"success": false, "result": {"element_count": 3, "unexpected_count": 1}}
    """

    column_list: Sequence[str] = columns(*SORTED_BY)
    ignore_row_if: str = "never"

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {
                "split": ["TEST", "TEST", "TEST"],
                "false_premise": ["TRUE", "FALSE", "FALSE"],
                "fact_type": ["slow-changing", "slow-changing", "slow-changing"],
                "num_hops": ["one-hop", "one-hop", "one-hop"],
                "effective_year": ["2024", "before 2022", "2025"],
                "next_review": ["occasionally", "occasionally", "occasionally"],
                "swapped": ["TRUE", "FALSE", "TRUE"],
            },
            "tests": [
                {"title": "passing", "in": {}, "out": {"success": True}},
                {
                    "title": "failing",
                    "in": {
                        "column_list": [
                            "split",
                            "swapped",
                            "fact_type",
                            "num_hops",
                            "effective_year",
                            "next_review",
                        ]
                    },
                    "out": {"success": False, "unexpected_rows": [2]},
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("multicolumn map expectation")
    sentence: ClassVar[str] = "Rows must be sorted Z to A by $column_list."
    map_metric = "multicolumn_values.official_order"
    success_keys = ("mostly",)
    args_keys = ("column_list",)
