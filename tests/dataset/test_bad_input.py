"""A file that is not a release is reported in one line with file, row, column and remedy."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freshqa.dataset.question import OFFICIAL_COLUMNS
from freshqa.dataset.release import read_release
from freshqa.errors import BadData, FreshQAError, NotARelease, NotFound, UsageError

HEADER = ",".join(OFFICIAL_COLUMNS)
ROW = "0,TEST,What is it?,2024,N/A,FALSE,one-hop,never-changing,N/A,This,,,,,,,,,,"


def zipped(parts: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in parts.items():
            archive.writestr(name, body)
    return buffer.getvalue()


def with_part(workbook: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(workbook)) as archive:
        parts = {part: archive.read(part) for part in archive.namelist()}
    return zipped({**parts, name: change(parts.get(name, b""))})


def csv_of(*lines: str) -> bytes:
    return "\n".join((HEADER, *lines)).encode()


PASSWORD = (
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 512 + "EncryptedPackage".encode("utf-16-le")
)
CASES: dict[str, tuple[bytes, type[FreshQAError], str]] = {
    "empty": (b"", BadData, "x: the file is empty"),
    "blank": (b" \r\n,,,\r\n", BadData, "x: the file is empty"),
    "prose": (b"Dear all,\nplease find it attached.\n", NotARelease, "the header row of a FreshQA release was not found"),
    "binary": (bytes(range(256)) * 20, BadData, "x: not a text file"),
    "picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"\0" * 99, BadData, "x: not a text file"),
    "pdf": (b"%PDF-1.7 ...", NotARelease, "x: a PDF"),
    "gzip": (gzip.compress(ROW.encode()), NotARelease, "x: gzip data, not a release. Unpack"),
    "web page": (b"<!DOCTYPE html><title>Sign in</title>", NotARelease, "share the sheet"),
    "password": (PASSWORD, BadData, "x: a password-protected workbook. Remove the password"),
    "old excel": (PASSWORD[:520], BadData, r"x: an old Office file"),
    "zip": (zipped({"a.txt": b"a"}), NotARelease, "a ZIP archive that is not a workbook"),
    "ods": (zipped({"content.xml": b"a"}), NotARelease, "an OpenDocument file"),
    "xlsb": (zipped({"xl/workbook.bin": b"a"}), NotARelease, "a binary workbook"),
    "strict workbook": (
        zipped({"xl/workbook.xml": b'<workbook xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"/>'}),
        NotARelease,
        r"x: a Strict Open XML workbook. Save it as Excel Workbook \(.xlsx\)",
    ),
    "lfs pointer": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
        NotARelease,
        "x: a Git LFS pointer, not a release. Fetch the file",
    ),
    "header only": (HEADER.encode(), NotARelease, "no questions below the header"),
    "wrong header": (HEADER.replace("num_hops", "hops").encode(), NotARelease, "the header lacks num_hops"),
    "column twice": (csv_of().replace(b"note", b"split"), BadData, "row 1: duplicate column split, at positions 2 and 20"),
    "601st column": (csv_of().replace(b"note", b"note" + b",x" * 581), BadData, "row 1 has a column 601"),
    "cell beyond": (csv_of(ROW + ",extra"), BadData, "x: row 2, column 21: a cell to the right of the 20 columns"),
    "no question": (csv_of(ROW.replace("What is it?", " ")), BadData, "x: row 2, column question: empty"),
    "question twice": (csv_of(ROW, ROW.replace("What is", "what IS")), BadData, "x: row 3, column question: duplicate of row 2"),
    "nul": (csv_of(ROW.replace("This", "Th\0is")), BadData, "x: "),
    "cut in a quote": (csv_of(ROW, '1,TEST,"Where is'), BadData, r"x: row 3 \(line 3\): a quoted cell never ends"),
    "cut in a row": (csv_of(ROW, "1,TEST,Where is it?,2024,N/A,FAL"), BadData, "x: row 3 ends after 6 of 20 columns"),
    "endless cell": (csv_of(ROW, '1,TEST,"' + "x" * 200_000), BadData, "row 3 .*longer than 100,000 characters"),
    "lines in a column name": (b'"first\nsecond",2024\nsome,3\n', NotARelease, "it has the columns first second, 2024"),
    "broken utf-16": (b"\xff\xfe" + csv_of(ROW).decode().encode("utf-16-le") + b"\0", BadData, "is not utf-16-le"),
    "cut json": (b'[{"question": "a", "answer_0"', BadData, "x: line 1, column 30"),
    "cut jsonl": (b'{"question": "a"}\n{"question": ', BadData, "x: line 2, column 13"),
    "json of nothing": (b"[]", NotARelease, "x: "),
    "json number": (b"[1, 2]", NotARelease, "the JSON contains no records"),
    "deep json": (b"[" * 100_000, BadData, "x: line 1"),
    "twin keys": (b'{"question": "a", "question": "b"}', BadData, "duplicate key 'question'"),
    "parquet": (b"PAR1" + b"\0" * 50 + b"PAR1", BadData, "x: a broken Parquet file"),
    "unnamed columns": (
        json.dumps([{f"Unnamed: {i}": "x" for i in range(20)}]).encode(),
        NotARelease,
        "the header row of a FreshQA release was not found",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_bad_file_is_reported_in_one_line(case: str) -> None:
    data, kind, message = CASES[case]
    with pytest.raises(kind, match=message) as caught:
        read_release(data, name="x")
    assert caught.value.remedy
    assert "\n" not in str(caught.value)


def test_a_list_in_a_cell_is_named_by_row_and_column(files: dict[str, bytes]) -> None:
    records = json.loads(files["json"])
    records[1]["answer_2"] = ["a", "b"]
    with pytest.raises(BadData, match="x: row 2, column answer_2: a list where text is expected"):
        read_release(json.dumps(records).encode(), name="x")


def test_a_lone_surrogate_is_refused(files: dict[str, bytes]) -> None:
    data = files["jsonl"].replace(b"Question 0?", b"Question \\ud83d?")
    with pytest.raises(
        BadData, match="row 1, column question: a character that a database cannot store"
    ):
        read_release(data)


@pytest.mark.parametrize("cut", [0.2, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("format", ["xlsx", "parquet", "json"])
def test_a_truncated_file_is_refused(format: str, cut: float, files: dict[str, bytes]) -> None:
    data = files[format]
    with pytest.raises(BadData):
        read_release(data[: int(len(data) * cut)], name=f"x.{format}")


def test_a_workbook_that_decompresses_beyond_the_limit_is_refused(files: dict[str, bytes]) -> None:
    bomb = with_part(
        files["xlsx"], "xl/worksheets/sheet1.xml", lambda xml: xml + b" " * 101_000_000
    )
    assert len(bomb) < 200_000
    with pytest.raises(BadData, match="unpacks to 101 MB; at most 100"):
        read_release(bomb, name="x.xlsx")
    styles = with_part(files["xlsx"], "xl/styles.xml", lambda xml: xml + b" " * 11_000_000)
    with pytest.raises(BadData, match=r"its part xl/styles.xml unpacks to 11 MB"):
        read_release(styles, name="x.xlsx")


def test_a_workbook_that_understates_its_size_is_read_only_up_to_the_limit(
    files: dict[str, bytes],
) -> None:
    bomb = with_part(files["xlsx"], "xl/worksheets/sheet1.xml", lambda xml: xml + b" " * 50_000_000)
    size = zipfile.ZipFile(io.BytesIO(bomb)).getinfo("xl/worksheets/sheet1.xml").file_size
    lying = bomb.replace(size.to_bytes(4, "little"), (1000).to_bytes(4, "little"))
    assert lying != bomb
    with pytest.raises(BadData, match="the workbook is damaged"):
        read_release(lying, name="x.xlsx")


def test_a_workbook_with_entities_is_refused(files: dict[str, bytes]) -> None:
    laughs = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
    evil = with_part(
        files["xlsx"],
        "xl/worksheets/sheet1.xml",
        lambda xml: xml.replace(b"<worksheet", laughs + b"<worksheet", 1),
    )
    with pytest.raises(BadData, match=r"xl/worksheets/sheet1.xml defines XML entities"):
        read_release(evil, name="x.xlsx")


def test_small_files_that_grow_in_memory_are_refused(files: dict[str, bytes]) -> None:
    """Few bytes of a cell, an element or a record become hundreds in memory."""
    row = with_part(
        files["xlsx"],
        "xl/worksheets/sheet1.xml",
        lambda x: x.replace(b"</row>", b"<c/>" * 160_000 + b"</row>", 1),
    )
    line = HEADER.encode() + b"\n" + b"a," * 2_100_000
    quoted = HEADER.encode() + b"\n" + b'"a\n",' * 900_000
    cell = csv_of(ROW.replace("This", "x" * 110_000))
    record = files["jsonl"] + b'{"question": [' + b"1," * 2_100_000 + b"1]}"
    array = b"[" + b"{}," * 22_000_000 + b"{}]"
    for data, message in (
        (row, "sheet1.xml holds more than any release"),
        (line, "row 2 is longer than 4,000,000 characters"),
        (quoted, "row 2 is longer than 4,000,000 characters"),
        (cell, "row 2, column answer_0: 110,000 characters; at most 100,000"),
        (record, "line 13: longer than 4,000,000 characters"),
        (array, "longer than 64,000,000 characters"),
    ):
        with pytest.raises(BadData, match=message):
            read_release(data, name="x")


def test_a_workbook_with_many_strings_is_accepted(files: dict[str, bytes]) -> None:
    strings = b"<sst>" + b"<si><t>a</t></si>" * 100_000 + b"</sst>"
    data = with_part(files["xlsx"], "xl/sharedStrings.xml", lambda _: strings)
    assert len(read_release(data).questions) == 12


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    with path.open("wb") as file:
        file.truncate(2_000_000_000)  # a sparse file: no disk is used
    with pytest.raises(BadData, match=r"large.csv: larger than 200 MB"):
        read_release(path)


def test_too_many_rows_are_refused(
    monkeypatch: pytest.MonkeyPatch, files: dict[str, bytes]
) -> None:
    from freshqa.dataset import csv_text, records, workbook

    for module in (csv_text, records, workbook):
        monkeypatch.setattr(module, "MAX_ROWS", 5)
    for format in ("official", "xlsx", "parquet", "jsonl"):
        with pytest.raises(BadData, match=r"more than 5|too large|larger than any release"):
            read_release(files[format], name="x")


def test_a_path_that_is_not_a_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"File not found: .*nothing\.csv"):
        read_release(tmp_path / "nothing.csv")
    with pytest.raises(BadData, match="is a directory"):
        read_release(tmp_path)
    with pytest.raises(BadData, match="cannot be read"):
        read_release("a\0b.csv")
    with pytest.raises(UsageError, match="Unknown value repair='maybe'"):
        read_release(b"", repair="maybe")


def mutate(data: bytes, edits: list[tuple[int, int, int, bytes]]) -> bytes:
    changed = bytearray(data)
    for what, where, length, piece in edits:
        at = where % (len(changed) + 1)
        if what == 0:
            changed[at : at + length] = piece
        elif what == 1:
            del changed[at : at + length]
        else:
            changed[at:at] = piece * length
    return bytes(changed)


PIECES = st.sampled_from(
    [b'"', b",", b"\r\n", b"\0", b"{", b"[", b"]", b"null", b"1e999", b"\xff\xfe", b"\xef\xbb\xbf", b"PK\x03\x04",
     b"<c>", b"</row>", b'r="A1"', b't="s"', b'r="XFD9999999"', b"&lt;", b"-1", b"9" * 30]
) | st.binary(max_size=6)  # fmt: skip
EDITS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 1 << 20), st.integers(0, 40), PIECES),
    min_size=1,
    max_size=8,
)


@pytest.mark.parametrize("format", ["official", "csv", "json", "jsonl", "parquet", "xlsx"])
@settings(deadline=None, max_examples=80)
@given(edits=EDITS)
def test_the_reader_raises_only_freshqa_errors(
    format: str, edits: list[tuple[int, int, int, bytes]], files: dict[str, bytes]
) -> None:
    try:
        read_release(mutate(files[format], edits), repair="all")
    except FreshQAError as refused:
        assert refused.message and "\n" not in str(refused)


@pytest.mark.parametrize("part", ["xl/worksheets/sheet1.xml", "xl/styles.xml", "xl/workbook.xml"])
@settings(deadline=None, max_examples=60)
@given(edits=EDITS)
def test_a_damaged_workbook_raises_only_freshqa_errors(
    part: str, edits: list[tuple[int, int, int, bytes]], files: dict[str, bytes]
) -> None:
    try:
        read_release(with_part(files["xlsx"], part, lambda xml: mutate(xml, edits)))
    except FreshQAError as refused:
        assert refused.message and "\n" not in str(refused)
