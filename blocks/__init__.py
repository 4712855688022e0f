"""Configuration of external services: search engines, language models, the store.

The blocks are imported when they are asked for (`from prefect_freshqa.blocks import FreshQAStore`),
so that commands that need only `http_calls` do not import Prefect.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prefect_freshqa.blocks.block_types import (
        FreshQAStore,
        OpenAIModel,
        PageReader,
        RecordedModel,
        RecordedSearch,
        SearxngSearch,
        SerpApiSearch,
        SerperSearch,
        WebSearch,
    )

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
        return getattr(import_module("prefect_freshqa.blocks.block_types"), name)
    raise AttributeError(f"module 'prefect_freshqa.blocks' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the names here and the blocks: `prefect block register -m` looks here."""
    return sorted({*globals(), *__all__})
