"""Are there characters in a text that nobody can see?"""

from __future__ import annotations

from typing import Any, ClassVar

from great_expectations.expectations import ExpectColumnValuesToNotMatchRegex

from prefect_freshqa.expectations.custom.rendering import OneSentence, library_metadata

PATTERN = r"[\x00-\x1f\x7f-\x9f\u00a0\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
"""Line breaks, control characters, no-break and zero-width spaces, bidirectional controls."""


class ExpectColumnValuesToBePlainText(OneSentence, ExpectColumnValuesToNotMatchRegex):
    r"""Expect no value to hold line breaks, control characters or invisible characters.

    ExpectColumnValuesToBePlainText is a Column Map Expectation.

    Zero-width joiners are let through: some scripts and emoji need them.

    Args:
        column (str): The column with the text.

    Other Parameters:
        regex (str): What is looked for; has a default.
        mostly, result_format, catch_exceptions, meta, severity: as in every Column Map Expectation.

    Returns:
        An ExpectationValidationResult

    See Also:
        ExpectColumnValuesToNotMatchRegex

    Supported Data Sources:
        Pandas

    Data Quality Issues:
        Validity

    Example Data:
            clean       damaged
        0   Mira Vale   Mira\nVale
        1   Lumen       Lu\u200bmen

    Code Examples:
        Passing Case:
            Input:
                ExpectColumnValuesToBePlainText(column="clean")

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectColumnValuesToBePlainText(column="damaged")

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 2}}
    """

    regex: str = PATTERN

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {"clean": ["Mira Vale", "Lumen"], "damaged": ["Mira\nVale", "Lu\u200bmen"]},
            "tests": [
                {"title": "passing", "in": {"column": "clean"}, "out": {"success": True}},
                {
                    "title": "failing",
                    "in": {"column": "damaged"},
                    "out": {"success": False, "unexpected_list": ["Mira\nVale", "Lu\u200bmen"]},
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("column map expectation")
    sentence: ClassVar[str] = "$column must not hold line breaks, control or invisible characters."
