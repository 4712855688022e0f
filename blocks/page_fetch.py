"""One HTTP exchange with a web page: to a checked address, bounded in time and size."""

from __future__ import annotations

import socket
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit, urlunsplit

from freshqa.evidence.address_rule import SCHEMES, AddressRule
from freshqa.evidence.robots import PRODUCT
from prefect_freshqa.blocks.deadline import within

if TYPE_CHECKING:
    import ssl

    import httpx

USER_AGENT = f"{PRODUCT} (+https://github.com/prefect-freshqa/prefect-freshqa)"
REDIRECTS = frozenset([301, 302, 303, 307, 308])
Resolve = Callable[[str, int], Sequence[str]]
"""Host and port → its IP addresses."""


class Unread(Exception):
    """A page was not read; the message says why."""


@dataclass(frozen=True)
class Fetched:
    """A response to one request.

    Args:
        status: HTTP status.
        content_type: Media type, lower case, without parameters.
        charset: As the server names it, or "".
        body: Unpacked; empty for a redirect.
        location: Where a redirect leads, absolute; "" for other responses.
    """

    status: int
    content_type: str
    charset: str
    body: bytes
    location: str = ""


def system_resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a host, as the system resolves it."""
    resolved = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in resolved]


@dataclass(frozen=True)
class PageClient:
    """Requests pages; keeps no connection open.

    Args:
        rule: Which addresses may be connected to.
        most_bytes: Longest body, packed and unpacked.
        resolve: Looks names up.
        tls: What certificates are checked with.
    """

    rule: AddressRule
    most_bytes: int
    resolve: Resolve
    tls: ssl.SSLContext

    def get(
        self, url: str, *, seconds: float, types: frozenset[str] | None, cut: bool = False
    ) -> Fetched:
        """Ask once, and follow nothing.

        The name is looked up once, every address of it is checked, and the connection goes to the
        checked address itself: a second look-up cannot lead elsewhere.

        Args:
            url: The page.
            seconds: For everything, from looking the name up to the last byte.
            types: Media types that are read; None for any.
            cut: Whether a longer body is cut instead of refused.

        Raises:
            Unread: Refused, unreachable, too slow, too long or no text.
        """
        import httpx

        refused = self.rule.refuse_url(url)
        if refused:
            raise Unread(refused)
        # trust_env: a proxy from the environment would look the name up again
        client = httpx.Client(verify=self.tls, trust_env=False, timeout=seconds)
        try:
            return within(
                seconds, lambda deadline: self._exchange(client, url, deadline, types, cut)
            )
        except TimeoutError:
            raise Unread(f"no complete answer within {seconds:.3g} s") from None
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as failed:
            raise Unread(f"no answer ({type(failed).__name__})") from None
        except (OSError, ValueError, zlib.error) as failed:
            raise Unread(f"no usable answer ({type(failed).__name__})") from None
        finally:
            client.close()  # closes the connection to a slow server

    def _exchange(
        self,
        client: httpx.Client,
        url: str,
        deadline: float,
        types: frozenset[str] | None,
        cut: bool,
    ) -> Fetched:
        parts = urlsplit(url)
        host = parts.hostname or ""
        port = parts.port or SCHEMES[parts.scheme]
        address = self._checked_address(host, port)
        shown = f"[{address}]" if ":" in address else address
        with client.stream(
            "GET",
            urlunsplit((parts.scheme, f"{shown}:{port}", parts.path or "/", parts.query, "")),
            headers={
                "Host": parts.netloc,
                "User-Agent": USER_AGENT,
                "Accept": "text/html, application/xhtml+xml, text/plain;q=0.8",
                "Accept-Encoding": "gzip",
                "Connection": "close",
            },
            extensions={
                "sni_hostname": host
            },  # certificates are issued for the name, not the address
        ) as response:
            return self._read(response, url, deadline, types, cut)

    def _checked_address(self, host: str, port: int) -> str:
        """Return an address of the host; none of its addresses may be one that is refused."""
        try:
            addresses = list(self.resolve(host, port))
        except (OSError, UnicodeError):
            raise Unread("the host is unknown") from None
        if not addresses:
            raise Unread("the host is unknown")
        for address in addresses:
            refused = self.rule.refuse_address(address)
            if refused:
                raise Unread(f"the host is at {refused}")
        return addresses[0]

    def _read(
        self,
        response: httpx.Response,
        url: str,
        deadline: float,
        types: frozenset[str] | None,
        cut: bool,
    ) -> Fetched:
        kind, _, parameters = response.headers.get("Content-Type", "").partition(";")
        charset = parameters.partition("charset=")[2].partition(";")[0].strip(" \"'")
        kind = kind.strip().casefold()
        location = response.headers.get("Location", "")
        if response.status_code in REDIRECTS and location:
            return Fetched(response.status_code, kind, charset, b"", urljoin(url, location))
        if response.status_code != 200:
            return Fetched(response.status_code, kind, charset, b"")
        if types is not None and kind not in types:
            raise Unread(f"not text ({kind[:60] or 'no content type'})")
        body = b"".join(self._unpacked(response, deadline, cut))
        return Fetched(response.status_code, kind, charset, body)

    def _unpacked(self, response: httpx.Response, deadline: float, cut: bool) -> Iterator[bytes]:
        """Yield the body; what a few packed bytes unpack to is bounded as well."""
        encoding = response.headers.get("Content-Encoding", "").strip().casefold()
        if encoding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise Unread(f"unknown encoding ({encoding[:60]})")
        packed = zlib.decompressobj(47) if encoding not in ("", "identity") else None
        arrived = left = self.most_bytes
        for chunk in response.iter_raw():
            if time.monotonic() > deadline:
                raise TimeoutError
            arrived -= len(chunk)
            part = packed.decompress(chunk, left + 1) if packed is not None else chunk
            if (arrived < 0 or len(part) > left) and not cut:
                raise Unread(f"longer than {self.most_bytes:,} bytes")
            yield part[:left]
            left -= len(part)
            if arrived < 0 or left < 0:
                return
