"""Rules about fields that must change together in a draft."""

from __future__ import annotations

from collections.abc import Sequence

from great_expectations import expectations as gxe

from freshqa.dataset.question import ANSWER_COLUMNS
from freshqa.dataset.validation import ERROR, WARNING
from freshqa.facts.same_fact import is_replaced
from freshqa.maintaining.alternatives import left_over
from freshqa.maintaining.source_quotes import quotes_only_old, supported
from prefect_freshqa.expectations.declare import About, rows
from prefect_freshqa.expectations.rule import Rule

BEFORE_AND_AFTER = (*(f"old_{column}" for column in ANSWER_COLUMNS), *ANSWER_COLUMNS)


def rebuilt(row: Sequence[str]) -> bool:
    """True when nothing is left over; the first half of the row is before, the second after."""
    half = len(row) // 2
    old, new = [[answer for answer in part if answer.strip()] for part in (row[:half], row[half:])]
    return not left_over(old, new)


ExpectAlternativesToBeRebuilt = rows(
    "ExpectAlternativesToBeRebuilt",
    rebuilt,
    About(
        "Expect no alternative of the old fact to be kept once the primary answer is another fact.",
        "An old alternative that also fits the new primary answer, or rounds the same number, passes.",
        "Alternatives must be rebuilt when the primary answer changes ($column_list).",
        {
            "old_answer_0": ["April 2024", "91"],
            "old_answer_1": ["4/2024", "91 times"],
            "answer_0": ["May 2024", "93"],
            "answer_1": ["5/2024", "93 times"],
            "stale_1": ["4/2024", "91 times"],
        },
        [
            ({"column_list": ["old_answer_0", "old_answer_1", "answer_0", "answer_1"]}, []),
            ({"column_list": ["old_answer_0", "old_answer_1", "answer_0", "stale_1"]}, [0, 1]),
        ],
        column="Answer columns before, then as many after, primary first.",
        quality="Freshness",
        see="ExpectAlternativesToMatchPrimary",
    ),
    columns=BEFORE_AND_AFTER,
)


def stayed(row: Sequence[str]) -> bool:
    """Return True when the answer states the same fact, or a reason was given."""
    fact_type, old, new, reason = row
    if fact_type != "never-changing" or not old or not new or reason.strip():
        return True
    return not is_replaced(old, new)


ExpectNeverChangingAnswersToStay = rows(
    "ExpectNeverChangingAnswersToStay",
    stayed,
    About(
        "Expect answers to never-changing questions to stay, unless a reason is given.",
        "In seven real transitions one such answer was corrected, of 223 each time.",
        "Never-changing answers in $column_list must stay unless a reason is given.",
        {
            "old_fact_type": ["never-changing", "fast-changing"],
            "old_answer_0": ["1947", "Mira Vale"],
            "answer_0": ["1948", "Oren Dask"],
            "reason": ["The archive was opened.", None],
            "none": [None, None],
        },
        [({}, []), ({"column_list": ["old_fact_type", "old_answer_0", "answer_0", "none"]}, [0])],
        column="Fact type before, primary answer before and now, reason.",
    ),
    columns=("old_fact_type", "old_answer_0", "answer_0", "reason"),
)


READ = (*(f"old_{column}" for column in ANSWER_COLUMNS), *ANSWER_COLUMNS, "source")


def quotes_new(row: Sequence[str]) -> bool:
    """Return True when the answer is unchanged, or the sources do not quote only the old one."""
    half = len(row) // 2
    old, new = [
        [answer for answer in part if answer.strip()] for part in (row[:half], row[half:-1])
    ]
    if not old or not new or not is_replaced(old[0], new[0]):
        return True
    return not quotes_only_old(old, new, row[-1].split("\n"))


ExpectSourcesToQuoteNewAnswer = rows(
    "ExpectSourcesToQuoteNewAnswer",
    quotes_new,
    About(
        "Expect the passages that source links quote not to hold only an answer no longer given.",
        'Passages are the "#:~:text=" parts of links. Sources without one, or quoting neither, pass.',
        "Sources must not quote only the old answer ($column_list).",
        {
            "old_answer_0": ["Mira Vale"],
            "answer_0": ["Oren Dask"],
            "source": ["https://example.org/guild#:~:text=led%20by%20Oren%20Dask"],
            "old_source": ["https://example.org/guild#:~:text=led%20by%20Mira%20Vale"],
        },
        [
            ({"column_list": ["old_answer_0", "answer_0", "source"]}, []),
            ({"column_list": ["old_answer_0", "answer_0", "old_source"]}, [0]),
        ],
        column="Answer columns before, as many after, then the source.",
        quality="Freshness",
        see="ExpectEvidenceToHoldAnswer",
    ),
    columns=READ,
)


READ = (*ANSWER_COLUMNS, "evidence")


def holds(row: Sequence[str]) -> bool:
    """True without evidence, and when it holds one of the answers."""
    *answers, evidence = row
    given = [answer for answer in answers if answer.strip()]
    return not evidence.strip() or supported(given, [evidence])


ExpectEvidenceToHoldAnswer = rows(
    "ExpectEvidenceToHoldAnswer",
    holds,
    About(
        "Expect one of the answers to be in the evidence; rows without evidence pass.",
        "Dates are found however they are written, numbers to the precision of the answer.",
        "Evidence must hold one of the answers ($column_list).",
        {
            "answer_0": ["March 4, 2025", "Mira Vale"],
            "evidence": ["It closed on 4 March 2025.", None],
            "other": ["It closed in May 2025.", None],
        },
        [
            ({"column_list": ["answer_0", "evidence"]}, []),
            ({"column_list": ["answer_0", "other"]}, [0]),
        ],
        column="Answer columns, then the evidence.",
        see="ExpectSourcesToQuoteNewAnswer",
    ),
    columns=READ,
)


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
        "a never-changing answer was {old_answer_0}, and no reason was given",
        "1 in seven transitions of 223 rows, a correction",
        ("old_false_premise", "FALSE"),
    ),
    Rule(
        "never-changing-rebuttal-kept",
        WARNING,
        ExpectNeverChangingAnswersToStay(),
        "answer_0",
        "a never-changing rebuttal was {old_answer_0}, and no reason was given",
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
        "the flag was {old_false_premise}: check type, schedule and wording",
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
        "none of the answers is in the evidence of the proposal",
        "only changes that come with evidence are looked at",
        ("answer", "replaced"),
    ),
)
"""A new answer must come with new alternatives, sources and premise."""
