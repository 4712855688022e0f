"""The interface of a new search engine: its request and the parsing of its response."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from freshqa.errors import (
    CredentialsError,
    FreshQAError,
    ProviderError,
    ProviderRejected,
    QuotaExhausted,
)
from freshqa.evidence.cleaning import clean_text
from freshqa.evidence.evidence import Evidence
from freshqa.evidence.loose_json import first_text, mapping
from freshqa.evidence.search_engine import Recency, SearchResult

OUT_OF_CREDIT = (
    "run out of searches",
    "not enough credits",
    "quota exceeded",
    "out of credits",
    "insufficient credits",
    "monthly quota",
    "monthly limit",
    "searches per month",
    "usage limit",
    "exhausted",
    "out of searches",
    "no searches left",
    "no credits",
    "credits left",
    "upgrade your plan",
    "upgrade your subscription",
    "payment required",
)
PASSING = (
    "try again",
    "too many requests",
    "rate limit",
    "rate-limit",
    "captcha",
    "unusual traffic",
    "blocked",
    "suspended",
    "access denied",
    "timeout",
    "timed out",
    "temporarily",
    "unavailable",
    "overloaded",
    "throughput",
    "concurren",
    "limit exceeded",
    "cancelled",
    "canceled",
    "valid results",
)
"""Words in the body of a failed search, whatever its status; another try may help."""
NOT_SEARCHED = "Nothing was searched, so the question stays due; run again later."


@dataclass(frozen=True)
class Locale:
    """Country and language of a search: `hl` and `gl` in Google's words."""

    language: str = "en"
    country: str = "us"


@dataclass(frozen=True)
class SearchRequest:
    """One HTTP request, without its key.

    Args:
        path: Below the engine's base URL.
        parameters: Of the query string; with `post` they are the JSON body instead.
    """

    path: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    post: bool = False


class EngineFormat(ABC):
    """One engine; pure: no network, no clock, no key. Safe to share between threads.

    Register a subclass in the entry point group `prefect_freshqa.search_engines` under its `name`
    and it can be searched through the `WebSearch` block and parsed from any store.
    """

    name: ClassVar[str]
    """Name of the format, as kept in `SearchResult.engine`."""
    base_url: ClassVar[str] = ""
    """Where the service answers, unless a setting says otherwise."""
    key_parameter: ClassVar[str] = ""
    """Query parameter that carries the key; "" for none."""
    key_header: ClassVar[str] = ""
    """HTTP header that carries the key; "" for none."""
    result_fields: ClassVar[tuple[str, ...]] = ()
    """Fields of a body with results; a body with none of them is not a results page."""

    @abstractmethod
    def request(self, query: str, locale: Locale) -> SearchRequest:
        """Return the HTTP request for `query`."""

    @abstractmethod
    def parse(self, result: SearchResult) -> tuple[Evidence, ...]:
        """Every finding in the body, best first within its kind; never raises on odd shapes."""

    def recent(self, recency: Recency) -> Mapping[str, str]:
        """Return the parameters that limit results to the last week, month or year.

        Empty for an engine without such a filter: the period is then put into the query in words.
        """
        return {}

    def retry(self, request: SearchRequest, body: Any) -> SearchRequest:
        """Return the request to send after a failure: the same one, for most engines.

        Args:
            body: The response (parsed JSON or text), or None without one.
        """
        return request

    def failure(self, status: int, body: Any) -> FreshQAError | None:
        """Return the failure in status and body; None for an answer, also for "no results".

        Args:
            status: HTTP status; 200 for a body read from a recording.
            body: Parsed JSON, or the text when it is none.
        """
        said = self.error_text(body)
        code = mapping(body).get("statusCode")
        if status == 200 and isinstance(code, int) and code >= 400:
            return failure_of(self.name, code, said or "the body names an error")
        if status == 200 and isinstance(body, Mapping) and not said:
            fields = self.result_fields
            if not fields or any(name in body for name in fields):
                return None
            said = "the response contains no search results"
            return ProviderError(f"{self.name}: {said} (HTTP 200).", NOT_SEARCHED)
        return failure_of(self.name, status, said)

    def error_text(self, body: Any) -> str:
        """Return the error stated in the body, on one line, or ""."""
        record = mapping(body)
        words = ("message", "info", "detail", "error", "reason", "type")
        nested = [first_text(mapping(record.get(name)), *words) for name in ("error", "detail")]
        listed = first_text(mapping(record.get("errors")), *words) or first_text(record, "errors")
        said = first_text(record, "error", "message", "detail") or next(filter(None, nested), "")
        if not said and record.get("success") is False:
            said = listed or "the service says that the search failed"
        return clean_text(said or listed, limit=200)


def failure_of(engine: str, status: int, said: str) -> FreshQAError:
    """Return the error for an HTTP status and the message of the service."""
    low = said.casefold()
    message = f"{engine}: {said or 'no JSON object'} (HTTP {status})."
    if any(words in low for words in OUT_OF_CREDIT) or status == 402:
        return QuotaExhausted(message, "Buy more searches, or wait for the next period.")
    if status in (401, 403) or "api key" in low or "apikey" in low:
        return CredentialsError(message, f"Put a valid key into the {engine} block.")
    if status == 200 and not said:
        return ProviderError(message, "The service returned an unexpected response. Try again.")
    passing = status in (200, 202) and any(words in low for words in PASSING)
    if status in (408, 425, 429) or status >= 500 or passing:
        return ProviderError(message, "Try again later.")
    return ProviderRejected(message, "Change the query or the settings of the block.")
