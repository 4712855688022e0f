"""A search engine over HTTP: requests, retries and errors."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timezone
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any

from freshqa.errors import FreshQAError, ProviderError, ProviderRejected
from freshqa.evidence.engine_format import EngineFormat, Locale, SearchRequest
from freshqa.evidence.search_engine import Recency, SearchResult
from prefect_freshqa.blocks.http_calls import Attempt, until_answered
from prefect_freshqa.blocks.in_flight import gate_of
from prefect_freshqa.blocks.key_redaction import redacted
from prefect_freshqa.blocks.transport import Reply, exchange, new_session

if TYPE_CHECKING:
    from requests import Response

    from prefect_freshqa.blocks.lean_session import LeanSession

USER_AGENT = "prefect-freshqa"


@dataclass(frozen=True)
class Patience:
    """Time limits of one search.

    Args:
        timeout_seconds: For one attempt in all, from connecting to the last byte.
        max_attempts: Attempts in all, the first one included.
        longest_wait: Maximum number of seconds waited between two attempts; when the service asks
            for more, the search fails at once and may be tried again another day.
    """

    timeout_seconds: float = 30.0
    max_attempts: int = 3
    longest_wait: float = 30.0


@dataclass
class HttpSearchEngine:
    """Searches through an `EngineFormat`; one connection pool, safe to share between threads.

    Args:
        form: How the engine is asked and how its answer reads.
        base_url: Where it answers.
        key: Its key; "" for none. It is in no message, log line or result.
        locale: Where and in which language is searched.
        extra: Parameters sent with every request, over those of the form.
        patience: How long one search may take.
        cost_usd: Price of one search.
    """

    form: EngineFormat
    base_url: str
    key: str = field(default="", repr=False)
    locale: Locale = field(default_factory=Locale)
    extra: Mapping[str, str] = field(default_factory=dict)
    patience: Patience = field(default_factory=Patience)
    cost_usd: Decimal = Decimal(0)

    @property
    def name(self) -> str:
        """Name of the format that reads its answers."""
        return self.form.name

    @cached_property
    def _session(self) -> LeanSession:
        return new_session()

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the open connections, so that an engine can be pickled to a worker."""
        return {name: value for name, value in vars(self).items() if name != "_session"}

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of every query without the key: part of a search's identity."""
        return {name: value for name, value in self._parameters("").items() if value}

    def limited_to(self, recency: Recency, *, as_of: date) -> HttpSearchEngine | None:
        """Return the engine with its filter on recency; None when it has none."""
        known = self.form.recent(recency)
        if not known:
            return None
        limited = replace(self, extra={**self.extra, **known})
        limited.__dict__["_session"] = self._session  # the same open connections
        return limited

    def _parameters(self, query: str) -> dict[str, str]:
        return {**self.form.request(query, self.locale).parameters, **self.extra}

    def search(self, query: str, *, as_of: date) -> SearchResult:
        """Search once, however many attempts that takes.

        Raises:
            ProviderError: Still no answer after the last attempt.
            ProviderRejected, QuotaExhausted, CredentialsError: Asking again would not help.
        """
        form_request = self.form.request(query, self.locale)
        asked = SearchRequest(form_request.path, self._parameters(query), form_request.post)
        started = time.monotonic()
        body = self._ask_until_answered(asked)
        return SearchResult(
            engine=self.form.name,
            query=query,
            body=body,
            fetched_at=datetime.now(timezone.utc),
            request=dict(asked.parameters),
            cost_usd=self.cost_usd,
            seconds=round(time.monotonic() - started, 3),
        )

    def _ask_until_answered(self, asked: SearchRequest) -> Mapping[str, Any]:
        request = asked

        def attempt() -> Attempt[Reply]:
            return self._ask(request)

        def ask_otherwise(failed: Attempt[Reply]) -> bool:
            nonlocal request
            request = self.form.retry(asked, failed.value.body if failed.value else None)
            return False

        body: Mapping[str, Any] = until_answered(
            attempt,
            gate=gate_of((self.base_url, self.form.name), timeout=self.patience.timeout_seconds),
            retries=self.patience.max_attempts - 1,
            longest_wait=self.patience.longest_wait,
            adapted=ask_otherwise,
        ).body
        return body

    def _ask(self, request: SearchRequest) -> Attempt[Reply]:
        try:
            reply = exchange(
                lambda: self.send(request),
                seconds=self.patience.timeout_seconds,
                engine=self.form.name,
                secret=self.key,
            )
        except ProviderError as unanswered:
            return Attempt(None, unanswered)
        if reply.location:
            failure: FreshQAError | None = _redirected(
                self.form.name, redacted(reply.location, self.key)
            )
        else:
            failure = self.form.failure(reply.status, reply.body)
            if failure is not None:
                said = redacted(failure.message, self.key)
                failure = type(failure)(said, failure.remedy, failure.kind)
        return Attempt(reply, failure, reply.retry_after)

    def send(self, request: SearchRequest) -> Response:
        """Send one request without reading the response yet."""
        key_field = {self.form.key_parameter: self.key} if self.form.key_parameter else {}
        headers = {"User-Agent": USER_AGENT, "Accept": "application/json"}
        if self.form.key_header and self.key:
            headers[self.form.key_header] = self.key
        content = {**request.parameters, **(key_field if self.key else {})}
        return self._session.ask(
            "POST" if request.post else "GET",
            self.base_url.rstrip("/") + request.path,
            params=None if request.post else content,
            json=content if request.post else None,
            headers=headers,
            timeout=self.patience.timeout_seconds,
        )


@dataclass
class SerpApiEngine(HttpSearchEngine):
    """Searches through google-search-results, over the same connection pool."""

    def send(self, request: SearchRequest) -> Response:
        """Send one request as the package would write it.

        The package would open a new connection for it and wait for 16 hours.
        """
        # Not `from serpapi import …`: the package `serpapi` overwrites that file.
        from serpapi.serp_api_client import SerpApiClient

        client = SerpApiClient({**request.parameters, "output": "json", "api_key": self.key})
        client.BACKEND, client.SERP_API_KEY = self.base_url.rstrip("/"), None
        url, parameters = client.construct_url(request.path)
        return self._session.ask(
            "GET", url, params=parameters, timeout=self.patience.timeout_seconds
        )


def _redirected(engine: str, location: str) -> ProviderRejected:
    return ProviderRejected(
        f"{engine}: the service redirects to {location[:200]}; a key does not follow.",
        "Set base_url to that address if you trust it.",
    )
