"""Workbooks: which sheet is read, cells as displayed, formulas with their values."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import date, datetime, time, timedelta
from typing import Any

import openpyxl
import openpyxl.chart
import pytest

from freshqa.dataset.number_format import shown
from freshqa.dataset.question import OFFICIAL_COLUMNS
from freshqa.dataset.release import read_release
from freshqa.dates.review import parse_review
from freshqa.errors import BadData, NotARelease

CELLS: dict[str, Any] = {
    "id": 0,
    "split": "TEST",
    "question": "When is it?",
    "effective_year": 2024,
    "next_review": datetime(2024, 6, 1),
    "false_premise": False,
    "num_hops": "one-hop",
    "fact_type": "slow-changing",
    "source": "https://example.org",
    "answer_0": 0.84,
    "answer_1": datetime(2024, 9, 4),
    "answer_2": datetime(2021, 11, 1),
    "answer_3": 48990,
    "answer_4": time(0, 3, 43, 130000),
}
FORMATS = {
    "next_review": "mm/dd/yyyy",
    "answer_0": "0%",
    "answer_1": "d-mmm-yy",
    "answer_2": "mmm-yy",
    "answer_3": r"\$#,##0_);[Red]\(\$#,##0\)",
    "answer_4": "mmss.0",
}


def workbook(*, above: int = 0, padding: int = 0, **changes: Any) -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "freshqa"
    for _ in range(above):
        sheet.append(["Warning: do not click"])
    sheet.append(list(OFFICIAL_COLUMNS))
    row = sheet.max_row + 1
    for column, name in enumerate(OFFICIAL_COLUMNS, start=1):
        cell = sheet.cell(row, column, {**CELLS, **changes}.get(name))
        cell.number_format = FORMATS.get(name, "General")
    for extra in range(padding):
        sheet.cell(row + 1 + extra, 26).number_format = "0.00"
    return book


def saved(book: openpyxl.Workbook) -> bytes:
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_cells_are_read_as_they_are_shown() -> None:
    question = read_release(saved(workbook(above=2, padding=900))).questions[0]
    assert question.answers == ("84%", "4-Sep-24", "Nov-21", "$48,990", "03:43.1")
    assert question.next_review == "06/01/2024"
    assert (question.effective_year, question.fields["false_premise"]) == ("2024", "FALSE")


def test_the_sheet_with_the_most_rows_is_read() -> None:
    book = workbook()
    demo = book.create_sheet("demo", 0)
    demo.append(list(OFFICIAL_COLUMNS))
    book.create_sheet("notes").append(["nothing here"])
    book.create_chartsheet("chart").add_chart(openpyxl.chart.BarChart())
    release = read_release(saved(book))
    assert release.questions[0].text == "When is it?"
    assert release.warnings == ("sheet 'demo' was not read: 'freshqa' holds more rows",)


def test_a_workbook_without_a_header_is_not_a_release() -> None:
    book = openpyxl.Workbook()
    book.active.append(["id", "question", "answer"])
    with pytest.raises(NotARelease, match="the header row of a FreshQA release was not found"):
        read_release(saved(book))


def test_a_formula_without_a_cached_value_is_reported() -> None:
    book = workbook(answer_1='=CONCATENATE("a","b")')
    with pytest.raises(
        BadData, match="x: row 2, column answer_1: a formula without a stored value"
    ):
        read_release(saved(book), name="x")


def test_a_formula_with_a_cached_value_gives_that_value() -> None:
    data = saved(workbook(answer_5="=6*7", answer_6="plain"))
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for part in old.namelist():  # a spreadsheet stores the value when it has computed it
            computed = re.sub(rb"</f><v ?(/>|></v>)", b"</f><v>42</v>", old.read(part))
            new.writestr(part, computed)
    question = read_release(buffer.getvalue()).questions[0]
    assert question.answers[-2:] == ("42", "plain")


def test_a_cell_far_outside_the_table_does_not_add_rows() -> None:
    book = workbook()
    book.active.cell(1_048_576, 16_384).number_format = "0.00"
    assert len(read_release(saved(book)).questions) == 1


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (None, "General", ""),
        (True, "General", "TRUE"),
        ("text", "@", "text"),
        (7, "General", "7"),
        (676728782, "General", "676728782"),
        (3.8, "General", "3.8"),
        (2.0, "General", "2"),
        (3.14159265358979, "General", "3.141592654"),
        (1234.5, "#,##0.00", "1,234.50"),
        (1234.5, "0", "1235"),
        (2.5, "0.0##", "2.5"),
        (-5, r"\$#,##0_);[Red]\(\$#,##0\)", "($5)"),
        (1226, '"¥"#,##0;[Red]"¥"\\-#,##0', "¥1,226"),
        (0.845, "0.0%", "84.5%"),
        (5, '0 "years"', "5 years"),
        (12345, "0.00E+00", "12345"),
        (date(2024, 3, 5), "mm/dd/yyyy", "03/05/2024"),
        (datetime(2024, 3, 5), "mm-dd-yy", "3/5/2024"),
        (datetime(2024, 3, 5, 15, 7), "m/d/yy h:mm", "3/5/24 15:07"),
        (datetime(2024, 3, 5, 15, 7), "h:mm AM/PM", "3:07 PM"),
        (datetime(2024, 3, 5), "dddd, mmmm d, yyyy", "Tuesday, March 5, 2024"),
        (datetime(2024, 3, 5), "[$-409]d-mmm", "5-Mar"),
        (datetime(2024, 3, 5), "General", "03/05/2024"),
        (time(0, 2), "h:mm", "0:02"),
        (time(12, 2, 9), "hh:mm:ss", "12:02:09"),
        (timedelta(hours=27, minutes=5), "[h]:mm", "27:05"),
        (timedelta(hours=27, minutes=5), "[h]:mm:ss", "27:05:00"),
        (timedelta(minutes=95, seconds=7), "[mm]:ss", "95:07"),
        (timedelta(minutes=95), "General", "1:35:00"),
        (1500000, '#,##0.0,,"M"', "1.5M"),
        (1500, '0.0,"K"', "1.5K"),
        (2500000000, '0.0,,,"bn"', "2.5bn"),
        (1500, '[>=1000000]0.0,,"M";[>=1000]0.0,"K";0', "1.5K"),
        (7, '[>=1000000]0.0,,"M";[>=1000]0.0,"K";0', "7"),
        (5, "000", "005"),
        (7, "00000", "00007"),
        (12, "0000.0", "0012.0"),
        (5551234567, "(000) 000-0000", "(555) 123-4567"),
        (123456789, "000-00-0000", "123-45-6789"),
        (0.5, "# ?/?", "1/2"),
        (3.5, "# ?/?", "3 1/2"),
        (3.125, "# ?/8", "3 1/8"),
        (0.75, "?/?", "3/4"),
        (2, "# ??/??", "2"),
        (-0.5, "# ?/?", "-1/2"),
        (0, '0;-0;"none"', "none"),
        (-3, '0;-0;"none"', "-3"),
        (0, '_(* #,##0_);_(* (#,##0);_(* "-"??_);_(@_)', "-"),
        (1234.5, "[$€-407] #,##0.00", "€ 1,234.50"),
        (5, ";;;", "5"),
        (0, "#", "0"),
    ],
)
def test_numbers_are_read_in_their_number_format(value: Any, code: str, text: str) -> None:
    assert shown(value, code) == text


@pytest.mark.parametrize("code", ["dd/mm/yyyy", "d/m/yyyy", "dd.mm.yyyy", "yyyy-mm-dd", "d mmm yyyy",
                                  "dd-mmm-yyyy", "mm/dd/yyyy", "dd/mm/yy", "m/d/yyyy"])  # fmt: skip
def test_a_typed_review_date_is_read_in_every_date_format(code: str) -> None:
    book = workbook(next_review=date(2026, 3, 5))
    sheet = book.active
    assert sheet is not None
    sheet.cell(2, OFFICIAL_COLUMNS.index("next_review") + 1).number_format = code
    release = read_release(saved(book))
    assert parse_review(release.questions[0].next_review).due_on == date(2026, 3, 5)
