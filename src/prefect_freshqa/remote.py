"""Read from a server of `prefect-freshqa serve`, with limits on time and size."""

from __future__ import annotations

import json
import time
from urllib.parse import urlsplit

import requests

from freshqa.dataset.limits import MAX_BYTES
from freshqa.errors import BadData, NotFound, ProviderError

CONNECT_SECONDS, READ_SECONDS, TOTAL_SECONDS = 10.0, 30.0, 300.0
CHUNK = 65_536


def get(address: str) -> bytes:
    """Return the bytes behind an address.

    Raises:
        NotFound: the server has no such version, or needs a sign-in.
        ProviderError: it does not answer, or not in time.
        BadData: the answer is too large.
    """
    shown = shown_address(address)
    until = time.monotonic() + TOTAL_SECONDS
    try:
        with requests.get(address, timeout=(CONNECT_SECONDS, READ_SECONDS), stream=True) as answer:
            _check_status(answer, shown)
            body = bytearray()
            for chunk in answer.iter_content(CHUNK):
                body += chunk
                if len(body) > MAX_BYTES:
                    raise BadData(
                        f"{shown} exceeds {MAX_BYTES // 1_000_000} MB.", "This is not a version."
                    )
                if time.monotonic() > until:
                    raise ProviderError(f"{shown} is too slow.", "Try again later.")
            return bytes(body)
    except (requests.RequestException, OSError) as failed:
        raise ProviderError(
            f"{shown} does not answer ({type(failed).__name__}).",
            "Check the address and the network.",
        ) from None


def _check_status(answer: requests.Response, shown: str) -> None:
    if answer.status_code == 200:
        return
    if answer.status_code == 404:
        try:
            message = str(json.loads(answer.content[:10_000])["error"]["message"])
        except (ValueError, KeyError, TypeError):
            message = f"{shown} does not exist."
        raise NotFound(message, f"See: {shown.partition('/v1')[0]}/v1/versions")
    if answer.status_code in (401, 403):
        raise NotFound(f"{shown} needs a sign-in.", "Use https://NAME:TOKEN@HOST.")
    raise ProviderError(f"{shown} answered {answer.status_code}.", "Try again later.")


def shown_address(address: str) -> str:
    """Return the address without a user and a token."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
