"""A version as a DataFrame, for those who only read."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from freshqa.dataset.question import OFFICIAL_COLUMNS

if TYPE_CHECKING:
    import pandas

    from freshqa.store.database import Store


def load(
    version: str | int | date | None = None, *, store: Store | str, dataset: str = "freshqa"
) -> pandas.DataFrame:
    """The questions of a version, as the official sheet has them, with our key in the last column.

    Every cell is text, exactly as published ("N/A" and "TRUE" too); `id` is the row's number.
    A dataset with columns of its own has them, as JSON, in `attributes`.
    `frame.attrs` says which version it is: number, date and content hash, to name in a paper.

    Args:
        version: Number, tag, or date (the last version up to that day); the newest when not given.
        store: The store, or its SQLAlchemy URL.
        dataset: Name of the dataset in the store, when that is given by URL.

    Raises:
        NotFound: no such version; the message lists what there is.
        StoreError: the store does not answer.

    Example:
        >>> frame = freshqa.load("2024-03-11", store="sqlite:///freshqa.db")
    """
    # Deferred: most of the package, and its start, needs neither pandas nor a database.
    import pandas

    from freshqa.store.columns import read_version
    from freshqa.store.database import Store
    from freshqa.store.versions import reference

    opened = Store.open(store, dataset=dataset) if isinstance(store, str) else store
    try:
        info, columns = read_version(opened, **reference(version))
    finally:
        if opened is not store:
            opened.close()
    names = (*OFFICIAL_COLUMNS[1:], "key")
    texts = {name: _as_pandas_keeps_text(columns[name]) for name in names}
    frame = pandas.DataFrame({"id": range(len(texts["key"])), **texts}, copy=False)
    if len(columns["attributes"]):
        frame["attributes"] = _as_pandas_keeps_text(columns["attributes"])
    frame.attrs = {
        "version": info.number,
        "as_of": info.as_of.isoformat(),
        "content_hash": info.content_hash,
    }
    return frame


def _as_pandas_keeps_text(cells: Any) -> Any:
    """Return Arrow arrays in the form that pandas gives to a list of text, and lists as they are."""
    import pandas

    if isinstance(cells, tuple):
        return cells
    usual = pandas.Series([""]).array
    if isinstance(usual, pandas.arrays.ArrowStringArray):
        return pandas.array(cells, dtype=usual.dtype)
    return cells.to_numpy(zero_copy_only=False)
