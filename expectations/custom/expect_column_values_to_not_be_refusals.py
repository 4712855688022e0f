"""Did a language model decline instead of answering?"""

from __future__ import annotations

from typing import Any, ClassVar

from great_expectations.expectations import ExpectColumnValuesToNotMatchRegex

from prefect_freshqa.expectations.custom.rendering import OneSentence, library_metadata

PATTERN = (
    r"(?i)\bas an? (?:ai|artificial|large|language)\b|\blanguage model\b"
    r"|\bi(?:'|’)?(?: a)?m (?:sorry|unable|not able|afraid)\b"
    r"|\bi (?:cannot|can(?:'|’)t|can not|could(?:n(?:'|’)t| not)|don(?:'|’)t have|do not have)\b"
    r"|\bknowledge cut-?off\b|\bmy (?:training|last)(?: data| update)?\b|\breal-time (?:data|info)"
    r"|\b(?:provided|given|above) (?:context|evidence|search results|information|sources)\b"
    r"|\b(?:not enough|insufficient) (?:information|evidence|context)\b"
)
"""None of it occurs in eight official releases."""


class ExpectColumnValuesToNotBeRefusals(OneSentence, ExpectColumnValuesToNotMatchRegex):
    """Expect no value to be a language model that talks about itself instead of answering.

    ExpectColumnValuesToNotBeRefusals is a Column Map Expectation.

    Refusals, excuses about cut-off dates, and complaints about missing context are found.

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
            clean          damaged
        0   Mira Vale      As an AI language model, I cannot browse.
        1   None of them   The provided context does not say.

    Code Examples:
        Passing Case:
            Input:
                ExpectColumnValuesToNotBeRefusals(column="clean")

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectColumnValuesToNotBeRefusals(column="damaged")

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 2}}
    """

    regex: str = PATTERN

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {
                "clean": ["Mira Vale", "None of them"],
                "damaged": [
                    "As an AI language model, I cannot browse.",
                    "The provided context does not say.",
                ],
            },
            "tests": [
                {"title": "passing", "in": {"column": "clean"}, "out": {"success": True}},
                {
                    "title": "failing",
                    "in": {"column": "damaged"},
                    "out": {
                        "success": False,
                        "unexpected_list": [
                            "As an AI language model, I cannot browse.",
                            "The provided context does not say.",
                        ],
                    },
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("column map expectation")
    sentence: ClassVar[str] = "$column must not be a language model talking about itself."
