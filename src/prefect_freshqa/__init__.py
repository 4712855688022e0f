"""Prefect plugin that keeps a question-answering benchmark true.

Prefect imports the blocks of every collection at start-up, through the entry point
`prefect.collections`. This package itself forwards to them only when asked
(`from prefect_freshqa import FreshQAStore`), so that the command line need not import Prefect.
"""

from importlib import import_module
from importlib.metadata import version as _version
from typing import Any

__version__ = _version("prefect-freshqa")


def __getattr__(name: str) -> Any:
    """A block of this plugin by its class name."""
    if name[:1].isupper():
        blocks = import_module("prefect_freshqa.blocks")
        if name in blocks.__all__:
            return getattr(blocks, name)
    raise AttributeError(f"module 'prefect_freshqa' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Blocks included: `prefect block register -m prefect_freshqa` looks here."""
    return [*globals(), *import_module("prefect_freshqa.blocks").__all__]
