"""Blocks that search the web."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prefect.blocks.core import Block
from pydantic import BaseModel, ConfigDict, Field, SecretStr

from prefect_freshqa.blocks.about import DOCUMENTATION_URL, LOGO_URL

if TYPE_CHECKING:
    from prefect_freshqa.blocks.recorded_engine import RecordedEngine
    from prefect_freshqa.blocks.search_engine import HttpSearchEngine


class _HttpSettings(BaseModel):
    """Fields that every engine over HTTP has."""

    language: str = Field(default="en", description="Language of the results, such as en or de.")
    country: str = Field(default="us", description="Country to search from, such as us or gb.")
    parameters: dict[str, str] = Field(
        default_factory=dict, description="Further parameters sent with every search."
    )
    timeout_seconds: float = Field(
        default=30.0, gt=0, description="Seconds one attempt may take in all."
    )
    max_attempts: int = Field(
        default=3, ge=1, le=10, description="Attempts in all, the first one included."
    )
    longest_wait_seconds: float = Field(
        default=30.0, ge=0, description="Most seconds to wait between two attempts."
    )

    def _settings(self, **more: Any) -> dict[str, Any]:
        """What the engine behind the block is made with."""
        from freshqa.evidence.engine_format import Locale
        from prefect_freshqa.blocks.search_engine import Patience

        return {
            "locale": Locale(self.language, self.country),
            "extra": dict(self.parameters),
            "patience": Patience(
                self.timeout_seconds, self.max_attempts, self.longest_wait_seconds
            ),
            **more,
        }


class SerpApiSearch(_HttpSettings, Block):
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

    _block_type_name = "SerpApi Search"
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
        default="https://serpapi.com", description="Where SerpApi answers; change it for a proxy."
    )
    cost_usd_per_search: Decimal = Field(
        default=Decimal("0.015"), ge=0, description="Price of one search in US dollars."
    )

    def get_engine(self) -> HttpSearchEngine:
        """The engine that searches with these settings."""
        from freshqa.evidence.serpapi import SerpApi
        from prefect_freshqa.blocks.search_engine import SerpApiEngine

        return SerpApiEngine(
            SerpApi(self.engine),
            self.base_url,
            self.api_key.get_secret_value(),
            **self._settings(cost_usd=self.cost_usd_per_search),
        )


class SearxngSearch(_HttpSettings, Block):
    """Search through a SearXNG instance of your own; no key, no costs.

    Attributes:
        base_url: Where the instance answers; its settings.yml must allow the format json.

    Example:
        ```python
        from prefect_freshqa.blocks import SearxngSearch

        engine = SearxngSearch.load("BLOCK_NAME").get_engine()
        ```
    """

    _block_type_name = "SearXNG Search"
    _block_type_slug = "searxng-search"
    _documentation_url = DOCUMENTATION_URL
    _logo_url = LOGO_URL
    model_config = ConfigDict(extra="forbid")

    base_url: str = Field(description="Where the instance answers, such as http://searxng:8080.")

    def get_engine(self) -> HttpSearchEngine:
        """The engine that searches with these settings."""
        from freshqa.evidence.searxng import Searxng
        from prefect_freshqa.blocks.search_engine import HttpSearchEngine

        return HttpSearchEngine(Searxng(), self.base_url, **self._settings())


class SerperSearch(_HttpSettings, Block):
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

    _block_type_name = "Serper Search"
    _block_type_slug = "serper-search"
    _documentation_url = DOCUMENTATION_URL
    _logo_url = LOGO_URL
    model_config = ConfigDict(extra="forbid")

    api_key: SecretStr = Field(description="Key of the Serper account.")
    base_url: str = Field(default="https://google.serper.dev", description="Where Serper answers.")
    cost_usd_per_search: Decimal = Field(
        default=Decimal("0.001"), ge=0, description="Price of one search in US dollars."
    )

    def get_engine(self) -> HttpSearchEngine:
        """The engine that searches with these settings."""
        from freshqa.evidence.serper import Serper
        from prefect_freshqa.blocks.search_engine import HttpSearchEngine

        return HttpSearchEngine(
            Serper(),
            self.base_url,
            self.api_key.get_secret_value(),
            **self._settings(cost_usd=self.cost_usd_per_search),
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

    _block_type_name = "Recorded Search"
    _block_type_slug = "recorded-search"
    _documentation_url = DOCUMENTATION_URL
    _logo_url = LOGO_URL
    model_config = ConfigDict(extra="forbid")

    path: Path = Field(
        description='JSON lines {"question": …, "response": …}, or a folder of JSON files.'
    )

    def get_engine(self) -> RecordedEngine:
        """The engine that answers from the recording."""
        from prefect_freshqa.blocks.recorded_engine import RecordedEngine

        return RecordedEngine(Path(self.path).expanduser())
