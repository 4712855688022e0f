"""Rules between the answers of a question, and between answer and premise."""

from __future__ import annotations

from collections.abc import Sequence

from freshqa.dataset.question import ANSWER_COLUMNS
from freshqa.dataset.validation import ERROR, WARNING
from freshqa.maintaining.alternatives import contradicting
from freshqa.maintaining.premise import flag_fits
from prefect_freshqa.expectations.declare import About, rows
from prefect_freshqa.expectations.rule import Rule


def is_contiguous(answers: Sequence[str]) -> bool:
    """Return True when no filled slot follows an empty one."""
    given = [bool(answer.strip()) for answer in answers]
    return given == sorted(given, reverse=True)


ExpectAnswersToBeContiguous = rows(
    "ExpectAnswersToBeContiguous",
    is_contiguous,
    About(
        "Expect the answers of each row to fill the slots from the first one on, without a gap.",
        "A reader that stops at the first empty slot loses the answers after it.",
        "Answers must fill $column_list from the first on, without a gap.",
        {
            "answer_0": ["41", "Mira Vale"],
            "answer_1": ["forty-one", None],
            "answer_2": [None, None],
            "other_0": ["41", None],
            "other_1": [None, "Mira Vale"],
            "other_2": ["forty-one", None],
        },
        [
            ({"column_list": ["answer_0", "answer_1", "answer_2"]}, []),
            ({"column_list": ["other_0", "other_1", "other_2"]}, [0, 1]),
        ],
        column="The answer columns, primary first.",
        quality="Completeness",
    ),
    columns=ANSWER_COLUMNS,
)


def is_distinct(answers: Sequence[str]) -> bool:
    """Return True when no two filled slots hold the same text."""
    given = [answer for answer in answers if answer.strip()]
    return len(given) == len(set(given))


ExpectAnswersToBeDistinct = rows(
    "ExpectAnswersToBeDistinct",
    is_distinct,
    About(
        "Expect the answers of each row to differ from one another; empty slots do not count.",
        "Equal alternatives are what is left when a spreadsheet rewrites dates.",
        "Answers in $column_list must differ from one another.",
        {
            "answer_0": ["May 2024", "49"],
            "answer_1": ["5/2024", "forty-nine"],
            "answer_2": [None, None],
            "other_0": ["May 2024", "49"],
            "other_1": ["May 2024", "49"],
            "other_2": ["4/2024", None],
        },
        [
            ({"column_list": ["answer_0", "answer_1", "answer_2"]}, []),
            ({"column_list": ["other_0", "other_1", "other_2"]}, [0, 1]),
        ],
        column="The answer columns, primary first.",
        quality="Uniqueness",
        see="ExpectSelectColumnValuesToBeUniqueWithinRecord, which counts empty slots as equal",
    ),
    columns=ANSWER_COLUMNS,
)


SHORTEST = 4
"""Characters; shorter answers are prefixes of other words by chance."""


def is_separate(answers: Sequence[str]) -> bool:
    """Return True when no answer continues another one without a space."""
    given = [answer.strip() for answer in answers if answer.strip()]
    return not any(_glued(answer, other) for answer in given for other in given)


def _glued(long: str, short: str) -> bool:
    rest = long[len(short) :]
    return (
        len(short) >= SHORTEST
        and long.startswith(short)
        and short[-1].islower()
        and rest[:1].isupper()
    )


ExpectAnswersNotToBeGlued = rows(
    "ExpectAnswersNotToBeGlued",
    is_separate,
    About(
        "Expect no answer to be another answer of the row with more text glued to its end.",
        'Found by a capital letter right after the shorter answer: "Mira ValeCaptain Vale".',
        "No answer in $column_list may run into another one.",
        {
            "answer_0": ["Mira Vale", "Oren Dask"],
            "answer_1": ["Mira Vale (captain)", "Dask"],
            "glued": ["Mira ValeCaptain Vale", "Dask"],
        },
        [
            ({"column_list": ["answer_0", "answer_1"]}, []),
            ({"column_list": ["answer_0", "glued"]}, [0]),
        ],
        column="The answer columns.",
        see="ExpectAnswersToBeDistinct",
    ),
    columns=ANSWER_COLUMNS,
)


def matches(answers: Sequence[str]) -> bool:
    """Return True when no alternative contradicts the primary answer."""
    return not contradicting(answers[0], [answer for answer in answers[1:] if answer.strip()])


ExpectAlternativesToMatchPrimary = rows(
    "ExpectAlternativesToMatchPrimary",
    matches,
    About(
        "Expect no alternative answer to be another date or number than the primary answer.",
        "Names and sentences are allowed, rounded (724K for 723,866) and hedged numbers too.",
        "Alternatives in $column_list must state the date or number of the first.",
        {
            "answer_0": ["Apr 5, 2023", "723,866"],
            "answer_1": ["04/05/2023", "724K"],
            "answer_2": ["5 April 2023", None],
            "other_0": ["Apr 5, 2023", "93"],
            "other_1": ["04/15/2023", "91 times"],
            "other_2": ["5 April 2023", None],
        },
        [
            ({"column_list": ["answer_0", "answer_1", "answer_2"]}, []),
            ({"column_list": ["other_0", "other_1", "other_2"]}, [0, 1]),
        ],
        column="The answer columns, primary first.",
        see="ExpectAlternativesToBeRebuilt",
    ),
    columns=ANSWER_COLUMNS,
)


def fits(row: Sequence[str]) -> bool:
    """Return True when flag and answer are consistent."""
    question, flag, answer = row
    return flag_fits(question, answer, false_premise=flag.upper() == "TRUE")


ExpectPremiseFlagToMatchAnswer = rows(
    "ExpectPremiseFlagToMatchAnswer",
    fits,
    About(
        "Expect flagged questions to be rebutted, and unflagged ones not to be denied.",
        'A bare name cannot rebut a premise; "the show has not aired" denies one. How-many questions pass.',
        "The flag and the answer in $column_list must go together.",
        {
            "question": ["Who won Voices this year?", "When did the Guild go to the moon?"],
            "false_premise": ["TRUE", "TRUE"],
            "answer_0": [
                "The show has not aired this year.",
                "The Guild has never been to the moon.",
            ],
            "wrong_flag": ["FALSE", "TRUE"],
            "wrong": ["The show has not aired this year.", "1999"],
        },
        [({}, []), ({"column_list": ["question", "wrong_flag", "wrong"]}, [0, 1])],
        column="Question, flag (TRUE or FALSE) and primary answer.",
        see="ExpectSiblingPremisesToAgree",
    ),
    columns=("question", "false_premise", "answer_0"),
)


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
        "two answers are joined in one cell",
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
"""The answers of a question compared with one another and with its flag (`questions_frame`)."""
