"""What must move together when a draft changes a question."""

from __future__ import annotations

from datetime import date

from great_expectations import expectations as gxe

from freshqa.dataset.validation import ERROR, WARNING
from prefect_freshqa.expectations.custom.expect_age_to_follow_anniversary import (
    ExpectAgeToFollowAnniversary,
)
from prefect_freshqa.expectations.custom.expect_alternatives_to_be_rebuilt import (
    ExpectAlternativesToBeRebuilt,
)
from prefect_freshqa.expectations.custom.expect_effective_year_to_follow_answer import (
    ExpectEffectiveYearToFollowAnswer,
)
from prefect_freshqa.expectations.custom.expect_evidence_to_hold_answer import (
    ExpectEvidenceToHoldAnswer,
)
from prefect_freshqa.expectations.custom.expect_never_changing_answers_to_stay import (
    ExpectNeverChangingAnswersToStay,
)
from prefect_freshqa.expectations.custom.expect_next_review_after_version_date import (
    ExpectNextReviewAfterVersionDate,
)
from prefect_freshqa.expectations.custom.expect_next_review_to_be_date_or_cadence import (
    ExpectNextReviewToBeDateOrCadence,
)
from prefect_freshqa.expectations.custom.expect_sibling_answers_to_move_together import (
    ExpectSiblingAnswersToMoveTogether,
)
from prefect_freshqa.expectations.custom.expect_sources_to_quote_new_answer import (
    ExpectSourcesToQuoteNewAnswer,
)
from prefect_freshqa.expectations.rule import Rule

CHANGED = ("changed", "yes")
FLIPPED = ("flip", "yes")


ANSWER_CHANGES: tuple[Rule, ...] = (
    Rule(
        "alternatives-rebuilt",
        ERROR,
        ExpectAlternativesToBeRebuilt(),
        "answers",
        "the primary answer is now {answer_0}, and an alternative of {old_answer_0} was kept",
        "4 of 356 real changes, 3 of them mistakes",
    ),
    Rule(
        "never-changing-kept",
        ERROR,
        ExpectNeverChangingAnswersToStay(),
        "answer_0",
        "a never-changing answer was {old_answer_0}, and nobody gave a reason",
        "1 in seven transitions of 223 rows, a correction",
        ("old_false_premise", "FALSE"),
    ),
    Rule(
        "never-changing-rebuttal-kept",
        WARNING,
        ExpectNeverChangingAnswersToStay(),
        "answer_0",
        "a never-changing rebuttal was {old_answer_0}, and nobody gave a reason",
        "1 to 3 a release: “As of 2024 …” is brought up to date",
        ("old_false_premise", "TRUE"),
    ),
    Rule(
        "premise-flip-answers",
        ERROR,
        gxe.ExpectColumnValuesToBeInSet(column="answer", value_set=["replaced"]),
        "false_premise",
        "the flag went to {false_premise}, and the answer is still {answer_0}",
        "every real flip brought another answer",
        FLIPPED,
    ),
    Rule(
        "premise-kept",
        WARNING,
        gxe.ExpectColumnValuesToNotBeInSet(column="flip", value_set=["yes"]),
        "false_premise",
        "the flag was {old_false_premise}: look at type, schedule and wording again",
        "0 to 5 questions a release",
    ),
    Rule(
        "source-quotes-answer",
        WARNING,
        ExpectSourcesToQuoteNewAnswer(),
        "source",
        "the source still quotes {old_answer_0}, not {answer_0}",
        "2 of 356 real changes, both mistakes",
        ("false_premise", "FALSE"),
    ),
    Rule(
        "evidence-holds-answer",
        WARNING,
        ExpectEvidenceToHoldAnswer(),
        "answers",
        "none of the answers stands in the evidence of the proposal",
        "only changes that come with evidence are looked at",
        ("answer", "replaced"),
    ),
)
"""A new answer brings its alternatives, its sources and its premise along."""
SIBLINGS = Rule(
    "siblings-move-together",
    WARNING,
    ExpectSiblingAnswersToMoveTogether(),
    "answer_0",
    "a question that also said {answer_0}, from the same source, has a new answer",
    "3 in seven transitions, all three right to differ",
)
"""A new answer brings its siblings along: a rule about all rows."""


def review_changes(as_of: date) -> tuple[Rule, ...]:
    """A changed question is reviewed again, later than before, and an answer changes when due."""
    until = as_of.isoformat()
    return (
        Rule(
            "changed-review-ahead",
            ERROR,
            ExpectNextReviewAfterVersionDate(version_date=until),
            "next_review",
            f"the question was changed, but its review of {{next_review}} is not after {until}",
            "3 in seven transitions",
            CHANGED,
        ),
        Rule(
            "changed-review-form",
            ERROR,
            ExpectNextReviewToBeDateOrCadence(),
            "next_review",
            "the question was changed; {next_review} is neither a cadence word nor MM/DD/YYYY",
            "loose forms are left from 2023; a change brings the official form",
            CHANGED,
        ),
        Rule(
            "review-not-back",
            WARNING,
            gxe.ExpectColumnValuesToNotBeInSet(column="review_moved", value_set=["back"]),
            "next_review",
            "the review moved back from {old_next_review} to {next_review}",
            "4 in seven transitions, one of them a mistake",
        ),
        Rule(
            "answer-not-ahead-of-review",
            WARNING,
            gxe.ExpectColumnValuesToNotBeInSet(column="due", value_set=["no"]),
            "answer_0",
            "the answer changed before its review of {old_next_review}: it was {old_answer_0}",
            "0 to 3 a release",
            ("answer", "replaced"),
        ),
        Rule(
            "age-follows-anniversary",
            WARNING,
            ExpectAgeToFollowAnniversary(),
            "answer_0",
            "the review moved from {old_next_review} to {next_review}, the age is still {answer_0}",
            "1 in seven transitions, a mistake",
        ),
    )


def year_changes(as_of: date, base_as_of: date | None) -> tuple[Rule, ...]:
    """A new answer became true between the base and the draft."""
    since = (base_as_of or as_of.replace(month=1, day=1)).isoformat()
    return (
        Rule(
            "effective-year-follows-answer",
            WARNING,
            ExpectEffectiveYearToFollowAnswer(since=since, until=as_of.isoformat()),
            "effective_year",
            "the answer was {old_answer_0}; {effective_year} is not when it became {answer_0}",
            "9 of 356 real changes, 5 of them mistakes",
        ),
        Rule(
            "effective-year-not-back",
            WARNING,
            gxe.ExpectColumnValuesToNotBeInSet(column="year_moved", value_set=["back"]),
            "effective_year",
            "the year moved back from {old_effective_year}",
            "3 in seven transitions, all corrections",
        ),
    )
