"""Is a text what somebody wrote, or UTF-8 that was read as another encoding?"""

from __future__ import annotations

from typing import Any, ClassVar

import pandas
from great_expectations.execution_engine import PandasExecutionEngine
from great_expectations.expectations.expectation import ColumnMapExpectation
from great_expectations.expectations.metrics import (
    ColumnMapMetricProvider,
    column_condition_partial,
)

from freshqa.dataset.mojibake import suspicious, undo
from prefect_freshqa.expectations.custom.rendering import OneSentence, library_metadata

_MOSTLY = 0.6


def is_mojibake(text: object) -> bool:
    """True for a replacement character, and for a text mostly in Latin letters of which an earlier
    reading as cp1252 or GBK can be undone, or whose words hold characters of other writings.
    """
    written = str(text)
    letters = [character for character in written if character.isalpha()]
    latin = sum(character < "\u0250" for character in letters)
    if "\ufffd" in written:
        return True
    return latin >= _MOSTLY * len(letters) and (undo(written) is not None or suspicious(written))


class TextIsFreeOfMojibake(ColumnMapMetricProvider):
    """Metric behind `ExpectColumnValuesToBeFreeOfMojibake`."""

    condition_metric_name = "column_values.free_of_mojibake"

    @column_condition_partial(engine=PandasExecutionEngine)
    def _pandas(cls, column: pandas.Series[Any], **kwargs: Any) -> pandas.Series[bool]:
        return ~column.map(is_mojibake).astype(bool)


class ExpectColumnValuesToBeFreeOfMojibake(OneSentence, ColumnMapExpectation):
    """Expect no value to be UTF-8 text that was read in another encoding.

    ExpectColumnValuesToBeFreeOfMojibake is a Column Map Expectation.

    It finds what cp1252 and GBK leave behind, and replacement characters.

    Args:
        column (str): The column with the text.

    Other Parameters:
        mostly, result_format, catch_exceptions, meta, severity: as in every Column Map Expectation.

    Returns:
        An ExpectationValidationResult

    Supported Data Sources:
        Pandas

    Data Quality Issues:
        Validity

    Example Data:
            clean     damaged
        0   Pelé      Pel鑼
        1   金        PokÃ©mon

    Code Examples:
        Passing Case:
            Input:
                ExpectColumnValuesToBeFreeOfMojibake(column="clean")

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectColumnValuesToBeFreeOfMojibake(column="damaged")

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 2}}
    """

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {"clean": ["Pelé", "金"], "damaged": ["Pel鑼", "PokÃ©mon"]},
            "tests": [
                {"title": "passing", "in": {"column": "clean"}, "out": {"success": True}},
                {
                    "title": "failing",
                    "in": {"column": "damaged"},
                    "out": {"success": False, "unexpected_list": ["Pel鑼", "PokÃ©mon"]},
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("column map expectation")
    sentence: ClassVar[str] = "$column must not hold UTF-8 text read in another encoding."
    map_metric = "column_values.free_of_mojibake"
    success_keys = ("mostly",)
    args_keys = ("column",)
