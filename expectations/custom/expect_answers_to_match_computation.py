"""Do answers that follow from the date follow from it?"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, ClassVar

import pandas
from great_expectations.execution_engine import PandasExecutionEngine
from great_expectations.expectations.expectation import MulticolumnMapExpectation
from great_expectations.expectations.metrics.map_metric_provider import (
    MulticolumnMapMetricProvider,
    multicolumn_condition_partial,
)

from freshqa.maintaining.deterministic.recompute import recompute_all
from prefect_freshqa.expectations.custom.rendering import OneSentence, columns, library_metadata
from prefect_freshqa.expectations.custom.rows import questions, without

READ = ("question", "answer_0", "false_premise", "source", "next_review")


class AnswersMatchComputation(MulticolumnMapMetricProvider):
    """Metric behind `ExpectAnswersToMatchComputation`."""

    condition_metric_name = "multicolumn_values.answers_match_computation"
    condition_value_keys = ("version_date",)

    @multicolumn_condition_partial(engine=PandasExecutionEngine)
    def _pandas(cls, column_list: pandas.DataFrame, **kwargs: Any) -> pandas.Series[bool]:
        day = date.fromisoformat(kwargs["version_date"])
        computed = recompute_all(list(questions(column_list, READ)), as_of=day)
        wrong = {at for at, one in enumerate(computed) if one is not None and not one.agrees}
        return without(column_list, wrong)


class ExpectAnswersToMatchComputation(OneSentence, MulticolumnMapExpectation):
    """Expect ages, anniversaries, holidays and days until to be right at the version date.

    ExpectAnswersToMatchComputation is a Multicolumn Map Expectation.

    Rows of no certain pattern pass. Birth dates come from quoted sources and sibling questions.

    Args:
        column_list (tuple or list): Question, primary answer, flag, source and review. Default question, answer_0,
            false_premise, source, next_review.
        version_date (str): The date the data speak about, YYYY-MM-DD.

    Other Parameters:
        mostly, result_format, catch_exceptions, meta, severity: as in every Multicolumn Map Expectation.

    Returns:
        An ExpectationValidationResult

    See Also:
        ExpectAgeToFollowAnniversary

    Supported Data Sources:
        Pandas

    Data Quality Issues:
        Freshness

    Example Data:
            question                   answer_0        false_premise   source   next_review   wrong
        0   What month is it?          March           FALSE                    04/01/2025    April
        1   How old is Mira Vale?      26              FALSE                    03/04/2026    25
        2   When was Mira Vale born?   March 4, 1999   FALSE                    N/A           March 4, 1999

    Code Examples:
        Passing Case:
            Input:
                ExpectAnswersToMatchComputation(version_date="2025-03-10")

            Output:
                {"success": true, "result": {"element_count": 3, "unexpected_count": 0}}

        Failing Case:
            Input:
                ExpectAnswersToMatchComputation(
                    column_list=["question", "wrong", "false_premise", "source", "next_review"],
                    version_date="2025-03-10",
                )

            Output:
                {"success": false, "result": {"element_count": 3, "unexpected_count": 2}}
    """

    column_list: Sequence[str] = columns(*READ)
    ignore_row_if: str = "never"
    version_date: str

    examples: ClassVar[list[dict[str, Any]]] = [
        {
            "data": {
                "question": [
                    "What month is it?",
                    "How old is Mira Vale?",
                    "When was Mira Vale born?",
                ],
                "answer_0": ["March", "26", "March 4, 1999"],
                "false_premise": ["FALSE", "FALSE", "FALSE"],
                "source": [None, None, None],
                "next_review": ["04/01/2025", "03/04/2026", "N/A"],
                "wrong": ["April", "25", "March 4, 1999"],
            },
            "tests": [
                {
                    "title": "passing",
                    "in": {"version_date": "2025-03-10"},
                    "out": {"success": True},
                },
                {
                    "title": "failing",
                    "in": {
                        "column_list": [
                            "question",
                            "wrong",
                            "false_premise",
                            "source",
                            "next_review",
                        ],
                        "version_date": "2025-03-10",
                    },
                    "out": {"success": False, "unexpected_rows": [0, 1]},
                },
            ],
        }
    ]
    library_metadata: ClassVar[dict[str, Any]] = library_metadata("multicolumn map expectation")
    sentence: ClassVar[str] = (
        "Answers in $column_list that follow from the date must be right at $version_date."
    )
    map_metric = "multicolumn_values.answers_match_computation"
    success_keys = ("version_date", "mostly")
    args_keys = ("column_list", "version_date")
