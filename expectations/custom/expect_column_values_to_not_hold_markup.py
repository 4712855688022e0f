"""Is there markup or a piece of a prompt where a plain answer belongs?"""

from __future__ import annotations

from typing import Any, ClassVar

from great_expectations.expectations import ExpectColumnValuesToNotMatchRegex

from prefect_freshqa.expectations.custom.rendering import OneSentence, library_metadata

PATTERN = (
    r"(?im)\*\*|```|^#+ |</?[a-z][^<>]*>|\[\d+\]|&(?:amp|quot|nbsp|#\d+);|\bas of today\b"
    r"|^\s*(?:question|query|answer|evaluation|comment|source|snippet|highlight|date)\s*:"
)
"""None of it occurs in eight official releases."""


class ExpectColumnValuesToNotHoldMarkup(OneSentence, ExpectColumnValuesToNotMatchRegex):
    """Expect no value to hold markup, a citation mark or a label of a prompt.

    ExpectColumnValuesToNotHoldMarkup is a Column Map Expectation.

    Labels such as `answer:` inside an answer forge a demonstration once it is put into a prompt.

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
        0   Mira Vale   **Mira Vale**
        1   5 < 6       answer: Mira Vale

    Code Examples:
        Passing Case:
            Input:
                ExpectColumnValuesToNotHoldMarkup(column="clean")

            Output:
                {"success": true, "result": {"element_count": 2, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectColumnValuesToNotHoldMarkup(column="damaged")

            Output:
                {"success": false, "result": {"element_count": 2, "unexpected_count": 2}}
    """

    regex: str = PATTERN

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {
                "clean": ["Mira Vale", "5 < 6"],
                "damaged": ["**Mira Vale**", "answer: Mira Vale"],
            },
            "tests": [
                {"title": "passing", "in": {"column": "clean"}, "out": {"success": True}},
                {
                    "title": "failing",
                    "in": {"column": "damaged"},
                    "out": {
                        "success": False,
                        "unexpected_list": ["**Mira Vale**", "answer: Mira Vale"],
                    },
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("column map expectation")
    sentence: ClassVar[str] = "$column must not hold markup, citation marks or labels of a prompt."
