"""A damaged cell is restored from the previous version if the damage explains the difference."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freshqa.dataset.importing import prepare_import
from freshqa.dataset.release import read_release, write_release
from freshqa.dataset.restoring import damaged_into
from freshqa.dates.forms import STANDARD
from freshqa.dates.spreadsheet import as_shown


@pytest.mark.parametrize(
    ("original", "text", "kind"),
    [
        ("November 2021", "21-Nov", "excel-date"),
        ("11/2021", "Nov-21", "excel-date"),
        ("November 24", "24-Nov", "excel-date"),
        ("Sep 4, 2028", "4-Sep-28", "excel-date"),
        ("2028/09/4", "9/4/2028", "zeros-stripped"),
        ("4-09-2028", "4/9/2028", "zeros-stripped"),
        ("11-22-2023", "11/22/2023", "collapsed-alternatives"),
        ("$10", "$10 ", "excel-number"),
        ("3:43.13", "03:43.1", "excel-time"),
        ("00:02", "0:02", "excel-time"),
        ("12:02 am", "12:02 AM", "excel-time"),
        ("Pelé", "Pel鑼", "mojibake"),
        ("Nataša Pirc Musar", "Nata鎷 Pirc Musar", "mojibake"),
        ("N/A", "", "null-marker"),
    ],
)
def test_damage_that_could_come_from_the_original_is_recognised(
    original: str, text: str, kind: str
) -> None:
    assert damaged_into(original, text, kind)


@pytest.mark.parametrize(
    ("original", "text", "kind"),
    [
        ("November 2022", "21-Nov", "excel-date"),
        ("Oct 4, 2028", "4-Sep-28", "excel-date"),
        ("13/2021", "21-Nov", "excel-date"),
        ("Idris Quane", "21-Nov", "excel-date"),
        ("2028/09/5", "9/4/2028", "zeros-stripped"),
        ("22/11/2023", "11/22/2023", "collapsed-alternatives"),
        ("$11", "$10 ", "excel-number"),
        ("4:43.13", "03:43.1", "excel-time"),
        ("Kaká", "Pel鑼", "mojibake"),
        ("Pele", "Pel鑼", "mojibake"),
    ],
)
def test_damage_that_could_not_come_from_the_original_is_not_recognised(
    original: str, text: str, kind: str
) -> None:
    assert not damaged_into(original, text, kind)


@given(
    st.text(max_size=15),
    st.text(max_size=15),
    st.sampled_from(["excel-date", "excel-time", "mojibake"]),
)
def test_damaged_into_accepts_any_text(original: str, text: str, kind: str) -> None:
    assert damaged_into(original, text, kind) in (True, False)


@given(st.dates(date(1930, 1, 1), date(2029, 12, 31)))
def test_every_form_of_a_date_is_recognised_after_excel_changed_it(day: date) -> None:
    for form in [write(day) for write in STANDARD]:
        for text in as_shown(form):
            assert damaged_into(form, text, "excel-date")


def test_the_version_before_is_asked_only_with_repair_all(make: Any) -> None:
    base = [make("When?", "Sep 4, 2028", "09/4/2028", key="q-0123456789ab")]
    damaged = write_release(
        [make("When?", "4-Sep-28", "9/4/2028", next_review="frequently")], "official"
    )
    for repair, answers in (
        ("certain", ("4-Sep-28", "9/4/2028")),
        ("all", ("Sep 4, 2028", "09/4/2028")),
    ):
        prepared = prepare_import(read_release(damaged, repair=repair), base, repair=repair)
        assert prepared.questions[0].answers == answers
        assert len(prepared.repaired) == (2 if repair == "all" else 0)
        assert prepared.questions[0].next_review == "frequently"
        assert prepared.changes.changed[0].kinds[-1] == "next_review_change"


@pytest.mark.real_data
def test_a_mangled_release_after_its_predecessor(benchmark: Any) -> None:
    verdicts = benchmark("dataset_damage").after("FreshQA_v11132023.csv")
    assert verdicts == {"right": 10_993, "restored": 402, "left": 5}
