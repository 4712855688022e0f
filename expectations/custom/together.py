"""Rules that compare questions with one another."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pandas

from freshqa.dataset.official_order import SORT_COLUMNS, key_of
from freshqa.dataset.question import canonical_text
from freshqa.dataset.validation import WARNING
from freshqa.facts.same_fact import is_replaced
from freshqa.facts.tokens import fold
from freshqa.maintaining.deterministic.recompute import may_follow, recompute_all
from freshqa.maintaining.siblings import sibling_premises, siblings
from prefect_freshqa.expectations.declare import (
    VERSION_DATE,
    About,
    frames,
    questions,
    texts,
)
from prefect_freshqa.expectations.rule import Rule


def out_of_order(frame: pandas.DataFrame) -> set[int]:
    """Positions of rows that the sort would put before their predecessor."""
    keys = map(key_of, texts(frame))
    return {at for at, (before, row) in enumerate(pairwise(keys), 1) if row > before}


ExpectRowsInOfficialOrder = frames(
    "ExpectRowsInOfficialOrder",
    out_of_order,
    About(
        "Expect each row to follow the previous one in the order of the official sheet.",
        "The official id is the row number after that sort: an inversion is a row edited afterwards.",
        "Rows must be sorted Z to A by $column_list.",
        {
            "split": ["TEST", "TEST", "TEST"],
            "false_premise": ["TRUE", "FALSE", "FALSE"],
            "fact_type": ["slow-changing", "slow-changing", "slow-changing"],
            "num_hops": ["one-hop", "one-hop", "one-hop"],
            "effective_year": ["2024", "before 2022", "2025"],
            "next_review": ["occasionally", "occasionally", "occasionally"],
            "swapped": ["TRUE", "FALSE", "TRUE"],
        },
        [
            ({}, []),
            (
                {
                    "column_list": [
                        "split",
                        "swapped",
                        "fact_type",
                        "num_hops",
                        "effective_year",
                        "next_review",
                    ]
                },
                [2],
            ),
        ],
        column="Sort columns.",
    ),
    columns=SORT_COLUMNS,
)


def disagreeing(frame: pandas.DataFrame) -> set[int]:
    """Positions of rows whose sibling has another flag."""
    names = ("question", "false_premise", "answer_0")
    flags = {flag.strip().upper() == "TRUE" for _, flag, _ in texts(frame)}
    pairs = sibling_premises(questions(frame, names)) if len(flags) > 1 else []
    return {position for pair in pairs for position in pair}


ExpectSiblingPremisesToAgree = frames(
    "ExpectSiblingPremisesToAgree",
    disagreeing,
    About(
        "Expect questions alike in wording and answer to carry the same false-premise flag.",
        '"The show has not aired this year." cannot make one premise false and its sibling\'s true.',
        "Questions alike in wording and answer must be flagged alike ($column_list).",
        {
            "question": ["Who won Voices this year?", "Who won Idols this year?"],
            "false_premise": ["TRUE", "TRUE"],
            "answer_0": ["The show has not aired this year.", "The show has not aired this year."],
            "differs": ["TRUE", "FALSE"],
        },
        [({}, []), ({"column_list": ["question", "differs", "answer_0"]}, [0, 1])],
        column="Question, flag and primary answer.",
        see="ExpectPremiseFlagToMatchAnswer",
    ),
    columns=("question", "false_premise", "answer_0"),
)


READ = ("question", "answer_0", "false_premise", "source", "next_review")


def miscomputed(frame: pandas.DataFrame, version_date: date) -> set[int]:
    """Positions of rows whose answer differs from the computed one."""
    dated = [at for at, (text, *_) in enumerate(texts(frame)) if may_follow(text)]
    computed = recompute_all(questions(frame.iloc[dated], READ), as_of=version_date)
    return {
        at
        for at, answer in zip(dated, computed, strict=True)
        if answer is not None and not answer.agrees
    }


ExpectAnswersToMatchComputation = frames(
    "ExpectAnswersToMatchComputation",
    miscomputed,
    About(
        "Expect ages, anniversaries, holidays and days until to be right at the version date.",
        "Rows of no certain pattern pass. Birth dates come from quoted sources and sibling questions.",
        "Answers in $column_list that follow from the date must be right at $version_date.",
        {
            "question": ["What month is it?", "How old is Mira Vale?", "When was Mira Vale born?"],
            "answer_0": ["March", "26", "March 4, 1999"],
            "false_premise": ["FALSE", "FALSE", "FALSE"],
            "source": [None, None, None],
            "next_review": ["04/01/2025", "03/04/2026", "N/A"],
            "wrong": ["April", "25", "March 4, 1999"],
        },
        [
            ({"version_date": "2025-03-10"}, []),
            (
                {
                    "column_list": ["question", "wrong", "false_premise", "source", "next_review"],
                    "version_date": "2025-03-10",
                },
                [0, 1],
            ),
        ],
        column="Question, primary answer, flag, source and review.",
        quality="Freshness",
        see="ExpectAgeToFollowAnniversary",
        arguments={"version_date": VERSION_DATE},
    ),
    columns=READ,
)


def left_behind(columns: pandas.DataFrame) -> set[int]:
    """Positions of rows that kept an answer which a sibling replaced."""
    names = ("question", "answer_0", "source", "false_premise", "note")
    was = [canonical_text(row[1]) for row in texts(columns)]
    now = [row[-1] for row in texts(columns)]
    moved = [bool(new) and is_replaced(old, new) for old, new in zip(was, now, strict=True)]
    given_up = {fold(old) for old, went in zip(was, moved, strict=True) if went}
    near = [at for at, old in enumerate(was) if given_up and fold(old) in given_up]
    before = questions(columns.iloc[near], names)
    pairs = siblings(before, apart=[moved[at] for at in near])
    return {
        near[stayed]
        for first, second in pairs
        for stayed, went in ((first, second), (second, first))
        if moved[near[went]] and not moved[near[stayed]] and now[near[stayed]]
    }


ExpectSiblingAnswersToMoveTogether = frames(
    "ExpectSiblingAnswersToMoveTogether",
    left_behind,
    About(
        "Expect questions that gave the same answer for the same reason to change together.",
        "Siblings gave one answer and cited one page, or are alike in wording. The one left is flagged.",
        "Questions that gave one answer for one reason must change together ($column_list).",
        {
            "old_question": ["Who leads the Guild?", "Which singer runs the lantern club?"],
            "old_answer_0": ["Mira Vale", "Mira Vale"],
            "old_source": ["https://example.org/guild", "https://example.org/guild"],
            "old_false_premise": ["FALSE", "FALSE"],
            "answer_0": ["Oren Dask", "Oren Dask"],
            "behind": ["Oren Dask", "Mira Vale"],
        },
        [
            ({}, []),
            (
                {
                    "column_list": [
                        "old_question",
                        "old_answer_0",
                        "old_source",
                        "old_false_premise",
                        "behind",
                    ]
                },
                [1],
            ),
        ],
        column="Question, primary answer, source and flag before, primary answer now.",
        quality="Freshness",
        see="ExpectSiblingPremisesToAgree",
    ),
    columns=("old_question", "old_answer_0", "old_source", "old_false_premise", "answer_0"),
)


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


SIBLINGS = Rule(
    "siblings-move-together",
    WARNING,
    ExpectSiblingAnswersToMoveTogether(),
    "answer_0",
    "a question that also said {answer_0}, from the same source, has a new answer",
    "3 in seven transitions, all three right to differ",
)
"""Siblings must change together: a rule about all rows."""
