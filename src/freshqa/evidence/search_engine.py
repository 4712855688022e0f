"""The protocol of a search engine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any, Protocol

from freshqa.evidence.web_page import WebPage


@dataclass(frozen=True)
class SearchResult:
    """One response of a search engine, kept whole.

    Args:
        engine: Name of the parser that understands `body` ("serpapi", "searxng", "serper").
        request: Every parameter sent, secrets left out.
        body: The response body as parsed JSON.
        fetched_at: When it was answered (aware, UTC): relative dates count from here.
        cost_usd: Price of this call; 0 when it was reused.
        seconds: How long the call took.
        reused: True when it came from the ledger or a recording.
        pages: Pages behind its results that were read.
    """

    engine: str
    query: str
    body: Mapping[str, Any]
    fetched_at: datetime
    request: Mapping[str, Any] = field(default_factory=dict)
    cost_usd: Decimal = Decimal(0)
    seconds: float = 0.0
    reused: bool = False
    pages: tuple[WebPage, ...] = ()


class SearchEngine(Protocol):
    """Anything that answers a query; thread-safe."""

    @property
    def name(self) -> str:
        """Name of the engine; with its `parameters`, where it has any, the identity of a search."""
        ...

    def search(self, query: str, *, as_of: date) -> SearchResult:
        """Search once.

        Raises:
            ProviderError: another try may help.
            ProviderRejected, QuotaExhausted, CredentialsError: it will not.
            NotFound: a recording does not hold this query.

        "No results" is an answer: a body without findings.
        """
        ...


class Recency(str, Enum):
    """The maximum age of results, for an engine with a filter."""

    week = "week"
    month = "month"
    year = "year"

    @property
    def label(self) -> str:
        """Suffix of a recorded query that was searched with the filter."""
        return f" [past {self.value}]"


def limited_to(engine: SearchEngine, recency: Recency, *, as_of: date) -> SearchEngine | None:
    """Return the engine with a filter on recency; None for one that knows none.

    An engine that knows one has a method `limited_to(recency, as_of=…)`. Filters count from today,
    so a day other than today has none.
    """
    limit = getattr(engine, "limited_to", None)
    limited: SearchEngine | None = limit(recency, as_of=as_of) if limit else None
    return limited


def request_hash(engine: str, request: Mapping[str, Any]) -> str:
    """Identity of a request, for reuse: engine and parameters, canonical JSON, SHA-256 in hex."""
    text = json.dumps([engine, dict(request)], ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
