"""Large versions by columns, kept beside their rows: a DataFrame of them costs a sixth.

SQL returns one text per cell, which is most of the cost of a large DataFrame. A version of at least
`MIN_ROWS` rows therefore has one more file in `fq_artifact`: the order of its rows, and the columns
of those that the files before it lack. After a complete file (`ALL`), each version adds its new rows
(`ADDED`) until they are too many. The rows stay authoritative: `verify` compares the two, `redact`
empties the files of each version that holds the text, and a reader that cannot use a file reads the rows.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from sqlalchemy import (
    Connection,
    LargeBinary,
    Row,
    func,
    insert,
    literal,
    select,
    text,
    type_coerce,
)

from freshqa.dataset.question import Question, hash_cells
from freshqa.store.column_file import (
    ID,
    NAMES,
    ColumnFile,
    added_revisions,
    arrow_array,
    pack,
    unpack,
)
from freshqa.store.database import Store
from freshqa.store.schema import artifact, member, version
from freshqa.store.snapshots import read_question, select_rows
from freshqa.store.versions import VersionInfo, find_row, version_info

ALL, ADDED = "columns", "added columns"
KINDS = (ALL, ADDED)
MIN_ROWS = 2_000
"""Smaller versions are read as fast by rows, and take less room."""
MAX_ADDED = 0.3
"""Rows that later files may add to a complete one, as a share of the version's."""
MAX_FILES = 16
"""Files that one version is read from."""
QUICK = 1
"""Level of zlib: a publication takes a third of the time of the default, for a tenth more room."""


def keep_columns(
    connection: Connection,
    dataset_id: int,
    version_id: int,
    size: int,
    questions: Sequence[Question] | None = None,
) -> None:
    """Add the file of a version whose members were just inserted, if it is large.

    Args:
        size: How many rows it has.
        questions: The rows in their order; read from the database when not given.
    """
    if size < MIN_ROWS:
        return
    if questions is None:
        rows = connection.execute(select_rows(version_id))
        questions = [read_question(row) for row in rows]
    import numpy  # deferred: most publications are small

    ids = select(member.c.revision_id).where(member.c.version_id == version_id)
    ids = ids.order_by(member.c.position)
    order = numpy.fromiter(connection.execute(ids).scalars(), ID, size)
    number = select(version.c.number).where(version.c.id == version_id)
    last = connection.execute(number).scalar_one() - 1
    files = _added(connection, dataset_id, last)
    places = numpy.arange(len(order))
    kind = ALL
    if files is not None and len(files) < MAX_FILES:
        held = numpy.concatenate(files)
        new = places[~numpy.isin(order, held)]
        if len(held) - len(files[0]) + len(new) <= MAX_ADDED * len(order):
            kind, places = ADDED, new
    digest, deflate, packed, length = hashlib.sha256(), zlib.compressobj(QUICK), bytearray(), 0
    for part in pack(order, places, [questions[place] for place in places.tolist()]):
        digest.update(part)
        packed += deflate.compress(part)
        length += len(part)
    packed += deflate.flush()
    values = {"version_id": version_id, "kind": kind, "size": length, "sha256": digest.hexdigest()}
    body = literal(bytes(packed), LargeBinary)
    connection.execute(insert(artifact).values(**values, body=body))


def read_columns(connection: Connection, row: Row[Any]) -> dict[str, Any] | None:
    """Return the columns of a version as Arrow arrays of text, by `NAMES`; see `read_version`.

    Args:
        row: Its row of `fq_version`.

    Returns:
        None if it is small, has no usable file, or pyarrow is not installed: read the rows.
    """
    if row.row_count < MIN_ROWS:
        return None
    try:
        import numpy
        import pyarrow
        from pyarrow import compute
    except ImportError:
        return None
    files = _files(connection, row.dataset_id, row.number)
    if files is None or len(files[-1].order) != row.row_count:
        return None
    order = files[-1].order
    indices = None
    if len(files) > 1:
        held = numpy.concatenate([file.added for file in files])
        by_id = numpy.argsort(held, kind="stable")
        found_at = numpy.searchsorted(held, order, sorter=by_id)
        indices = by_id[numpy.minimum(found_at, len(held) - 1)]
        if not numpy.array_equal(held[indices], order):
            return None
    columns = {}
    for name in NAMES:
        arrays = [arrow_array(*file.cells[name]) for file in files]
        whole = arrays[0] if len(arrays) == 1 else pyarrow.concat_arrays(arrays)
        columns[name] = whole if indices is None else whole.take(pyarrow.array(indices))
    if not compute.any(compute.not_equal(columns["attributes"], "")).as_py():
        columns["attributes"] = ()
    return columns


def column_problems(body: bytes, rows: Sequence[tuple[int, str, str]]) -> Iterator[str]:
    """Yield where a file differs from the rows of its version.

    Args:
        rows: Revision, key and hash of the text of each row as it is stored now.
    """
    try:
        file = unpack(body)
        if file.order.tolist() != [revision_id for revision_id, _, _ in rows]:
            yield "Its columns are in another order than its rows."
            return
        for place, (key, *cells) in file.rows():
            if (key, hash_cells(cells)) != rows[place][1:]:
                yield f"Row {place} ({rows[place][1]}): its columns differ from its text."
    except (ValueError, KeyError, IndexError):
        yield "Its columns cannot be read."


def _files(connection: Connection, dataset_id: int, number: int) -> list[ColumnFile] | None:
    """Return the files that a version is read from, the complete one first; None without them."""
    bodies = _bodies(connection, dataset_id, number)
    try:
        return None if bodies is None else [unpack(zlib.decompress(body)) for _, body in bodies]
    except (ValueError, KeyError, zlib.error):
        return None


def _added(connection: Connection, dataset_id: int, number: int) -> list[Any] | None:
    """Return the revisions in each of these files, with little memory; None without them."""
    bodies = _bodies(connection, dataset_id, number)
    try:
        return None if bodies is None else [added_revisions(*body) for body in bodies]
    except (ValueError, KeyError, zlib.error):
        return None


def _bodies(connection: Connection, dataset_id: int, number: int) -> list[tuple[int, bytes]] | None:
    """Return how many rows each version has whose file a version is read from, and that file."""
    if connection.dialect.name == "postgresql":  # a reader of published rows may lack the right
        right = text("SELECT has_table_privilege('fq_artifact', 'SELECT')")
        if not connection.execute(right).scalar_one():
            return None
    joined = artifact.join(version, version.c.id == artifact.c.version_id)
    upto = (version.c.dataset_id == dataset_id, version.c.number <= number)
    complete = select(func.max(version.c.number)).select_from(joined)
    start = connection.execute(complete.where(*upto, artifact.c.kind == ALL)).scalar()
    if start is None:
        return None
    query = (
        select(
            version.c.number,
            version.c.row_count,
            type_coerce(artifact.c.body, LargeBinary).label("packed"),
        )
        .select_from(joined)
        .where(*upto, version.c.number >= start, artifact.c.kind.in_(KINDS))
        .order_by(version.c.number)
    )
    files = connection.execute(query).all()
    if files[-1].number != number or not all(file.packed for file in files):
        return None  # a version without one, or a redaction
    return [(file.row_count, file.packed) for file in files]


def read_version(
    store: Store,
    *,
    number: int | None = None,
    tag: str | None = None,
    as_of: date | None = None,
) -> tuple[VersionInfo, Mapping[str, Any]]:
    """Return a version without its tags, and the cells of its rows by `NAMES`, in one reading.

    The cells are tuples of text, or Arrow arrays for a large version where pyarrow is installed;
    `attributes` is empty when no row has any.

    Args: as for `freshqa.store.versions.find`.

    Raises:
        NotFound: no such version.
    """
    with store.read() as connection:
        row = find_row(connection, store.dataset_id, number=number, tag=tag, as_of=as_of)
        columns = read_columns(connection, row)
        if columns is None:
            rows = connection.execute(select_rows(row.id)).all()
            cells = zip(*rows, strict=True) if rows else ((),) * len(NAMES)
            columns = dict(zip(NAMES, cells, strict=True))
            columns["attributes"] = columns["attributes"] if any(columns["attributes"]) else ()
        return version_info(row, {}), columns
