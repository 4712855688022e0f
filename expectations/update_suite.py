"""The suite *update*: what must hold of a draft compared with the version it would replace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from types import MappingProxyType

import pandas
from great_expectations import expectations as gxe

from freshqa.dataset.official_order import SORT_COLUMNS
from freshqa.dataset.question import Question
from freshqa.dataset.validation import ERROR, WARNING, Reason
from prefect_freshqa.expectations.custom.changes import ANSWER_CHANGES
from prefect_freshqa.expectations.custom.schedule_changes import review_changes, year_changes
from prefect_freshqa.expectations.custom.together import SIBLINGS, ExpectRowsInOfficialOrder
from prefect_freshqa.expectations.frame import official_columns
from prefect_freshqa.expectations.rule import Rule, Table
from prefect_freshqa.expectations.thresholds import (
    ENOUGH,
    RATES,
    RECLASSIFIED,
    mix_margin,
    replaced_share,
)
from prefect_freshqa.expectations.update_frame import SHARES, together_frame, update_frames

NAME = "update"
MORE_THAN_WEEKLY = r"(?i)^\s*every[ _-]?time\s*$"
OF_A_MOMENT = (
    r"(?i)\b(?:right now|at (?:this|the) (?:very )?moment|at present|as we speak|(?:today|tonight)(?:['’]s)?"
    r"|yesterday(?:['’]s)?|this (?:minute|hour|morning|afternoon|evening)|current (?:time|temperature|weather)"
    r"|what (?:time|day) is it)\b"
)
"""Words that ask for what changes by the hour or the day."""
NOTHING: Mapping[str, Reason] = MappingProxyType({})


def update_tables(
    base: Sequence[Question],
    draft: Sequence[Question],
    *,
    as_of: date,
    base_as_of: date | None = None,
    reasons: Mapping[str, Reason] = NOTHING,
) -> Iterator[Table]:
    """The suite for a draft, each frame laid out when it is asked for; all questions have keys.

    Rules about single questions read a chunk of the changed questions at a time: one that stayed
    as it was breaks none of them.

    Args:
        base, draft: Questions in position order.
        as_of, base_as_of: The dates they speak about.
        reasons: Key → why the draft changes that question.
    """
    rules = (
        *MEMBERSHIP,
        *ANSWER_CHANGES,
        *review_changes(as_of),
        *year_changes(as_of, base_as_of),
    )
    for frame in update_frames(base, draft, as_of=as_of, reasons=reasons):
        yield Table(NAME, "changes", frame, rules)
    rows = together_frame(base, draft)
    together = (SIBLINGS, *share_rules(rows, as_of=as_of, base_as_of=base_as_of))
    yield Table(NAME, "together", rows, together)
    del rows
    yield order_table(draft)


def order_table(questions: Sequence[Question]) -> Table:
    """The one rule of the suite that a version can break beside itself, where nothing changes."""
    return Table(NAME, "order", official_columns(questions, SORT_COLUMNS), (ORDER,))


ORDER = Rule(
    "draft-order",
    ERROR,
    ExpectRowsInOfficialOrder(),
    "",
    "the row is not at its position in the official order: its id cannot be reproduced",
    "0 to 11 rows a release since 2023-11-23; a draft is always sorted",
)
MEMBERSHIP: tuple[Rule, ...] = (
    Rule(
        "question-kept",
        ERROR,
        gxe.ExpectColumnValuesToNotBeInSet(column="status", value_set=["removed"]),
        "question",
        "the question is missing",
        "8 of 4,200 were replaced, by hand",
    ),
    Rule(
        "question-known",
        WARNING,
        gxe.ExpectColumnValuesToNotBeInSet(column="status", value_set=["added"]),
        "question",
        "the question is new",
        "8 of 4,200 were replaced, by hand",
    ),
    Rule(
        "added-changes-weekly-at-most",
        ERROR,
        gxe.ExpectColumnValuesToNotMatchRegex(column="next_review", regex=MORE_THAN_WEEKLY),
        "next_review",
        "a new question may change once a week at most; this one is reviewed every_time: leave it"
        " out, or write frequently or a date when it changes no more often",
        "FreshLLMs leaves out what changes more than once a week",
        ("status", "added"),
    ),
    Rule(
        "added-asks-of-no-moment",
        WARNING,
        gxe.ExpectColumnValuesToNotMatchRegex(column="question", regex=OF_A_MOMENT),
        "question",
        "a new question may change once a week at most; this one asks for a state at a moment or on"
        " a day: ask for something that lasts",
        "FreshLLMs leaves out what changes more than once a week",
        ("status", "added"),
    ),
    Rule(
        "split-kept",
        ERROR,
        gxe.ExpectColumnPairValuesToBeEqual(
            column_A="old_split", column_B="split", ignore_row_if="either_value_is_missing"
        ),
        "split",
        "the question moved from {old_split} to {split}",
        "no question ever changed its split",
    ),
    Rule(
        "wording-kept",
        WARNING,
        gxe.ExpectColumnPairValuesToBeEqual(
            column_A="old_question",
            column_B="question",
            ignore_row_if="either_value_is_missing",
        ),
        "question",
        "the wording was: {old_question}",
        "0 to 26 questions a release are reworded, by hand",
    ),
    Rule(
        "fact-type-kept",
        WARNING,
        gxe.ExpectColumnPairValuesToBeEqual(
            column_A="old_fact_type",
            column_B="fact_type",
            ignore_row_if="either_value_is_missing",
        ),
        "fact_type",
        "the question was {old_fact_type}",
        "0 or 1 question a release",
    ),
)
"""No question is lost, and none changes its split, wording or class unnoticed."""


def share_rules(
    frame: pandas.DataFrame, *, as_of: date, base_as_of: date | None
) -> tuple[Rule, ...]:
    """How much may change at once, and how far shares may move; a type without rows has no rule."""
    base = frame[frame["status"] != "added"]
    if base.empty or (frame["status"] == "removed").all():
        return ()
    rules = [
        Rule(
            f"{fact_type.removesuffix('-changing')}-share-replaced",
            ERROR if count >= ENOUGH else WARNING,
            gxe.ExpectColumnMeanToBeBetween(
                column="replaced",
                max_value=replaced_share(fact_type, base_as_of, as_of, int(count)),
            ),
            "answers",
            f"a share of {{observed}} of the {fact_type} answers was replaced at once",
            "limits: expectations/thresholds.py, from seven real transitions",
            ("old_fact_type", fact_type),
        )
        for fact_type in RATES
        if (count := ((base["old_fact_type"] == fact_type) & (base["status"] == "kept")).sum())
    ]
    rules.append(
        Rule(
            "share-reclassified",
            WARNING,
            gxe.ExpectColumnMeanToBeBetween(column="reclassified", max_value=RECLASSIFIED),
            "",
            "a share of {observed} of the questions has another type, flag or number of hops",
            "largest real share: 0.013",
        )
    )
    margin = mix_margin(len(base))
    for name, (column, value) in SHARES.items():
        was = float((base["old_" + column] == value).mean())
        rules.append(
            Rule(
                f"{name.replace(' ', '-').lower()}-steady",
                WARNING,
                gxe.ExpectColumnMeanToBeBetween(
                    column=name, min_value=was - margin, max_value=was + margin
                ),
                column,
                f"the share of {value} is {{observed}}, it was {was:.3f}",
                "largest real move: 0.005",
            )
        )
    return tuple(rules)
