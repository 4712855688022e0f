"""Determine the type of a file from its content, and whether it is safe to open."""

from __future__ import annotations

import io
import re
import zipfile

from freshqa.dataset.limits import MAX_PART, MAX_UNPACKED
from freshqa.dataset.xml_guard import check_xml
from freshqa.errors import BadData, FreshQAError, NotARelease

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
STRICT = b"http://purl.oclc.org/ooxml/spreadsheetml/main"  # openpyxl finds no cells in it
AS_TABLE = "Save it as .xlsx or .csv."
FOREIGN = (
    (b"\x1f\x8b", "gzip data", "Unpack it first."),
    (b"%PDF", "a PDF", AS_TABLE),
    (b"BZh", "bzip2 data", "Unpack it first."),
    (b"\xfd7zXZ", "xz data", "Unpack it first."),
    (b"7z\xbc\xaf", "a 7-Zip archive", "Unpack it first."),
    (
        b"version https://git-lfs.github.com/spec/",
        "a Git LFS pointer",
        "Fetch the file itself: git lfs pull",
    ),
    (b"SQLite format 3", "an SQLite database", "Give a release file, or set --store to this one."),
)


def detect(data: bytes, *, name: str) -> str:
    """`xlsx`, `parquet`, `json` (an array or one object), `jsonl` or `csv`.

    Raises:
        NotARelease: Something recognisable that cannot be a release.
        BadData: Empty, password-protected or unsafe.
    """
    if not re.search(rb"[^\xef\xbb\xbf\xff\xfe\0 \t\r\n,;]", data):
        raise BadData(f"{name}: the file is empty.", "Use a file that contains questions.")
    if data.startswith(b"PK\x03\x04"):
        check_workbook(data, name=name)
        return "xlsx"
    if data.startswith(b"PAR1"):
        return "parquet"
    if data.startswith(OLE):
        raise _old_office(data, name)
    for mark, what, remedy in FOREIGN:
        if data.startswith(mark):
            raise NotARelease(f"{name}: {what}, not a release.", remedy)
    start = data[:4096].lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n").replace(b"\0", b"")
    if start[:1] == b"<":
        raise NotARelease(
            f"{name}: this is a web page or XML, not a release.",
            "If it came from a Google Sheets link, share the sheet with anyone who has the link.",
        )
    if start[:1] in (b"[", b"{"):
        return "json"
    return "csv"


def check_workbook(data: bytes, *, name: str) -> None:
    """Refuse an archive that is not a workbook, is too large when unpacked, or defines XML entities.

    Sizes are taken from the archive's directory; `zipfile` never unpacks more than it says.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        parts = {part.filename: part for part in archive.infolist()}
        if "xl/workbook.xml" not in parts:
            raise _other_archive(parts, name)
        if any(part.flag_bits & 1 for part in parts.values()):
            raise BadData(
                f"{name}: the file is password-protected.", "Remove the password and save it again."
            )
        total = sum(part.file_size for part in parts.values())
        if total > MAX_UNPACKED:
            raise BadData(
                f"{name}: unpacks to {total // 1_000_000:,} MB; at most "
                f"{MAX_UNPACKED // 1_000_000} are read.",
                "A release unpacks to about 1 MB; this file is not a release.",
            )
        for part in parts.values():
            bulk = part.filename.startswith(("xl/worksheets/", "xl/sharedStrings"))
            if part.filename.endswith((".xml", ".rels")):
                _check_part(archive, part, limit=MAX_UNPACKED if bulk else MAX_PART, name=name)
        if STRICT in archive.read("xl/workbook.xml"):
            raise NotARelease(
                f"{name}: a Strict Open XML workbook.", "Save it as Excel Workbook (.xlsx)."
            )
    except FreshQAError:
        raise
    except Exception as broken:  # zipfile raises many kinds of errors: zlib.error, struct.error, …
        raise BadData(
            f"{name}: the workbook is damaged ({reason(broken)}).",
            "It may be truncated. Download it again.",
        ) from broken


def _check_part(archive: zipfile.ZipFile, part: zipfile.ZipInfo, *, limit: int, name: str) -> None:
    if part.file_size > limit:
        raise BadData(
            f"{name}: its part {part.filename} unpacks to {part.file_size // 1_000_000:,} MB.",
            "Copy the questions into a new workbook.",
        )
    with archive.open(part) as file:
        sheet = part.filename.startswith("xl/worksheets/")
        check_xml(file, what=f"{name}: its part {part.filename}", sheet=sheet)


def reason(error: Exception) -> str:
    """Return the message of a library in one short line."""
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0][:120]}".rstrip(": ")


def _other_archive(parts: dict[str, zipfile.ZipInfo], name: str) -> NotARelease:
    if "xl/workbook.bin" in parts:
        return NotARelease(f"{name}: a binary workbook (.xlsb).", AS_TABLE)
    if "content.xml" in parts:
        return NotARelease(f"{name}: an OpenDocument file.", AS_TABLE)
    return NotARelease(f"{name}: a ZIP archive that is not a workbook.", "Unpack it first.")


def _old_office(data: bytes, name: str) -> BadData:
    if "EncryptedPackage".encode("utf-16-le") in data:
        return BadData(f"{name}: a password-protected workbook.", "Remove the password first.")
    return BadData(f"{name}: an old Office file (.xls or .doc).", AS_TABLE)
