"""Configuration of external services: search engines, language models, the store.

The blocks are imported when they are asked for (`from prefect_freshqa.blocks import FreshQAStore`),
so that commands that need only `http_calls` do not import Prefect.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prefect_freshqa.blocks.language_models import OpenAIModel, RecordedModel
    from prefect_freshqa.blocks.page_reader import PageReader
    from prefect_freshqa.blocks.search_engines import (
        RecordedSearch,
        SearxngSearch,
        SerpApiSearch,
        SerperSearch,
        WebSearch,
    )
    from prefect_freshqa.blocks.store import FreshQAStore

__all__ = [
    "FreshQAStore",
    "OpenAIModel",
    "PageReader",
    "RecordedModel",
    "RecordedSearch",
    "SearxngSearch",
    "SerpApiSearch",
    "SerperSearch",
    "WebSearch",
]


def __getattr__(name: str) -> Any:
    """Return a block by its class name."""
    if name in __all__:
        modules = import_module("prefect_freshqa.blocks.block_types").MODULES
        return next(vars(module)[name] for module in modules if name in vars(module))
    raise AttributeError(f"module 'prefect_freshqa.blocks' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the names here and the blocks: `prefect block register -m` looks here."""
    return sorted({*globals(), *__all__})
