"""One file of columns: a line of JSON, the order of a version's rows, and cells, column by column."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from freshqa.chunks import chunks
from freshqa.dataset.question import FIELD_COLUMNS, REVISION_COLUMNS, Question

if TYPE_CHECKING:
    import numpy

NAMES = ("key", *REVISION_COLUMNS)
ID, LENGTH = "<i8", "<u4"
AT_ONCE = 500
"""Cells in memory while a file is written."""
PIECE = 64_000
"""Bytes that are unpacked at once where a file is not needed as a whole."""


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
) -> Iterator[bytes]:
    """Yield a line of JSON, the order, the places, then lengths and cells of each column, in parts."""
    import numpy

    lengths = {
        name: numpy.fromiter(map(len, _cells(name, questions)), LENGTH, len(places))
        for name in NAMES
    }
    sizes = {name: int(column.sum()) for name, column in lengths.items()}
    head = {"rows": len(order), "added": len(places), "columns": sizes}
    yield json.dumps(head).encode("ascii") + b"\n"
    yield order.astype(ID).tobytes()
    yield places.astype(LENGTH).tobytes()
    for name in NAMES:
        yield lengths[name].tobytes()
        yield from map(b"".join, chunks(_cells(name, questions), AT_ONCE))


def _cells(name: str, questions: Iterable[Question]) -> Iterator[bytes]:
    """Yield the cells of one column as UTF-8."""
    if name in ("key", "attributes"):
        return (getattr(question, name).encode("utf-8") for question in questions)
    at = FIELD_COLUMNS.index(name)
    filled = (question.filled_cells for question in questions)
    return (cells[at].encode("utf-8") if at < len(cells) else b"" for cells in filled)


def unpack(body: bytes) -> ColumnFile:
    """Return what `pack` wrote, without copying cells.

    Raises:
        ValueError, KeyError: not such a file.
    """
    import numpy

    head, order, places, at = _start(body)
    cells = {}
    for name in NAMES:
        lengths, size = numpy.frombuffer(body, LENGTH, head["added"], at), head["columns"][name]
        at += lengths.nbytes
        if int(lengths.sum()) != size or at + size > len(body):
            raise ValueError(f"column {name} is incomplete")
        cells[name] = lengths, memoryview(body)[at : at + size]
        at += size
    return ColumnFile(order, places, cells)


def added_revisions(rows: int, packed: bytes) -> numpy.ndarray[Any, Any]:
    """Return the revisions whose cells a file has, of which little is in memory at once.

    Args:
        rows: Of its version.
        packed: The file through zlib.

    Raises:
        ValueError, KeyError, zlib.error: not such a file, or a damaged one.
    """
    needed = 4_096 + rows * 12  # the line of JSON, the order, the places
    start, stream = bytearray(), zlib.decompressobj()
    for at in range(0, len(packed), PIECE):
        left = packed[at : at + PIECE]
        while left:  # the cells are unpacked too, so that damage is found
            piece = stream.decompress(left, PIECE)
            left = stream.unconsumed_tail
            if len(start) < needed:
                start += piece
    start += stream.flush()
    if not stream.eof:
        raise zlib.error("incomplete")
    _, order, places, _ = _start(bytes(start))
    revisions: numpy.ndarray[Any, Any] = order[places]
    return revisions


def _start(
    body: bytes,
) -> tuple[dict[str, Any], numpy.ndarray[Any, Any], numpy.ndarray[Any, Any], int]:
    """The line of JSON, the order, the places, and where they end."""
    import numpy

    at = body.index(b"\n") + 1
    head = json.loads(body[:at])
    order = numpy.frombuffer(body, ID, head["rows"], at)
    places = numpy.frombuffer(body, LENGTH, head["added"], at + order.nbytes)
    return head, order, places, at + order.nbytes + places.nbytes


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
