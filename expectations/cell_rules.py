"""What must hold of every question and answer cell by itself."""

from __future__ import annotations

from great_expectations import expectations as gxe

from freshqa.dataset.validation import ERROR, WARNING
from prefect_freshqa.expectations.custom.expect_column_values_to_be_free_of_mojibake import (
    ExpectColumnValuesToBeFreeOfMojibake,
)
from prefect_freshqa.expectations.custom.expect_column_values_to_be_plain_text import (
    ExpectColumnValuesToBePlainText,
)
from prefect_freshqa.expectations.custom.expect_column_values_to_not_be_formulas import (
    ExpectColumnValuesToNotBeFormulas,
)
from prefect_freshqa.expectations.custom.expect_column_values_to_not_be_refusals import (
    ExpectColumnValuesToNotBeRefusals,
)
from prefect_freshqa.expectations.custom.expect_column_values_to_not_be_spreadsheet_dates import (
    ExpectColumnValuesToNotBeSpreadsheetDates,
)
from prefect_freshqa.expectations.custom.expect_column_values_to_not_hold_markup import (
    ExpectColumnValuesToNotHoldMarkup,
)
from prefect_freshqa.expectations.rule import Rule

LONGEST = 500
"""Characters; the longest real cell has 333 (pasted links aside), and 222 since 2024."""
TEXT = "text"
NEVER = "occurs in none of eight official releases that no spreadsheet damaged"


CELL_RULES: tuple[Rule, ...] = (
    Rule(
        "text-plain",
        ERROR,
        ExpectColumnValuesToBePlainText(column=TEXT),
        TEXT,
        "there is a line break, a control character or an invisible character in it",
        "2023-11-13 to 2024-02-05: one cell with two pasted links",
    ),
    Rule(
        "text-encoding",
        ERROR,
        ExpectColumnValuesToBeFreeOfMojibake(column=TEXT),
        TEXT,
        "the text was read in the wrong encoding",
        NEVER,
    ),
    Rule(
        "text-no-spreadsheet-date",
        ERROR,
        ExpectColumnValuesToNotBeSpreadsheetDates(column=TEXT),
        TEXT,
        "a spreadsheet turned the text into a date",
        NEVER,
    ),
    Rule(
        "text-no-formula",
        ERROR,
        ExpectColumnValuesToNotBeFormulas(column=TEXT),
        TEXT,
        "a spreadsheet would run it as a formula, or it is the error of one",
        NEVER,
    ),
    Rule(
        "text-no-refusal",
        ERROR,
        ExpectColumnValuesToNotBeRefusals(column=TEXT),
        TEXT,
        "a language model talks about itself instead of answering",
        NEVER,
    ),
    Rule(
        "text-no-markup",
        ERROR,
        ExpectColumnValuesToNotHoldMarkup(column=TEXT),
        TEXT,
        "there is markup, a citation mark or a label of a prompt in it",
        NEVER,
    ),
    Rule(
        "text-length",
        ERROR,
        gxe.ExpectColumnValueLengthsToBeBetween(column=TEXT, max_value=LONGEST),
        TEXT,
        f"it is longer than {LONGEST} characters",
        "longest real cell: 333 characters",
    ),
    Rule(
        "text-trimmed",
        WARNING,
        gxe.ExpectColumnValuesToNotMatchRegex(column=TEXT, regex=r"^\s|\s$|  "),
        TEXT,
        "there are spaces at an end or two in a row",
        "14 or 15 cells in every official release",
    ),
    Rule(
        "text-no-link",
        WARNING,
        gxe.ExpectColumnValuesToNotMatchRegex(column=TEXT, regex=r"https?://"),
        TEXT,
        "there is a link in it: sources belong into the column source",
        "one real answer is a repository's address",
    ),
)
"""Rules that read one row per cell (`cells_frame`)."""
