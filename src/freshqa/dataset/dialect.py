"""How a CSV file was written, so that it can be written that way again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from freshqa.dataset.question import OFFICIAL_COLUMNS
from freshqa.dataset.role import Role
from freshqa.json_record import JsonRecord, from_record

WARNING = (
    "Warning: Please do not click thumbs up/down when trying these examples on any model's web "
    "interface, as the data will be used for training future versions of those models."
)


@dataclass(frozen=True)
class Dialect(JsonRecord):
    """The parameters that determine the bytes of a CSV file with given cells.

    Args:
        encoding: Python codec name, without the byte order mark.
        bom: Whether the file begins with a byte order mark.
        delimiter: What separates cells.
        row_end: What ends a row.
        cell_newline: What a line end inside a cell is written as (in memory it is always LF).
        end: What follows the last row instead of `row_end`, padding rows included.
        quoting: `minimal` (a cell with a delimiter, a line end or a quote), `lean` (a quote inside
            a cell does not count, a quote at its start does) or `all`.
        preamble: The text before the header, unchanged.
        columns: The header.
        roles: What the columns mean, for a file that is not in the layout of FreshQA.
    """

    encoding: str = "utf-8"
    bom: bool = False
    delimiter: str = ","
    row_end: str = "\r\n"
    cell_newline: str = "\r\n"
    end: str = ""
    quoting: str = "minimal"
    preamble: str = ""
    columns: tuple[str, ...] = OFFICIAL_COLUMNS
    roles: tuple[Role, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return a record to keep with a version."""
        record = super().to_json()
        if not self.roles:
            del record["roles"]
        return record

    @classmethod
    def from_json(cls, record: Mapping[str, Any] | str) -> Dialect:
        """Return the dialect that `to_json` wrote, as a mapping or as its JSON text."""
        return from_record(cls, json.loads(record) if isinstance(record, str) else record)


OFFICIAL = Dialect(preamble=f'"{WARNING}"{"," * 19}\r\n{"," * 19}\r\n')
"""The dialect of the official sheet: two rows before the header, no final line end."""
PLAIN = Dialect(row_end="\n", cell_newline="\n", end="\n")
"""UTF-8 with a header in the first line and Unix line ends."""
