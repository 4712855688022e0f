"""Any rows round-trip in any format and dialect; every real CSV byte for byte."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freshqa.dataset.dialect import OFFICIAL, Dialect
from freshqa.dataset.question import FIELD_COLUMNS, Question, new_key
from freshqa.dataset.release import read_release, to_frame, write_release
from freshqa.dataset.wording import normalised_question
from freshqa.dataset.writing import FORMATS
from freshqa.errors import BadData, UsageError

REAL_CSV = (
    "FreshQA_v11132023.csv",
    "FreshQA_v11232023.csv",
    "FreshQA_v11232023_excel_gbk.csv",
    "FreshQA_v02052024.csv",
    "FreshQA_v03042024.csv",
    "FreshQA_v03112024.csv",
    "FreshQA_v04072025.csv",
    "FreshQA_v11242025_excel.csv",
)
TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=12)
QUESTIONS = TEXT.filter(lambda text: normalised_question(text) and text.strip())


@st.composite
def questions(draw: st.DrawFn) -> tuple[Question, ...]:
    texts = draw(st.lists(QUESTIONS, min_size=1, max_size=4, unique_by=normalised_question))
    cells = st.fixed_dictionaries({}, optional=dict.fromkeys(FIELD_COLUMNS, TEXT))
    return tuple(Question({**draw(cells), "question": text}, key=new_key(text)) for text in texts)


DIALECTS = st.builds(
    Dialect,
    encoding=st.sampled_from(["utf-8", "utf-16-le", "utf-16-be"]),
    bom=st.just(True),
    delimiter=st.sampled_from([",", ";", "\t"]),
    row_end=st.sampled_from(["\r\n", "\n"]),
    cell_newline=st.sampled_from(["\r\n", "\n"]),
    end=st.sampled_from(["", "\r\n", "\n", "\n\n"]),
    quoting=st.sampled_from(["minimal", "all"]),
    preamble=st.sampled_from(["", "\r\n", "a note\n\n"]),
)


@pytest.mark.parametrize("format", FORMATS)
@settings(deadline=None, max_examples=60)
@given(written=questions())
def test_any_rows_round_trip_in_any_format(format: str, written: tuple[Question, ...]) -> None:
    release = read_release(write_release(written, format), repair="none")
    assert [q.fields for q in release.questions] == [q.fields for q in written]
    keys = [] if format == "official" else [q.key for q in written]
    assert [q.key for q in release.questions if q.key] == keys


@settings(deadline=None, max_examples=60)
@given(written=questions(), dialect=DIALECTS)
def test_any_dialect_is_recognised_and_written_again(
    written: tuple[Question, ...], dialect: Dialect
) -> None:
    data = write_release(written, "official", dialect=dialect)
    release = read_release(data, repair="none")
    assert [q.fields for q in release.questions] == [q.fields for q in written]
    assert release.dialect is not None
    assert write_release(release.questions, "official", dialect=release.dialect) == data
    assert Dialect.from_json(release.dialect.to_json()) == release.dialect


def test_preamble_and_padding_rows_are_kept(rows: tuple[Question, ...]) -> None:
    padded = replace(OFFICIAL, end="\r\n" + ("," * 19 + "\r\n") * 3)
    data = write_release(rows, "official", dialect=padded)
    release = read_release(data, repair="none")
    assert release.dialect == padded
    assert len(release.questions) == len(rows)


@pytest.mark.real_data
@pytest.mark.parametrize("name", REAL_CSV)
def test_a_real_csv_round_trips_byte_for_byte(name: str, shared_data: Path) -> None:
    path = shared_data / "freshqa" / name
    release = read_release(path, repair="none")
    assert len(release.questions) == 600
    assert (
        write_release(release.questions, "official", dialect=release.dialect) == path.read_bytes()
    )


def test_a_frame_round_trips(rows: tuple[Question, ...]) -> None:
    release = read_release(to_frame(rows), repair="none")
    assert [q.fields for q in release.questions] == [q.fields for q in rows]
    assert release.format == "dataframe"


@pytest.mark.parametrize("format", FORMATS)
def test_the_same_rows_make_the_same_bytes(format: str, rows: tuple[Question, ...]) -> None:
    assert write_release(rows, format) == write_release(rows, format)


def test_the_official_layout_is_the_export_of_the_official_sheet(
    rows: tuple[Question, ...],
) -> None:
    lines = write_release(rows[:1], "official").decode("utf-8").split("\r\n")
    assert lines[0].startswith('"Warning: Please do not click') and lines[0].endswith("," * 19)
    assert lines[1] == "," * 19
    assert lines[2].startswith("id,split,question,effective_year,next_review")
    assert lines[3].startswith("0,TEST,Question 0?,2024,06/01/2024,FALSE,one-hop,fast-changing,")
    assert len(lines) == 4  # no line end after the last row


def test_exports_for_spreadsheets_contain_no_formula(make: Any) -> None:
    texts = ("=1+2", "+A1", "-1%", "@SUM(A1)", "\tx", "'=kept", "it's", "plain")
    written = tuple(make(f"{text}?", text) for text in texts)
    csv_text = write_release(written, "csv").decode("utf-8")
    cells = [line.split(",")[9] for line in csv_text.split("\n")[1:-1]]
    assert cells == ["'=1+2", "'+A1", "-1%", "'@SUM(A1)", "'\tx", "''=kept", "it's", "plain"]


def test_exported_workbooks_contain_no_formula(rows: tuple[Question, ...]) -> None:
    import io

    import openpyxl

    sheet = openpyxl.load_workbook(io.BytesIO(write_release(rows, "xlsx")))["freshqa"]
    kinds = {cell.data_type for row in sheet.iter_rows(min_row=2, min_col=2) for cell in row}
    assert kinds <= {"s", "n"}  # n: an empty cell
    formulas = [
        cell for row in sheet.iter_rows() for cell in row if str(cell.value).startswith("=")
    ]
    assert formulas and all(cell.quotePrefix for cell in formulas)


def test_an_official_file_may_begin_with_a_formula_and_keeps_it(rows: tuple[Question, ...]) -> None:
    data = write_release(rows, "official")
    assert read_release(data, repair="none").questions[6].primary == "=1+2"


def test_a_value_that_a_format_cannot_hold_is_refused(make: Any) -> None:
    with pytest.raises(BadData, match=r"Row 2, column answer_0: 40,000 characters"):
        write_release([make("Too long?", "x" * 40_000)], "xlsx")
    latin = replace(OFFICIAL, encoding="cp1252")
    with pytest.raises(BadData, match="cp1252 cannot write '金'"):
        write_release([make("Gold?", "金")], "official", dialect=latin)
    with pytest.raises(UsageError, match="Unknown format 'docx'"):
        write_release([make()], "docx")
