"""A release from the web: an address in, its bytes out, with limits on time and size."""

from __future__ import annotations

import re
import time
from urllib.parse import parse_qs, unquote, urlsplit

import requests

from freshqa.dataset.limits import MAX_BYTES
from freshqa.errors import BadData, NotFound, ProviderError, UsageError

SHEET = re.compile(r"https?://docs\.google\.com/spreadsheets/(?:u/\d+/)?d/(?P<id>[\w-]{20,})(?!\w)")
CONNECT_SECONDS = 10.0
READ_SECONDS = 30.0
TOTAL_SECONDS = 180.0
REDIRECTS = 5
CHUNK = 65_536


def export_address(url: str) -> str:
    """The CSV export of a Google Sheets link, of the tab that the link shows; others unchanged."""
    found = SHEET.match(url)
    if found is None or "/export" in url:
        return url
    parts = urlsplit(url)
    tab = parse_qs(parts.fragment).get("gid") or parse_qs(parts.query).get("gid")
    address = f"https://docs.google.com/spreadsheets/d/{found['id']}/export?format=csv"
    return f"{address}&gid={tab[0]}" if tab and tab[0].isdigit() else address


def download(
    url: str, *, read_seconds: float = READ_SECONDS, total_seconds: float = TOTAL_SECONDS
) -> bytes:
    """Return the bytes behind an http(s) address; see `fetch`."""
    return fetch(url, read_seconds=read_seconds, total_seconds=total_seconds)[0]


def fetch(
    url: str, *, read_seconds: float = READ_SECONDS, total_seconds: float = TOTAL_SECONDS
) -> tuple[bytes, str]:
    """Return the bytes behind an http(s) address, and what the server calls the file.

    Args:
        url: A file, or a link to a Google sheet.
        read_seconds: Longest silence of the server.
        total_seconds: Longest download.

    Raises:
        UsageError: Not http or https.
        NotFound: The server has no such file, or does not let everyone read it.
        ProviderError: The server does not answer, or not in time.
        BadData: The file is too large.
    """
    address = export_address(url)
    shown = _without_secrets(address)
    if urlsplit(address).scheme.lower() not in ("http", "https"):
        raise UsageError(
            f"{shown} is not a valid HTTP(S) URL.", "Use http:// or https://, or give a file."
        )
    until = time.monotonic() + total_seconds
    session = requests.Session()
    session.max_redirects = REDIRECTS
    try:
        with session.get(
            address, timeout=(min(CONNECT_SECONDS, read_seconds), read_seconds), stream=True
        ) as answer:
            _check_status(answer.status_code, shown)
            name = _file_name(answer.headers.get("Content-Disposition", ""))
            last = urlsplit(address).path.rsplit("/", 1)[-1]
            return _body(answer, shown, until), name or unquote(last)
    except requests.Timeout:
        raise ProviderError(
            f"{shown} did not answer within {read_seconds:g} seconds.", "Try again later."
        ) from None
    except (requests.RequestException, ValueError, OSError) as failed:
        reason = type(failed).__name__
        raise ProviderError(
            f"{shown} cannot be read ({reason}).", "Check the address and the network."
        ) from None
    finally:
        session.close()


def _file_name(disposition: str) -> str:
    """The file name in a `Content-Disposition`, the full one (`filename*`) before the plain one."""
    full = re.search(r"filename\*\s*=\s*[\w-]*'[\w-]*'([^;\s]+)", disposition, re.IGNORECASE)
    plain = re.search(r'filename\s*=\s*(?:"([^"]*)"|([^;\s]+))', disposition, re.IGNORECASE)
    name = unquote(full[1]) if full else (plain[1] or plain[2] or "") if plain else ""
    return name.replace("\\", "/").rsplit("/", 1)[-1].strip()


def _check_status(status: int, shown: str) -> None:
    if status in (401, 403, 404, 410):
        raise NotFound(
            f"{shown} answered {status}.",
            "Check the address; a Google sheet must be shared with anyone who has the link.",
        )
    if status != 200:
        raise ProviderError(f"{shown} answered {status}.", "Try again later.")


def _body(answer: requests.Response, shown: str, until: float) -> bytes:
    body = bytearray()
    for chunk in answer.iter_content(CHUNK):
        body += chunk
        if len(body) > MAX_BYTES:
            raise BadData(
                f"{shown}: larger than {MAX_BYTES // 1_000_000} MB.", "This file is not a release."
            )
        if time.monotonic() > until:
            raise ProviderError(
                f"{shown} is too slow. The download was stopped.",
                "Download it in another way and import the file.",
            )
    return bytes(body)


def _without_secrets(url: str) -> str:
    """Return the address without a user, a password or a query, which may hold tokens."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}"
