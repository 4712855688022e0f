"""What must hold between the answers of a question, and between answer, premise and date."""

from __future__ import annotations

from datetime import date

from freshqa.dataset.validation import ERROR, WARNING
from prefect_freshqa.expectations.custom.expect_alternatives_to_match_primary import (
    ExpectAlternativesToMatchPrimary,
)
from prefect_freshqa.expectations.custom.expect_answers_not_to_be_glued import (
    ExpectAnswersNotToBeGlued,
)
from prefect_freshqa.expectations.custom.expect_answers_to_be_contiguous import (
    ExpectAnswersToBeContiguous,
)
from prefect_freshqa.expectations.custom.expect_answers_to_be_distinct import (
    ExpectAnswersToBeDistinct,
)
from prefect_freshqa.expectations.custom.expect_answers_to_match_computation import (
    ExpectAnswersToMatchComputation,
)
from prefect_freshqa.expectations.custom.expect_premise_flag_to_match_answer import (
    ExpectPremiseFlagToMatchAnswer,
)
from prefect_freshqa.expectations.custom.expect_sibling_premises_to_agree import (
    ExpectSiblingPremisesToAgree,
)
from prefect_freshqa.expectations.rule import Rule

ANSWERS = "answers"
"""What a violation names when it is about all answer columns of a question."""


ANSWER_RULES: tuple[Rule, ...] = (
    Rule(
        "answers-contiguous",
        ERROR,
        ExpectAnswersToBeContiguous(),
        ANSWERS,
        "an answer slot is empty although a later one is filled",
        "1 to 3 rows until 2024-04, none since",
    ),
    Rule(
        "answers-distinct",
        WARNING,
        ExpectAnswersToBeDistinct(),
        ANSWERS,
        "the same answer is given twice",
        "4 to 12 rows a release: %b and %B of May are equal",
    ),
    Rule(
        "answers-separate",
        WARNING,
        ExpectAnswersNotToBeGlued(),
        ANSWERS,
        "two answers ran into one",
        "one row in all releases, a confirmed mistake",
    ),
    Rule(
        "alternatives-match-primary",
        WARNING,
        ExpectAlternativesToMatchPrimary(),
        ANSWERS,
        "an alternative is another date or number than the primary answer {answer_0}",
        "0 to 2 rows a release, most of them confirmed mistakes",
    ),
    Rule(
        "premise-flag-matches-answer",
        WARNING,
        ExpectPremiseFlagToMatchAnswer(),
        "false_premise",
        "false_premise is {false_premise}, and the answer is {answer_0}",
        "0 to 2 rows a release",
    ),
)
"""The answers of a question beside one another and beside its flag (`questions_frame`)."""


def answers_together(as_of: date) -> tuple[Rule, ...]:
    """Rules about an answer that also read other questions (`together_frame`)."""
    return (
        Rule(
            "sibling-premises-agree",
            WARNING,
            ExpectSiblingPremisesToAgree(),
            "false_premise",
            "a question alike in wording and answer has another flag than {false_premise}",
            "one pair in four releases: a confirmed mistake",
        ),
        Rule(
            "answer-computed",
            WARNING,
            ExpectAnswersToMatchComputation(version_date=as_of.isoformat()),
            "answer_0",
            "the answer is {answer_0}; computed for the version date: {computed} ({because})",
            "17 to 22 questions are recomputed; of eight releases all four disagreements are mistakes",
        ),
    )
