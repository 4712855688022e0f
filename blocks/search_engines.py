"""Blocks that search the web."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from prefect.blocks.core import Block
from pydantic import ConfigDict, Field, SecretStr

from prefect_freshqa.blocks.about import DOCUMENTATION_URL, LOGO_URL
from prefect_freshqa.blocks.http_settings import HttpSettings

if TYPE_CHECKING:
    from prefect_freshqa.blocks.recorded_engine import RecordedEngine
    from prefect_freshqa.blocks.search_engine import HttpSearchEngine

WEB_ADDRESS = r"^https?://[^\s?#]+$"


class SerpApiSearch(HttpSettings, Block):
    """Search Google, Bing, DuckDuckGo, Yahoo, Baidu or Yandex through SerpApi.

    Attributes:
        api_key: Key of the SerpApi account.
        engine: Search engine behind SerpApi.
        base_url: Where SerpApi answers.
        cost_usd_per_search: Price of one search in US dollars, for budgets.

    Example:
        Keep the key in Prefect once:

        ```python
        from prefect_freshqa.blocks import SerpApiSearch

        SerpApiSearch(api_key="…").save("google")
        ```

        Search:

        ```python
        from datetime import date

        from prefect_freshqa.blocks import SerpApiSearch

        engine = SerpApiSearch.load("BLOCK_NAME").get_engine()
        result = engine.search("Who won the latest Tour de France?", as_of=date.today())
        ```
    """

    _block_type_name = "FreshQA SerpApi Search"
    _block_type_slug = "serpapi-search"
    _documentation_url = DOCUMENTATION_URL
    _logo_url = LOGO_URL
    model_config = ConfigDict(extra="forbid")

    api_key: SecretStr = Field(description="Key of the SerpApi account.")
    engine: str = Field(
        default="google",
        pattern=r"^[a-z_]+$",
        description="Search engine behind SerpApi: google, bing, duckduckgo, yahoo, baidu, yandex.",
    )
    base_url: str = Field(
        default="https://serpapi.com",
        pattern=WEB_ADDRESS,
        description="Where SerpApi answers; change it for a proxy.",
    )
    cost_usd_per_search: Decimal = Field(
        default=Decimal("0.015"), ge=0, description="Price of one search in US dollars."
    )

    def get_engine(self) -> HttpSearchEngine:
        """Return the engine that searches with these settings."""
        from freshqa.evidence.serpapi import SerpApi
        from prefect_freshqa.blocks.search_engine import SerpApiEngine

        return SerpApiEngine(
            SerpApi(self.engine),
            self.base_url,
            self.api_key.get_secret_value(),
            **self.engine_settings(cost_usd=self.cost_usd_per_search),
        )


class SearxngSearch(HttpSettings, Block):
    """Search through a SearXNG instance of your own; no key, no costs.

    Attributes:
        base_url: Where the instance answers; its settings.yml must allow the format json.

    Example:
        ```python
        from prefect_freshqa.blocks import SearxngSearch

        engine = SearxngSearch.load("BLOCK_NAME").get_engine()
        ```
    """

    _block_type_name = "FreshQA SearXNG Search"
    _block_type_slug = "searxng-search"
    _documentation_url = DOCUMENTATION_URL
    _logo_url = LOGO_URL
    model_config = ConfigDict(extra="forbid")

    base_url: str = Field(
        pattern=WEB_ADDRESS, description="Where the instance answers, such as http://searxng:8080."
    )

    def get_engine(self) -> HttpSearchEngine:
        """Return the engine that searches with these settings."""
        from freshqa.evidence.searxng import Searxng
        from prefect_freshqa.blocks.search_engine import HttpSearchEngine

        return HttpSearchEngine(Searxng(), self.base_url, **self.engine_settings())


class SerperSearch(HttpSettings, Block):
    """Search Google through Serper (serper.dev).

    Attributes:
        api_key: Key of the Serper account.
        base_url: Where Serper answers.
        cost_usd_per_search: Price of one search in US dollars, for budgets.

    Example:
        ```python
        from prefect_freshqa.blocks import SerperSearch

        engine = SerperSearch.load("BLOCK_NAME").get_engine()
        ```
    """

    _block_type_name = "FreshQA Serper Search"
    _block_type_slug = "serper-search"
    _documentation_url = DOCUMENTATION_URL
    _logo_url = LOGO_URL
    model_config = ConfigDict(extra="forbid")

    api_key: SecretStr = Field(description="Key of the Serper account.")
    base_url: str = Field(
        default="https://google.serper.dev",
        pattern=WEB_ADDRESS,
        description="Where Serper answers.",
    )
    cost_usd_per_search: Decimal = Field(
        default=Decimal("0.001"), ge=0, description="Price of one search in US dollars."
    )

    def get_engine(self) -> HttpSearchEngine:
        """Return the engine that searches with these settings."""
        from freshqa.evidence.serper import Serper
        from prefect_freshqa.blocks.search_engine import HttpSearchEngine

        return HttpSearchEngine(
            Serper(),
            self.base_url,
            self.api_key.get_secret_value(),
            **self.engine_settings(cost_usd=self.cost_usd_per_search),
        )


class WebSearch(HttpSettings, Block):
    """Search with any engine that an installed package has registered.

    Attributes:
        engine: Name in the entry point group `prefect_freshqa.search_engines`.
        api_key: Key of the service, if it needs one.
        base_url: Where the service answers; the engine's own address when empty.
        cost_usd_per_search: Price of one search in US dollars, for budgets.

    Example:
        ```python
        from prefect_freshqa.blocks import WebSearch

        engine = WebSearch.load("BLOCK_NAME").get_engine()
        ```
    """

    _block_type_name = "FreshQA Web Search"
    _block_type_slug = "web-search"
    _documentation_url = DOCUMENTATION_URL
    _logo_url = LOGO_URL
    model_config = ConfigDict(extra="forbid")

    engine: str = Field(description="Name in the entry point group prefect_freshqa.search_engines.")
    api_key: SecretStr = Field(default=SecretStr(""), description="Key of the service, if any.")
    base_url: str = Field(
        default="",
        pattern=rf"^$|{WEB_ADDRESS}",
        description="Where the service answers; the engine's own address when empty.",
    )
    cost_usd_per_search: Decimal = Field(
        default=Decimal(0), ge=0, description="Price of one search in US dollars."
    )

    def get_engine(self) -> HttpSearchEngine:
        """Return the engine that searches with these settings.

        Raises:
            NotFound: No installed package registers this engine; the message lists those there are.
        """
        from freshqa.evidence.parsing import engine_format
        from prefect_freshqa.blocks.search_engine import HttpSearchEngine

        form = engine_format(self.engine)
        return HttpSearchEngine(
            form,
            self.base_url or form.base_url,
            self.api_key.get_secret_value(),
            **self.engine_settings(cost_usd=self.cost_usd_per_search),
        )


class RecordedSearch(Block):
    """Answer searches from a file recorded earlier: no network, no key, no costs.

    Attributes:
        path: JSON lines with a question and the response each, or a folder of JSON files.

    Example:
        ```python
        from prefect_freshqa.blocks import RecordedSearch

        engine = RecordedSearch.load("BLOCK_NAME").get_engine()
        ```
    """

    _block_type_name = "FreshQA Recorded Search"
    _block_type_slug = "recorded-search"
    _documentation_url = DOCUMENTATION_URL
    _logo_url = LOGO_URL
    model_config = ConfigDict(extra="forbid")

    path: Path = Field(
        description='JSON lines {"question": …, "response": …}, or a folder of JSON files.'
    )

    def get_engine(self) -> RecordedEngine:
        """Return the engine that answers from the recording."""
        from prefect_freshqa.blocks.recorded_engine import RecordedEngine

        return RecordedEngine(Path(self.path).expanduser())
