"""A block that reads the pages behind search results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefect.blocks.core import Block
from pydantic import ConfigDict, Field

from prefect_freshqa.blocks.about import DOCUMENTATION_URL, LOGO_URL

if TYPE_CHECKING:
    from freshqa.evidence.address_rule import AddressRule
    from prefect_freshqa.blocks.http_page_reader import HttpPageReader


class PageReader(Block):
    """Read the pages behind search results: public addresses only, robots.txt honoured.

    Attributes:
        timeout_seconds: Seconds one page may take, redirects included.
        max_bytes: Longest page, packed and unpacked.
        spacing_seconds: Seconds between two requests to the same host, at least.

    Example:
        ```python
        from prefect_freshqa.blocks import PageReader

        reader = PageReader.load("BLOCK_NAME").get_reader()
        ```

        Name it in a refresh: `prefect-freshqa refresh --read-pages 3 --page-reader BLOCK_NAME`.
    """

    _block_type_name = "FreshQA Page Reader"
    _block_type_slug = "page-reader"
    _documentation_url = DOCUMENTATION_URL
    _logo_url = LOGO_URL
    model_config = ConfigDict(extra="forbid")

    timeout_seconds: float = Field(
        default=5.0, gt=0, le=30, description="Seconds one page may take, redirects included."
    )
    max_bytes: int = Field(
        default=2_000_000, gt=0, le=20_000_000, description="Longest page, packed and unpacked."
    )
    spacing_seconds: float = Field(
        default=1.0, ge=0, le=20, description="Seconds between two requests to the same host."
    )

    def address_rule(self) -> AddressRule:
        """Return which addresses are read: public ones. Tests with servers on loopback override it."""
        from freshqa.evidence.address_rule import AddressRule

        return AddressRule()

    def get_reader(self) -> HttpPageReader:
        """Return the reader with these settings."""
        from prefect_freshqa.blocks.http_page_reader import HttpPageReader, PageLimits

        limits = PageLimits(
            seconds=self.timeout_seconds, most_bytes=self.max_bytes, spacing=self.spacing_seconds
        )
        return HttpPageReader(limits, self.address_rule())
