"""Download a release, with limits on time and size."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, unquote, urlsplit

from freshqa.dataset.limits import MAX_BYTES
from freshqa.errors import NotFound, ProviderError, UsageError
from prefect_freshqa.blocks.http_calls import fetch, shown_address

SHEET = re.compile(r"https?://docs\.google\.com/spreadsheets/(?:u/\d+/)?d/(?P<id>[\w-]{20,})(?!\w)")
READ_SECONDS = 30.0
TOTAL_SECONDS = 180.0


def export_address(url: str) -> str:
    """The CSV export of a Google Sheets link, of the tab that the link shows; others unchanged."""
    match = SHEET.match(url)
    if match is None or "/export" in url:
        return url
    parts = urlsplit(url)
    tab = parse_qs(parts.fragment).get("gid") or parse_qs(parts.query).get("gid")
    address = f"https://docs.google.com/spreadsheets/d/{match['id']}/export?format=csv"
    return f"{address}&gid={tab[0]}" if tab and tab[0].isdigit() else address


def download(
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
    shown = shown_address(address)
    if urlsplit(address).scheme.lower() not in ("http", "https"):
        raise UsageError(
            f"{shown} is not a valid HTTP(S) URL.", "Use http:// or https://, or give a file."
        )
    answer = fetch(
        address, read_seconds=read_seconds, total_seconds=total_seconds, most_bytes=MAX_BYTES
    )
    _check_status(answer.status, shown)
    last = urlsplit(address).path.rsplit("/", 1)[-1]
    return answer.body, _file_name(answer.headers.get("content-disposition", "")) or unquote(last)


def _file_name(disposition: str) -> str:
    """The file name in a `Content-Disposition`, the full one (`filename*`) before the plain one."""
    full = re.search(r"filename\*\s*=\s*[\w-]*'[\w-]*'([^;\s]+)", disposition, re.IGNORECASE)
    plain = re.search(r'filename\s*=\s*(?:"([^"]*)"|([^;\s]+))', disposition, re.IGNORECASE)
    name = unquote(full[1]) if full else (plain[1] or plain[2] or "") if plain else ""
    return name.replace("\\", "/").rsplit("/", 1)[-1].strip()


def _check_status(status: int, shown: str) -> None:
    if status in (401, 403, 404, 410):
        raise NotFound(
            f"{shown} returned HTTP status {status}.",
            "Check the address; a Google sheet must be shared with anyone who has the link.",
        )
    if status != 200:
        raise ProviderError(f"{shown} returned HTTP status {status}.", "Try again later.")
