"""Prefect plugin that keeps a question-answering benchmark up to date.

Prefect imports the blocks of every collection at start-up, through the entry point
`prefect.collections`. This package itself forwards to them only when asked
(`from prefect_freshqa import FreshQAStore`), so that the command line need not import Prefect.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version as _version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datetime import date

    import pandas

__version__ = _version("prefect-freshqa")


def load(
    source: int | str | date | None = None,
    *,
    version: int | str | date | None = None,
    store: str = "",
    content_hash: str = "",
) -> pandas.DataFrame:
    """Return the questions of a version as a DataFrame, from the configured store or from a server.

    Args:
        source: Address of a server of `prefect-freshqa serve`, or the version.
        version: Number, tag, or date (the last version up to that day); the newest when not given.
        store: URL or block; "" for PREFECT_FRESHQA_STORE, else the user's own SQLite file.
        content_hash: The hash that the version of a server must have.

    Raises:
        NotFound: no such version; the message lists what there is.
        StoreError: the store does not answer.
        ProviderError: the server does not answer, and the version is not in the cache.
        BadData: the rows of the server do not have the content hash of the version.

    Example:
        >>> frame = load("https://freshqa.example.org", version="camera-ready")
    """
    if isinstance(source, str) and source.startswith(("http://", "https://")):
        from prefect_freshqa.client import load_url

        return load_url(source, version, content_hash=content_hash)
    import freshqa
    from prefect_freshqa.blocks.resolve import load_store

    return freshqa.load(version if source is None else source, store=load_store(store))


def __getattr__(name: str) -> Any:
    """Return a block of this plugin by its class name."""
    if name[:1].isupper():
        blocks = import_module("prefect_freshqa.blocks")
        if name in blocks.__all__:
            return getattr(blocks, name)
    raise AttributeError(f"module 'prefect_freshqa' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the names here and the blocks: `prefect block register -m` looks here."""
    return [*globals(), *import_module("prefect_freshqa.blocks").__all__]
