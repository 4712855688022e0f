"""Check the XML of a workbook before a reader builds trees of it."""

from __future__ import annotations

from typing import IO
from xml.parsers import expat

from freshqa.dataset.limits import MAX_ELEMENTS, MAX_ROW_ELEMENTS
from freshqa.errors import BadData

CHUNK = 1 << 20


def check_xml(file: IO[bytes], *, what: str, sheet: bool) -> None:
    """Refuse XML that defines entities, or has more elements than a release needs.

    A few bytes of XML become hundreds in memory, so the size of a part bounds nothing by itself.

    Args:
        what: What to call it in messages.
        sheet: Whether it holds rows, each of which must be small as well.

    Raises:
        BadData: Such XML, or XML that is broken.
    """
    guard = _Guard(what, MAX_ROW_ELEMENTS if sheet else MAX_ELEMENTS)
    parser = expat.ParserCreate()
    parser.StartElementHandler = guard.start
    parser.StartDoctypeDeclHandler = guard.doctype
    try:
        while chunk := file.read(CHUNK):
            parser.Parse(chunk, False)
        parser.Parse(b"", True)
    except expat.ExpatError as broken:
        raise BadData(
            f"{what} is not valid XML ({broken}).", "Download the file again."
        ) from broken


class _Guard:
    def __init__(self, what: str, most_in_row: int) -> None:
        self.what = what
        self.most_in_row = most_in_row
        self.elements = 0
        self.in_row = 0

    def start(self, name: str, attributes: object) -> None:
        self.elements += 1
        self.in_row = 0 if name.rpartition(":")[2] == "row" else self.in_row + 1
        if self.elements > MAX_ELEMENTS or self.in_row > self.most_in_row:
            self.refuse("holds more than any release")

    def doctype(self, *_: object) -> None:
        self.refuse("defines XML entities, which no spreadsheet writes")

    def refuse(self, why: str) -> None:
        raise BadData(
            f"{self.what} {why}.", "Do not open this file. Download it again from its source."
        )
