"""One file of columns: a line of JSON, the order of a version's rows, and cells, column by column."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from freshqa.dataset.question import REVISION_COLUMNS, Question

if TYPE_CHECKING:
    import numpy

NAMES = ("key", *REVISION_COLUMNS)
ID, LENGTH = "<i8", "<u4"


@dataclass(frozen=True)
class ColumnFile:
    """One file, unpacked.

    Args:
        order: The revision of each row of its version, by position.
        places: Positions of the rows whose cells it has.
        cells: Column → the lengths of these rows' cells in bytes, and the cells as UTF-8.
    """

    order: numpy.ndarray[Any, Any]
    places: numpy.ndarray[Any, Any]
    cells: Mapping[str, tuple[numpy.ndarray[Any, Any], memoryview]]

    @property
    def added(self) -> numpy.ndarray[Any, Any]:
        """Revisions whose cells it has."""
        revisions: numpy.ndarray[Any, Any] = self.order[self.places]
        return revisions

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield each row that it has: its position, then key and cells as text."""
        columns = [list(_texts(*self.cells[name])) for name in NAMES]
        for place, *row in zip(self.places.tolist(), *columns, strict=True):
            yield place, row


def pack(
    order: numpy.ndarray[Any, Any], places: numpy.ndarray[Any, Any], questions: Sequence[Question]
) -> bytes:
    """A line of JSON, the order, the places, then lengths and cells of each column."""
    import numpy

    columns: dict[str, list[str]] = {"key": [row.key for row in questions]}
    texts = [row.texts for row in questions]
    columns |= {name: [row[name] for row in texts] for name in REVISION_COLUMNS}
    parts = [order.astype(ID).tobytes(), places.astype(LENGTH).tobytes()]
    sizes = {}
    for name, cells in columns.items():
        encoded = [cell.encode("utf-8") for cell in cells]
        data = b"".join(encoded)
        sizes[name] = len(data)
        parts += [numpy.fromiter(map(len, encoded), LENGTH, len(encoded)).tobytes(), data]
    head = {"rows": len(order), "added": len(places), "columns": sizes}
    return b"".join([json.dumps(head).encode("ascii"), b"\n", *parts])


def unpack(body: bytes) -> ColumnFile:
    """Return what `pack` wrote, without copying cells.

    Raises:
        ValueError, KeyError: not such a file.
    """
    import numpy

    line = body.index(b"\n")
    head = json.loads(body[:line])
    at = line + 1

    def numbers(kind: str, count: int) -> numpy.ndarray[Any, Any]:
        nonlocal at
        array = numpy.frombuffer(body, kind, count, at)
        at += array.nbytes
        return array

    order, places = numbers(ID, head["rows"]), numbers(LENGTH, head["added"])
    cells = {}
    for name in NAMES:
        lengths, size = numbers(LENGTH, head["added"]), head["columns"][name]
        if int(lengths.sum()) != size or at + size > len(body):
            raise ValueError(f"column {name} is incomplete")
        cells[name] = lengths, memoryview(body)[at : at + size]
        at += size
    return ColumnFile(order, places, cells)


def _ends(lengths: numpy.ndarray[Any, Any]) -> numpy.ndarray[Any, Any]:
    import numpy

    return numpy.concatenate([[0], numpy.cumsum(lengths, dtype=ID)])


def arrow_array(lengths: numpy.ndarray[Any, Any], data: memoryview) -> Any:
    """Return a column as an Arrow array of text, without copying its cells."""
    import pyarrow

    ends, cells = pyarrow.py_buffer(_ends(lengths)), pyarrow.py_buffer(data)
    return pyarrow.LargeStringArray.from_buffers(len(lengths), ends, cells)


def _texts(lengths: numpy.ndarray[Any, Any], data: memoryview) -> Iterator[str]:
    ends = _ends(lengths).tolist()
    whole = bytes(data)
    return (whole[start:end].decode("utf-8") for start, end in pairwise(ends))
