"""Can a reader follow the sources?"""

from __future__ import annotations

from typing import Any, ClassVar
from urllib.parse import urlsplit

import pandas
from great_expectations.execution_engine import PandasExecutionEngine
from great_expectations.expectations.expectation import ColumnMapExpectation
from great_expectations.expectations.metrics import (
    ColumnMapMetricProvider,
    column_condition_partial,
)

from prefect_freshqa.expectations.custom.rendering import OneSentence, library_metadata


def are_urls(text: str) -> bool:
    """True when every line is one http or https address with a host, none of them twice."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if lines == ["N/A"]:
        return True
    return len(lines) == len(set(lines)) and all(map(_is_url, lines))


def _is_url(line: str) -> bool:
    try:
        parts = urlsplit(line)
    except ValueError:
        return False
    host = parts.hostname or ""
    return parts.scheme in ("http", "https") and "." in host and not any(map(str.isspace, line))


class SourcesAreUrls(ColumnMapMetricProvider):
    """Metric behind `ExpectSourcesToBeUrls`."""

    condition_metric_name = "column_values.sources_are_urls"

    @column_condition_partial(engine=PandasExecutionEngine)
    def _pandas(cls, column: pandas.Series[Any], **kwargs: Any) -> pandas.Series[bool]:
        return column.map(lambda text: are_urls(str(text))).astype(bool)


class ExpectSourcesToBeUrls(OneSentence, ColumnMapExpectation):
    r"""Expect each line of a source cell to be a web address; the whole cell may be N/A.

    ExpectSourcesToBeUrls is a Column Map Expectation.

    Several sources stand one per line, each once.

    Args:
        column (str): The column with the sources. Default "source".

    Other Parameters:
        mostly, result_format, catch_exceptions, meta, severity: as in every Column Map Expectation.

    Returns:
        An ExpectationValidationResult

    Supported Data Sources:
        Pandas

    Data Quality Issues:
        Validity

    Example Data:
            source                                         wrong
        0   https://example.org/a\nhttps://example.org/b   example.org/a
        1   N/A                                            https://example.org https://example.com

    Code Examples:
        Passing Case:
            Input:
                ExpectSourcesToBeUrls()

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectSourcesToBeUrls(column="wrong")

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 2}}
    """

    column: str = "source"

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {
                "source": ["https://example.org/a\nhttps://example.org/b", "N/A"],
                "wrong": ["example.org/a", "https://example.org https://example.com"],
            },
            "tests": [
                {"title": "passing", "in": {}, "out": {"success": True}},
                {
                    "title": "failing",
                    "in": {"column": "wrong"},
                    "out": {"success": False, "unexpected_rows": [0, 1]},
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("column map expectation")
    sentence: ClassVar[str] = "Each line of $column must be a web address."
    map_metric = "column_values.sources_are_urls"
    success_keys = ("mostly",)
    args_keys = ("column",)
