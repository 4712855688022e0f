"""A CSV export marks text that a spreadsheet would run, and import removes the mark."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from freshqa.dataset.formula import is_formula, neutral, unmarked
from prefect_freshqa.expectations.custom.texts import FORMULA

RUN = [
    "=1+2",
    '=HYPERLINK("http://a.example","x")',
    "@SUM(A1)",
    "\t=1+2",
    "\r=1+2",
    "＝1+2",
    "-2+3+cmd|' /C calc'!A0",
    "+SUM(A1:A9)",
    "-A1",
    "-1-2",
    "+1-202-555-0123",
    "-5%*3",
    "- 5+A1",
    "-1*IMPORTXML(A1)",
    "-Sheet2!A1",
    "\n=1+2",
    '-1&"a"',
    "-1<2",
    "--5",
    "+-5",
]
TEXT = [
    "-0.1%",
    "+3.2%",
    "-5 °C",
    "−5 °C",
    "-.5",
    "-1,234.50",
    "-1.5 million",
    "-$10",
    "+€1.2 billion",
    "-£3",
    "-¥300",
    "-US$10",
    "- 5",
    "-5 to -3 °C",
    "-5 km/h",
    "-40 (both scales)",
    "-",
    "--",
    "–",
    "—",
    "— none",
    "–0.1%",
    "-5",
    "- none",
    "+44 20 7946 0958",
    "±2",
    "Ada = Voss",
    "a@b.example",
    "",
    "'tis",
    "it's",
]


@pytest.mark.parametrize("text", RUN)
def test_text_that_a_spreadsheet_would_run_is_marked(text: str) -> None:
    assert is_formula(text) and neutral(text) == f"'{text}"


@pytest.mark.parametrize("text", TEXT)
def test_signed_numbers_amounts_and_dashes_stay_as_they_are(text: str) -> None:
    assert neutral(text) == text


@given(st.text(alphabet="'=+-@\t 1.%A(|") | st.text())
@example("'-0.1%")
@example("''=1")
@example("'")
def test_import_restores_what_was_exported(text: str) -> None:
    assert unmarked(neutral(text)) == text
    assert not is_formula(neutral(text))


def test_marks_of_earlier_exports_are_removed_too() -> None:
    assert unmarked("'-0.1%") == "-0.1%"


@pytest.mark.parametrize("text", [*RUN, *TEXT])
def test_the_rule_and_the_export_agree_on_what_a_formula_is(text: str) -> None:
    assert bool(re.search(FORMULA, text)) == is_formula(text)
