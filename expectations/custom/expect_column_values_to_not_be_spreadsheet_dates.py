"""Did a spreadsheet turn an answer into a date of its own?"""

from __future__ import annotations

from typing import Any, ClassVar

from great_expectations.expectations import ExpectColumnValuesToNotMatchRegex

from prefect_freshqa.expectations.custom.rendering import OneSentence, library_metadata

MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
PATTERN = rf"^(?:\d{{1,2}}-(?:{MONTHS})(?:-\d{{2}})?|(?:{MONTHS})-\d{{2}})$"
"""`21-Nov`, `13-May-22`, `Oct-25`; a real date has a year of four digits."""


class ExpectColumnValuesToNotBeSpreadsheetDates(OneSentence, ExpectColumnValuesToNotMatchRegex):
    """Expect no value to be a date as a spreadsheet shows it after it has taken text for a date.

    ExpectColumnValuesToNotBeSpreadsheetDates is a Column Map Expectation.

    A sheet that is opened and saved turns `November 2021` into `21-Nov`, for one.

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
            clean           damaged
        0   November 2021   21-Nov
        1   22-Nov-2024     13-May-22

    Code Examples:
        Passing Case:
            Input:
                ExpectColumnValuesToNotBeSpreadsheetDates(column="clean")

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectColumnValuesToNotBeSpreadsheetDates(column="damaged")

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 2}}
    """

    regex: str = PATTERN

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {"clean": ["November 2021", "22-Nov-2024"], "damaged": ["21-Nov", "13-May-22"]},
            "tests": [
                {"title": "passing", "in": {"column": "clean"}, "out": {"success": True}},
                {
                    "title": "failing",
                    "in": {"column": "damaged"},
                    "out": {"success": False, "unexpected_list": ["21-Nov", "13-May-22"]},
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("column map expectation")
    sentence: ClassVar[str] = (
        "$column must not be a date as a spreadsheet shows it (21-Nov, 13-May-22, Oct-25)."
    )
