"""The client of google-search-results with what it lacks: a pool, a timeout, no global state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

# Not `from serpapi import …`: the package `serpapi` overwrites that file when both are installed.
from serpapi.serp_api_client import SerpApiClient

if TYPE_CHECKING:
    from requests import Response


class PooledSerpApiClient(SerpApiClient):
    """One request; the package would open a new connection for it and wait for 16 hours.

    Args:
        parameters: Of the request, the key included; copied, because the package writes into them.
        base_url: Where the service answers.
        get: Sends `GET url?parameters`.
    """

    SERP_API_KEY = None

    def __init__(
        self,
        parameters: Mapping[str, str],
        *,
        base_url: str,
        get: Callable[[str, dict[str, str]], Response],
    ) -> None:
        super().__init__(dict(parameters))
        self.BACKEND = base_url.rstrip("/")
        self._get = get

    def get_response(self, path: str = "/search") -> Response:
        """Return the response, whatever its status: telling failures apart is the caller's."""
        url, parameters = self.construct_url(path)
        return self._get(url, parameters)
