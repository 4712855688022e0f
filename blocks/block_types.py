"""Every type of block of this plugin: importing this module registers them with Prefect.

Prefect does so at start-up, through the entry point `prefect.collections`.
"""

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
