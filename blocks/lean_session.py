"""A session of `requests` for many requests to few addresses."""

from __future__ import annotations

from collections.abc import Mapping
from http.cookiejar import DefaultCookiePolicy
from typing import Any

from requests import PreparedRequest, Request, Response, Session
from requests.adapters import BaseAdapter, HTTPAdapter

POOL = 64


class LeanSession(Session):
    """A pool of connections for many threads; it keeps no cookies and follows no redirects.

    What the requests to an address have in common is prepared once: `requests` reads proxies,
    certificates and the netrc file anew for each, which takes as long as the request itself.
    """

    def __init__(self) -> None:
        super().__init__()
        self.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        adapter = HTTPAdapter(pool_connections=4, pool_maxsize=POOL, pool_block=False)
        self.mount("https://", adapter)
        self.mount("http://", adapter)
        self._common: dict[Any, tuple[PreparedRequest, BaseAdapter, Any]] = {}

    def ask(
        self,
        method: str,
        url: str,
        *,
        params: Mapping[str, Any] | None = None,
        json: Any = None,
        headers: Mapping[str, str] | None = None,
        timeout: float,
    ) -> Response:
        """Send one request; nothing is read of the body of the response yet.

        Raises:
            requests.RequestException: as `Session.request` does.
        """
        headers = headers or {}
        identity = (method, url, *headers.items())
        if identity not in self._common:
            prepared = self.prepare_request(Request(method, url, headers=headers))
            settings: Any = self.merge_environment_settings(url, {}, True, None, None)
            self._common[identity] = (prepared, self.get_adapter(url), settings)
        common, adapter, settings = self._common[identity]
        request = common.copy()
        request.prepare_url(url, params)
        if json is not None:
            request.prepare_body(None, None, json)
        return adapter.send(request, timeout=timeout, **settings)
