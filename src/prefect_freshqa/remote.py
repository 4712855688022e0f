"""Read from a server of `prefect-freshqa serve`, with limits on time and size."""

from __future__ import annotations

import json

from freshqa.dataset.limits import MAX_BYTES
from freshqa.errors import NotFound, ProviderError
from prefect_freshqa.blocks.http_calls import Response, fetch, shown_address

READ_SECONDS, TOTAL_SECONDS = 30.0, 300.0


def get(address: str) -> bytes:
    """Return the bytes behind an address.

    Raises:
        NotFound: the server has no such version, or needs a sign-in.
        ProviderError: it does not answer, or not in time.
        BadData: the answer is too large.
    """
    shown = shown_address(address)
    answer = fetch(
        address, read_seconds=READ_SECONDS, total_seconds=TOTAL_SECONDS, most_bytes=MAX_BYTES
    )
    _check_status(answer, shown)
    return answer.body


def _check_status(answer: Response, shown: str) -> None:
    if answer.status == 200:
        return
    if answer.status == 404:
        try:
            message = str(json.loads(answer.body[:10_000])["error"]["message"])
        except (ValueError, KeyError, TypeError):
            message = f"{shown} does not exist."
        raise NotFound(message, f"See: {shown.partition('/v1')[0]}/v1/versions")
    if answer.status in (401, 403):
        raise NotFound(f"{shown} needs a sign-in.", "Use https://NAME:TOKEN@HOST.")
    raise ProviderError(f"{shown} returned HTTP status {answer.status}.", "Try again later.")
