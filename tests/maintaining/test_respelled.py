"""Cells that a spreadsheet rewrote in a review sheet are reported, not applied."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace

import pytest
from maintaining.test_review_sheet import NIGHT, NOW, RACE
from openpyxl import load_workbook

from freshqa.errors import BadData, FreshQAError
from freshqa.maintaining.choice import Reviewable
from freshqa.maintaining.proposal import Action, Decision, FieldChange
from freshqa.maintaining.respelled import respelled, unchanged
from freshqa.maintaining.review_sheet import read_review_sheet, write_review_sheet

Rows = list[list[str]]
REWRITTEN = (
    ("Jun 4, 2022", "4-Jun-22"),
    ("June 4, 2022", "2022-06-04"),
    ("Jun 4, 2022", "6/4/2022"),
    ("June 4", "4-Jun"),
    ("Sep 2001", "Sep-01"),
    ("1/2", "2-Jan"),
    ("25%", "0.25"),
    ("25%", "25.00%"),
    ("007", "7"),
    ("1,500,000", "1500000"),
    ("1.50", "1.5"),
    ("$1,200", "1200"),
    ("929015633761", "9.29016E+11"),
    ("12:30", "12:30:00"),
    ("TRUE", "true"),
    ("Dvořák", "Dvor?k"),
    ("Dvořák", "Dvoøák"),
    ("the “Saltwind” – a boat", 'the "Saltwind" - a boat'),
    ("long " * 80, ("long " * 80)[:255]),
    ("", "4-Jun-22"),
    ("", "#NAME?"),
    ("", "3/5/2026"),
)
TYPED = (
    ("14", "15"),
    ("25%", "26%"),
    ("10", "10%"),
    ("€100", "$100"),
    ("-0.1%", "0.1%"),
    ("Jun 4, 2022", "Jun 5, 2022"),
    ("München", "Munich"),
    ("the Saltwind", "Saltwind"),
    ("FALSE", "TRUE"),
    ("2025", "2026"),
    ("", "3/25/2026"),
    ("", "June 4, 2022"),
)


@pytest.mark.parametrize(("text", "cell"), REWRITTEN)
def test_cells_rewritten_by_a_spreadsheet_are_noticed(text: str, cell: str) -> None:
    assert respelled(text, cell)


@pytest.mark.parametrize(("text", "cell"), TYPED)
def test_text_typed_by_a_person_is_an_edit(text: str, cell: str) -> None:
    assert respelled(text, cell) is None


@pytest.mark.parametrize(
    ("text", "cell", "same"),
    [
        ("03/05/2026", "3/5/2026", True),
        ("3/15/2026", "03/15/2026", True),
        ("03/05/2026", "05/03/2026", False),
        ("03/05/2026", "3/5/26", False),
        ("10/20/2026", "1/2/2026", False),
        ("007", "7", False),
    ],
)
def test_a_date_without_its_leading_zeros_is_unchanged(text: str, cell: str, same: bool) -> None:
    assert unchanged(text, cell) is same


def proposing(text: str) -> Reviewable:
    """A pending proposal with this answer, whose base looks like a number."""
    proposal = replace(
        RACE.proposal,
        base_revision="929015633761" + "0" * 52,
        changes={"answer_0": FieldChange("Saltwind", text)},
    )
    return replace(RACE, proposal=proposal)


def through_a_spreadsheet(
    pending: list[Reviewable],
    change: Callable[[str], str] = str,
    *,
    delimiter: str = ",",
    encoding: str = "utf-8-sig",
    decision: str = "accept",
    **options: object,
) -> bytes:
    """The sheet as CSV with every row decided, each cell changed, written in another layout."""
    text = write_review_sheet(pending, format="csv").decode("utf-8-sig")
    header, *rows = csv.reader(io.StringIO(text))
    for row in rows:
        row[header.index("decision")] = decision
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=delimiter, **options)  # type: ignore[arg-type]
    writer.writerows([header, *([change(cell) for cell in row] for row in rows)])
    return buffer.getvalue().encode(encoding, "replace")


def read(data: bytes, pending: list[Reviewable]) -> list[Decision]:
    return read_review_sheet(data, pending=pending, by="Ada", now=NOW, name="sheet.csv")


@pytest.mark.parametrize("decision", ["accept", "edit"])
@pytest.mark.parametrize(("text", "cell"), [pair for pair in REWRITTEN if pair[0]])
def test_a_sheet_with_a_rewritten_cell_is_refused_and_decides_nothing(
    text: str, cell: str, decision: str
) -> None:
    pending = [proposing(text), NIGHT]
    data = through_a_spreadsheet(
        pending, lambda value: cell if value == text else value, decision=decision
    )
    with pytest.raises(BadData, match="new answer_0 is") as asked:
        read(data, pending)
    assert "row 2" in asked.value.message and "review edit" in asked.value.message


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("row_end", ["\r\n", "\n", "\r"])
def test_another_layout_is_read(delimiter: str, encoding: str, row_end: str) -> None:
    pending = [proposing("Grey Petrel"), NIGHT]
    data = through_a_spreadsheet(
        pending,
        delimiter=delimiter,
        encoding=encoding,
        lineterminator=row_end,
        quoting=csv.QUOTE_ALL,
    )
    assert [decision.action for decision in read(data, pending)] == [Action.accept] * 2


def test_a_line_that_names_the_separator_is_read() -> None:
    data = b"sep=;\r\n" + through_a_spreadsheet([RACE], delimiter=";", encoding="utf-8")
    assert [decision.action for decision in read(data, [RACE])] == [Action.accept]


def test_no_spreadsheet_reads_the_base_as_a_number() -> None:
    header, row = csv.reader(
        io.StringIO(write_review_sheet([proposing("x")], format="csv").decode("utf-8-sig"))
    )
    assert row[header.index("base")] == "r929015633761"
    with pytest.raises(ValueError, match="could not convert"):
        float(row[header.index("base")])


def test_a_sheet_in_an_old_encoding_is_refused_in_one_line() -> None:
    data = through_a_spreadsheet([proposing("Dvořák")], encoding="cp1252")
    with pytest.raises(BadData, match=r"sheet\.csv is not UTF-8") as refused:
        read(data, [proposing("Dvořák")])
    assert "CSV UTF-8" in refused.value.remedy


def test_decisions_sorted_away_from_their_questions_are_refused() -> None:
    text = write_review_sheet([RACE, NIGHT], format="csv").decode("utf-8-sig")
    header, first, second = csv.reader(io.StringIO(text))
    for column in ("proposal", "base"):  # sorted alone
        at = header.index(column)
        first[at], second[at] = second[at], first[at]
    first[header.index("decision")] = "accept"
    buffer = io.StringIO()
    csv.writer(buffer).writerows([header, first, second])
    with pytest.raises(BadData, match="the question is not that of proposal 8"):
        read(buffer.getvalue().encode(), [RACE, NIGHT])


def test_numbers_in_a_workbook_are_read_as_it_shows_them() -> None:
    pending = [proposing("24%")]
    book = load_workbook(io.BytesIO(write_review_sheet(pending, format="xlsx")))
    sheet = book.active
    assert sheet is not None
    names = [cell.value for cell in sheet[1]]
    sheet.cell(2, names.index("decision") + 1).value = "edit"
    cell = sheet.cell(2, names.index("new answer_0") + 1)
    cell.value, cell.number_format = 0.25, "0%"
    buffer = io.BytesIO()
    book.save(buffer)
    (decision,) = read(buffer.getvalue(), pending)
    assert decision.edits["answer_0"] == "25%"


def test_files_that_are_not_sheets_are_named_as_in_import() -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 9\n"
    with pytest.raises(FreshQAError, match="a Git LFS pointer") as refused:
        read(pointer, [RACE])
    assert "git lfs pull" in refused.value.remedy
