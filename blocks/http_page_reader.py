"""Read the page behind a search result: robots.txt, spacing, limits and safe addresses."""

from __future__ import annotations

import json
import ssl
import threading
import time
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from freshqa.evidence.address_rule import AddressRule
from freshqa.evidence.page_select import follow
from freshqa.evidence.page_text import PageContent, read_plain
from freshqa.evidence.robots import LONGEST, Robots, parse_robots
from freshqa.evidence.web_page import WebPage
from prefect_freshqa.blocks.host_spacing import HostSpacing
from prefect_freshqa.blocks.page_fetch import Fetched, PageClient, Resolve, Unread, system_resolve
from prefect_freshqa.blocks.page_worker import PageWorker

HTML = frozenset(["text/html", "application/xhtml+xml"])
PLAIN = frozenset(["text/plain", "text/markdown"])
JSON = frozenset(["application/json", "text/json", "text/plain"])
MAX_REDIRECTS = 5
MAX_HOSTS = 10_000


@dataclass(frozen=True)
class PageLimits:
    """Limits of reading one page.

    Args:
        seconds: For connecting, redirects and the last byte together.
        most_bytes: Longest page, packed and unpacked.
        redirects: Maximum number of redirects followed.
        spacing: Seconds between two requests to the same host, at least.
        longest_wait: Maximum number of seconds waited for such a turn.
    """

    seconds: float = 5.0
    most_bytes: int = 2_000_000
    redirects: int = MAX_REDIRECTS
    spacing: float = 1.0
    longest_wait: float = 20.0


@dataclass
class HttpPageReader:
    """Reads pages over HTTP; safe to share between threads.

    Args:
        limits: What a page may take.
        rule: Which addresses may be connected to. Tests allow loopback; no block does.
        resolve: Looks names up.
        tls: What certificates are checked with; the authorities of `certifi` when None.
    """

    limits: PageLimits = field(default_factory=PageLimits)
    rule: AddressRule = field(default_factory=AddressRule)
    resolve: Resolve = system_resolve
    tls: ssl.SSLContext | None = None
    spacing: HostSpacing = field(default_factory=HostSpacing)
    worker: PageWorker = field(default_factory=PageWorker)
    _robots: dict[str, Robots] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def read(self, url: str, *, as_of: date, select: str = "", path: str = "") -> WebPage:
        """Return the page, or why it was not read; see `WebReader`.

        Raises:
            UsageError: The extra `pages` is not installed.
        """
        began, now = time.monotonic(), datetime.now(timezone.utc)
        try:
            final, fetched = self._follow(url, JSON if path else HTML | PLAIN)
            content = self._content(fetched, select, path)
        except Unread as unread:
            return WebPage(url, now, problem=str(unread), seconds=_since(began))
        return WebPage(url, now, final_url=final, seconds=_since(began), **content)

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        import httpx

        return self.tls or httpx.create_ssl_context(trust_env=False)

    def _client(self, most_bytes: int) -> PageClient:
        return PageClient(self.rule, most_bytes, self.resolve, self._tls)

    def _follow(self, url: str, types: frozenset[str]) -> tuple[str, Fetched]:
        """Return the page at the end of the redirects; each step is checked like the first."""
        client, left = self._client(self.limits.most_bytes), self.limits.seconds
        for _ in range(self.limits.redirects + 1):
            self._take_turn(url)
            began = time.monotonic()
            fetched = client.get(url, seconds=left, types=types)
            left -= time.monotonic() - began
            if not fetched.location:
                if fetched.status != 200:
                    raise Unread(f"HTTP status {fetched.status}")
                return url, fetched
            if left <= 0:
                raise Unread(f"no complete answer within {self.limits.seconds:g} s")
            url = fetched.location
        raise Unread(f"more than {self.limits.redirects} redirects")

    def _take_turn(self, url: str) -> None:
        """Wait for the turn of the host, if its robots.txt allows the page."""
        refused = self.rule.refuse_url(url)
        if refused:
            raise Unread(refused)
        robots = self._robots_of(url)
        if not robots.allows(url):
            raise Unread(
                "its robots.txt cannot be read" if robots.closed else "its robots.txt disallows it"
            )
        self._wait(url, robots.delay)

    def _wait(self, url: str, delay: float = 0.0) -> None:
        host = urlsplit(url).netloc.casefold()
        spacing = max(self.limits.spacing, delay)
        if delay > self.limits.longest_wait:
            raise Unread(f"its robots.txt asks for {delay:g} s between two requests")
        if not self.spacing.wait(host, spacing, longest=self.limits.longest_wait):
            raise Unread("too many pages of this host are waiting")

    def _robots_of(self, url: str) -> Robots:
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc.casefold()}"
        with self._lock:
            known = self._robots.get(origin)
        if known is None:
            known = self._fetch_robots(f"{origin}/robots.txt")
            with self._lock:
                if len(self._robots) >= MAX_HOSTS:
                    self._robots.clear()
                self._robots[origin] = known
        return known

    def _fetch_robots(self, url: str) -> Robots:
        """Return the rules (RFC 9309): a missing file allows all, an unreachable one nothing."""
        client = self._client(LONGEST)
        for _ in range(MAX_REDIRECTS + 1):
            try:
                self._wait(url)
                fetched = client.get(url, seconds=self.limits.seconds, types=None, cut=True)
            except Unread:
                return Robots(closed=True)
            if not fetched.location:
                if fetched.status == 200:
                    return parse_robots(fetched.body.decode("utf-8", "replace"))
                return Robots(closed=fetched.status >= 500 or fetched.status == 429)
            url = fetched.location
        return Robots()

    def _content(self, fetched: Fetched, select: str, path: str) -> dict[str, Any]:
        if b"\0" in fetched.body[:1_000] and not fetched.body.startswith(
            (b"\xff\xfe", b"\xfe\xff")
        ):
            raise Unread("not text, despite its content type")
        if path:
            values = follow(fetched.body, fetched.charset, path)
            return {"text": json.dumps([value.to_json() for value in values])}
        if select:
            return self.worker.read(fetched.body, fetched.charset, select)
        if fetched.content_type in PLAIN:
            plain: PageContent = read_plain(fetched.body, fetched.charset)
            return {"text": plain.text, "problem": "" if plain.text.strip() else "no text"}
        content = self.worker.read(fetched.body, fetched.charset)
        if not content.get("problem") and not content["text"].strip():
            content = {**content, "text": "", "problem": "no text"}
        return content


def _since(began: float) -> float:
    return round(time.monotonic() - began, 3)
