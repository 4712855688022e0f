"""Would a spreadsheet run the text?"""

from __future__ import annotations

from typing import Any, ClassVar

from great_expectations.expectations import ExpectColumnValuesToNotMatchRegex

from freshqa.dataset.formula import START
from prefect_freshqa.expectations.custom.rendering import OneSentence, library_metadata

PATTERN = rf"^\s*(?:{START})|^#(?:REF|N/A|VALUE|NAME|DIV/0|NUM|NULL)[!?]?$"
"""What a spreadsheet evaluates on opening a CSV file, or wrote when that failed."""


class ExpectColumnValuesToNotBeFormulas(OneSentence, ExpectColumnValuesToNotMatchRegex):
    """Expect no value to start like a spreadsheet formula or to be a spreadsheet error.

    ExpectColumnValuesToNotBeFormulas is a Column Map Expectation.

    Signed numbers and amounts ("-5 °C", "+3.2%", "-$10") and dashes are not formulas.

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
            clean   damaged
        0   -5 °C   =HYPERLINK("http://example.org")
        1   +3.2%   #REF!

    Code Examples:
        Passing Case:
            Input:
                ExpectColumnValuesToNotBeFormulas(column="clean")

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectColumnValuesToNotBeFormulas(column="damaged")

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 2}}
    """

    regex: str = PATTERN

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {
                "clean": ["-5 °C", "+3.2%"],
                "damaged": ['=HYPERLINK("http://example.org")', "#REF!"],
            },
            "tests": [
                {"title": "passing", "in": {"column": "clean"}, "out": {"success": True}},
                {
                    "title": "failing",
                    "in": {"column": "damaged"},
                    "out": {
                        "success": False,
                        "unexpected_list": ['=HYPERLINK("http://example.org")', "#REF!"],
                    },
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("column map expectation")
    sentence: ClassVar[str] = (
        "$column must not start like a spreadsheet formula or be a spreadsheet error."
    )
