"""Settings shared by all blocks of search engines over HTTP."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field


class HttpSettings(BaseModel):
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

    def engine_settings(self, **more: Any) -> dict[str, Any]:
        """Return what the engine behind the block is made with."""
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
