"""What must hold of every question of a snapshot: identity, presence, vocabulary, sources."""

from __future__ import annotations

from great_expectations import expectations as gxe

from freshqa.dataset.validation import ERROR, WARNING
from prefect_freshqa.expectations.custom.sources import ExpectSourcesToBeUrls
from prefect_freshqa.expectations.custom.together import ExpectRowsInOfficialOrder
from prefect_freshqa.expectations.rule import Rule

VOCABULARIES = {
    "split": ["TEST", "DEV"],
    "fact_type": ["never-changing", "slow-changing", "fast-changing"],
    "num_hops": ["one-hop", "multi-hop"],
    "false_premise": ["TRUE", "FALSE"],
}
REQUIRED = ("question", *VOCABULARIES, "answer_0", "effective_year", "next_review")
SEARCH_PAGE = r"https?://(?:www\.)?(?:google|bing|duckduckgo|yahoo)\.[a-z.]+/search"


IDENTITY: tuple[Rule, ...] = (
    Rule(
        "questions-present",
        ERROR,
        gxe.ExpectTableRowCountToBeBetween(min_value=1),
        "",
        "there are no questions: an empty draft would delete the dataset",
    ),
    Rule(
        "key-unique",
        ERROR,
        gxe.ExpectColumnValuesToBeUnique(column="key"),
        "",
        "the key {key} is used by more than one question",
    ),
    Rule(
        "question-unique",
        ERROR,
        gxe.ExpectColumnValuesToBeUnique(column="wording"),
        "question",
        "the same question is asked twice",
        "all wordings differ in every release, case and punctuation folded",
    ),
    Rule(
        "row-order",
        WARNING,
        ExpectRowsInOfficialOrder(),
        "",
        "the row is not at its position in the order of the official sheet",
        "0 to 11 rows a release since 2023-11-23, 97 before",
    ),
)
"""Every question exists once and in order: rules about all rows (`together_frame`)."""
ASKS = Rule(
    "question-asks",
    ERROR,
    gxe.ExpectColumnValuesToMatchRegex(column="question", regex=r"\?\s*$"),
    "question",
    "the question does not end with a question mark",
    "holds in every release",
)


def presence_rules() -> tuple[Rule, ...]:
    """Return the columns that every question fills, and the words they may hold."""
    present = (
        Rule(
            f"{column.replace('_', '-')}-present",
            ERROR,
            gxe.ExpectColumnValuesToNotBeNull(column=column),
            column,
            f"{column} is empty",
            "holds in every release (one JSON lines copy lost N/A)",
        )
        for column in ("key", *REQUIRED)
    )
    words = (
        Rule(
            f"{column.replace('_', '-')}-vocabulary",
            ERROR,
            gxe.ExpectColumnValuesToBeInSet(column=column, value_set=values),
            column,
            f"{column} is {{{column}}}, not one of {', '.join(values)}",
            "holds in every release",
        )
        for column, values in VOCABULARIES.items()
    )
    return (*present, *words)


def source_rules() -> tuple[Rule, ...]:
    """Every question has sources, and they can be opened."""
    return (
        Rule(
            "source-present",
            WARNING,
            gxe.ExpectColumnValuesToNotBeNull(column="source"),
            "source",
            "the source is missing",
            "2 questions write N/A",
        ),
        Rule(
            "source-urls",
            ERROR,
            ExpectSourcesToBeUrls(),
            "source",
            "a line is not a valid HTTP(S) URL, or is repeated",
            "holds in every release",
        ),
        Rule(
            "source-https",
            WARNING,
            gxe.ExpectColumnValuesToNotMatchRegex(column="source", regex=r"(?m)^\s*http://"),
            "source",
            "a source is not served over https",
            "1 question in every release",
        ),
        Rule(
            "source-no-search-page",
            WARNING,
            gxe.ExpectColumnValuesToNotMatchRegex(column="source", regex=SEARCH_PAGE),
            "source",
            "a page of search results is not a source: it changes with every visit",
            "2 or 3 questions in every release",
        ),
    )
