"""One release reads the same in every format in which it is distributed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas
import pytest

from freshqa.dataset.dialect import OFFICIAL, PLAIN, Dialect
from freshqa.dataset.encoding import decode
from freshqa.dataset.question import OFFICIAL_COLUMNS, Question
from freshqa.dataset.release import read_release, write_release
from freshqa.errors import BadData


def fields(questions: Any) -> list[dict[str, str]]:
    return [dict(q.fields) for q in questions]


@pytest.fixture(scope="module")
def western(make: Any) -> tuple[Question, ...]:
    """Rows that every legacy encoding can write."""
    texts = ("Beyoncé", "naïve café", "São Paulo", "Württemberg", "67 °F", "£5")
    return tuple(make(f"Which one is {text}?", text, f"the {text}") for text in texts)


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "latin-1"]
)
def test_every_supported_encoding_is_read(encoding: str, western: tuple[Question, ...]) -> None:
    text = write_release(western, "official").decode("utf-8")
    release = read_release(text.encode(encoding))
    assert fields(release.questions) == fields(western)
    assert release.dialect is not None
    assert write_release(release.questions, "official", dialect=release.dialect) == text.encode(
        encoding
    )


def test_gb18030_is_read(make: Any) -> None:
    rows = tuple(
        make(f"Which one is {t}?", t) for t in ("“quoted” – dash", "café", "Pokémon’s", "北京大学")
    )
    data = write_release(rows, "official").decode("utf-8").encode("gb18030")
    release = read_release(data)
    assert fields(release.questions) == fields(rows)
    assert any("not UTF-8: read as gb18030" in warning for warning in release.warnings)


@pytest.mark.parametrize(
    ("encoding", "texts"),
    [
        ("cp1252", ("Beyoncé, Pelé", "“quoted” – dash", "price £5 or €7", "67 °F", "½ cup")),
        ("gb18030", ("Beyoncé, Pelé", "“quoted” – dash", "price £5 or €7", "Łódź", "北京大学")),
    ],
)
def test_the_encoding_of_short_texts_is_recognised(encoding: str, texts: tuple[str, ...]) -> None:
    for text in texts:
        data = f"Plain words before. {text}".encode(encoding)
        assert decode(data, name="x").text.endswith(text)


@pytest.mark.parametrize("row_end", ["\r\n", "\n", "\r"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("preamble", ["", "Warning: do not click\n\n"])
def test_every_line_ending_delimiter_and_preamble_is_read(
    row_end: str, delimiter: str, preamble: str, rows: tuple[Question, ...]
) -> None:
    dialect = Dialect(row_end=row_end, cell_newline=row_end, delimiter=delimiter, preamble=preamble)
    release = read_release(write_release(rows, "official", dialect=dialect), repair="none")
    assert fields(release.questions) == fields(rows)
    assert release.dialect == dialect


@pytest.mark.parametrize("format", ["official", "csv", "jsonl", "parquet", "xlsx", "json"])
def test_a_wrong_extension_does_not_matter(
    format: str, files: dict[str, bytes], tmp_path: Path, rows: Any
) -> None:
    path = tmp_path / "release.docx"
    path.write_bytes(files[format])
    release = read_release(path, repair="none")
    assert release.format == {"official": "csv"}.get(format, format)
    assert release.name == "release.docx"
    assert fields(release.questions) == fields(rows)


def test_headers_in_another_spelling_are_recognised(rows: tuple[Question, ...]) -> None:
    data = write_release(rows, "official", dialect=PLAIN).replace(
        b"id,split,question,", b"ID, Split ,Question,"
    )
    release = read_release(data.replace(b"answer_0", b"Answer 0"), repair="none")
    assert fields(release.questions) == fields(rows)


def test_missing_and_unknown_columns_are_reported(rows: tuple[Question, ...]) -> None:
    records = [
        json.loads(line) for line in write_release(rows, "jsonl").decode().split("\n") if line
    ]
    for record in records:
        del record["note"], record["answer_9"]
        record["model_response"] = "x"
    release = read_release(json.dumps(records).encode(), repair="none")
    assert fields(release.questions) == fields(rows)
    assert release.warnings == (
        "columns that no release has were not read: model_response",
        "columns that are missing count as empty: answer_9, note",
    )


def test_rows_are_ordered_by_id(make: Any) -> None:
    data = write_release([make(f"Question {i}?") for i in range(3)], "official", dialect=PLAIN)
    header, *lines = data.decode().strip().split("\n")
    release = read_release("\n".join([header, lines[2], lines[0], lines[1]]).encode())
    assert [q.text for q in release.questions] == ["Question 0?", "Question 1?", "Question 2?"]
    assert "rows were ordered by id" in release.warnings[0]


def test_ids_that_are_not_numbers_keep_the_order(rows: tuple[Question, ...]) -> None:
    data = write_release(rows[:3], "official", dialect=PLAIN).replace(b"\n1,TEST", b"\nx,TEST")
    release = read_release(data)
    assert [q.text for q in release.questions] == ["Question 0?", "Question 1?", "Question 2?"]
    assert "ids are not distinct numbers: rows keep the order of the file" in release.warnings


def test_mixed_line_ends_are_read_and_reported(rows: tuple[Question, ...]) -> None:
    data = write_release(rows, "official").replace(b"\r\n", b"\n", 4)
    release = read_release(data, repair="none")
    assert fields(release.questions) == fields(rows)
    assert "this file's own layout cannot be written again byte for byte" in release.warnings


class TestJson:
    def test_every_json_layout_of_a_release_is_read(
        self, rows: tuple[Question, ...], files: dict[str, bytes]
    ) -> None:
        records = json.loads(files["json"])
        frame = pandas.DataFrame(records)
        shapes = {
            "wrapped": json.dumps({"version": 3, "questions": records}),
            "one line": json.dumps(records),
            "columns": json.dumps({c: [r[c] for r in records] for c in records[0]}),
            "pandas": frame.to_json(),
            "pandas lines": frame.to_json(orient="records", lines=True),
            "blank lines": "\n\n".join(json.dumps(r) for r in records) + "\n\n",
            "line separators": "\n".join(json.dumps(r, ensure_ascii=False) for r in records),
        }
        for shape, text in shapes.items():
            release = read_release(text.encode("utf-8"), repair="none")
            assert fields(release.questions) == fields(rows), shape

    def test_one_json_record_is_read_as_a_release(self, rows: tuple[Question, ...]) -> None:
        release = read_release(write_release(rows[:1], "jsonl"), repair="none")
        assert (len(release.questions), release.format) == (1, "jsonl")

    def test_typed_json_values_are_read_as_text(self, make: Any) -> None:
        record = {**make().fields, "id": 0, "false_premise": True, "effective_year": 2024.0,
                  "answer_0": 3.5, "answer_1": 8, "answer_2": None, "note": float("nan")}  # fmt: skip
        question = read_release(json.dumps([record]).encode()).questions[0]
        assert question.fields["false_premise"] == "TRUE"
        assert question.effective_year == "2024"
        assert question.answers == ("3.5", "8")
        assert question.fields["note"] == ""


def test_typed_dataframe_values_are_read_as_text(make: Any) -> None:
    frame = pandas.DataFrame([{**make().fields, "id": 0}, {**make("Other?").fields, "id": 1}])
    frame["next_review"] = [pandas.Timestamp("2024-06-01"), pandas.NaT]
    frame["false_premise"] = [False, True]
    frame["answer_1"] = [7.0, None]
    frame["answer_2"] = pandas.array([1, None], dtype="Int64")
    first, second = read_release(frame, repair="none").questions
    assert first.next_review == "06/01/2024" and second.next_review == ""
    assert (first.false_premise, second.false_premise) == (False, True)
    assert first.answers == ("Idris Quane", "7.0", "1") and second.answers == ("Idris Quane",)


def test_a_dataframe_without_the_columns_is_refused() -> None:
    with pytest.raises(BadData, match="is too large"):
        read_release(pandas.DataFrame({f"c{i}": [1] for i in range(601)}))


def test_our_own_exports_carry_the_key(make: Any) -> None:
    rows = (make(key="q-0123456789ab"), make("Other?", "=1", key="q-ba9876543210"))
    for format in ("csv", "jsonl", "parquet", "xlsx"):
        read = read_release(write_release(rows, format)).questions
        assert [q.key for q in read] == ["q-0123456789ab", "q-ba9876543210"], format
        assert read[1].primary == "=1"
    with pytest.raises(BadData, match=r"row 3, column key: duplicate of row 2"):
        read_release(write_release([rows[0], rows[1].with_key(rows[0].key)], "csv"))


def test_the_official_header_is_complete() -> None:
    assert len(OFFICIAL_COLUMNS) == 20 and OFFICIAL.columns == OFFICIAL_COLUMNS


@pytest.mark.real_data
class TestRealFiles:
    @pytest.mark.parametrize(
        ("name", "format"),
        [
            ("FreshQA_v04082024.jsonl", "jsonl"),
            ("FreshQA_v05272024.xlsx", "xlsx"),
            ("FreshQA_v11242025_is_really_xlsx.csv", "xlsx"),
        ],
    )
    def test_real_releases_have_600_questions(
        self, name: str, format: str, shared_data: Path
    ) -> None:
        release = read_release(shared_data / "freshqa" / name)
        assert (len(release.questions), release.format) == (600, format)
        splits = [q.fields["split"] for q in release.questions]
        assert splits == ["TEST"] * 500 + ["DEV"] * 100
        assert all(q.fields["next_review"] and q.fields["source"] for q in release.questions)

    def test_a_workbook_shows_what_excel_exported(self, real: Any) -> None:
        """The workbook and the CSV that Excel made of the same release differ only in short dates,
        which follow the machine's locale, and in the blank of accounting formats."""
        shown = real("FreshQA_v11242025_is_really_xlsx.csv", repair="none")
        exported = real("FreshQA_v11242025_excel.csv", repair="none")
        pairs = [
            (ours.fields[c], exported_row.fields[c])
            for ours, exported_row in zip(shown, exported, strict=True)
            for c in ours.fields
            if ours.fields[c] != exported_row.fields[c]
        ]
        assert len(pairs) == 61
        for ours, exported_cell in pairs:
            if "/" in ours:
                month, day, year = ours.split("/")
                assert exported_cell == f"{year}/{month}/{day}"
            else:
                assert exported_cell == f"{ours} "


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize(
    "spelled",
    [
        str,
        lambda name: name.replace("_", " ").title(),
        lambda name: name.replace("_", "-").upper(),
        lambda name: f" {name.replace('answer_', 'Answer')}: ",
    ],
    ids=["as it is", "Answer 0", "ANSWER-0", "Answer0:"],
)
def test_every_delimiter_and_header_spelling_is_read(
    rows: tuple[Question, ...], delimiter: str, spelled: Any
) -> None:
    columns = tuple(map(spelled, OFFICIAL_COLUMNS))
    dialect = replace(PLAIN, delimiter=delimiter, columns=columns)
    release = read_release(write_release(rows, "official", dialect=dialect), repair="none")
    assert fields(release.questions) == fields(rows)
    assert release.dialect and release.dialect.columns == columns
