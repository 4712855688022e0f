"""Calls over HTTP, to search engines, models, pages and files: one policy for all of them.

Deadline: every call has one for all of it, however slowly the bytes drip in (`deadline.within`). Size: a body
that is too large is refused while it arrives (`read_all`). Retries: a failure that may be temporary
is repeated as often as the provider's settings say; a page or a file is requested once, because a
refresh or a person asks again. Waits: what the server asks for (`Retry-After`, in seconds,
milliseconds or as a date), else a random part of half a second, doubled with every attempt up to
eight; a server that asks for more than the longest wait is given up for this call. Secrets: messages
show `shown_address`, and `key_redaction` takes keys out of whatever is shown or kept.

`load`, `import` and `publish-hub` use it too, so it does not import Prefect.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import urlsplit

from freshqa.errors import BadData, FreshQAError, ProviderError
from freshqa.storable import storable
from prefect_freshqa.blocks.deadline import within

if TYPE_CHECKING:
    from prefect_freshqa.blocks.in_flight import Gate

FIRST_WAIT = 0.5
"""Upper limit, in seconds, of the wait after the first failed attempt; doubled with each attempt."""
MAX_WAIT = 8.0
"""Upper limit, in seconds, of the wait after any attempt, unless the server asks for a longer one."""
MAX_BYTES = 20_000_000
"""A results page has 0.2 MB; a larger body is refused."""
CHUNK = 65_536
CONNECT_SECONDS = 10.0
REDIRECTS = 5
T = TypeVar("T")


@dataclass(frozen=True)
class Attempt(Generic[T]):
    """One request and how it ended.

    Args:
        value: What came back; None where nothing did.
        failure: What is wrong with it; None when it can be used. Returned, not raised, so that it
            carries no trace of a library's exception, whose text and request hold the key.
        asked_wait: Seconds the server asks to wait, or None.
    """

    value: T | None
    failure: FreshQAError | None = None
    asked_wait: float | None = None


def until_answered(
    attempt: Callable[[], Attempt[T]],
    *,
    gate: Gate,
    retries: int,
    longest_wait: float,
    sleep: Callable[[float], None] = time.sleep,
    adapted: Callable[[Attempt[T]], bool] = lambda failed: False,
) -> T:
    """Repeat a request until it is answered or asking again makes no sense.

    Args:
        attempt: Makes one request.
        gate: Bounds the requests in flight at this provider.
        retries: Tries after the first.
        longest_wait: Maximum number of seconds to wait between two tries.
        sleep: Waits.
        adapted: Called after each failed attempt; True when the next request differs and does not
            count as a retry.

    Raises:
        FreshQAError: the last failure.
    """
    tries = 0
    while True:
        with gate.call() as call:
            outcome = attempt()
            call.answered, call.failure = outcome.failure is None, outcome.failure
        if outcome.failure is None:
            assert outcome.value is not None
            return outcome.value
        if adapted(outcome):
            continue
        tries += 1
        wait = wait_before(tries, outcome.asked_wait)
        if not outcome.failure.retryable or tries > retries or wait > longest_wait:
            raise outcome.failure
        sleep(wait)


class BodyTooLarge(ValueError):
    """A response is larger than its caller allows."""


def read_all(chunks: Iterable[bytes], deadline: float, *, most_bytes: int | None = None) -> bytes:
    """Return the whole body of a response.

    Args:
        most_bytes: Largest body; `MAX_BYTES` when not given.

    Raises:
        TimeoutError: the deadline passed before the last byte.
        BodyTooLarge: it has more bytes.
    """
    most_bytes = MAX_BYTES if most_bytes is None else most_bytes
    content = bytearray()
    for chunk in chunks:
        content += chunk
        if time.monotonic() > deadline:
            raise TimeoutError
        if len(content) > most_bytes:
            raise BodyTooLarge
    return bytes(content)


def parsed(content: bytes) -> Any:
    """Return the JSON of a body as any database can keep it, or its first text when it is not JSON."""
    try:
        body = json.loads(content, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return content[:2_000].decode("utf-8", "replace")
    return storable(body) if b"\\u" in content else body


def wait_before(attempt: int, asked: float | None) -> float:
    """Return the seconds to wait after a failed attempt; waits of many processes do not coincide.

    Args:
        attempt: Number of the attempt that failed, from 1.
        asked: Seconds that the server asks for, or None.
    """
    if asked is not None:
        return asked
    return random.uniform(0.5, 1.0) * min(MAX_WAIT, FIRST_WAIT * 2.0 ** (attempt - 1))


def asked_wait(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a response asks to wait, or None.

    Args:
        headers: `Retry-After` has seconds or a date, `Retry-After-Ms` milliseconds; their names
            are matched in any case.
    """
    written = {name.casefold(): str(value).strip() for name, value in headers.items()}
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            return max(0.0, float(written[name]) / unit)
        except (KeyError, ValueError):
            continue
    try:
        return max(0.0, parsedate_to_datetime(written["retry-after"]).timestamp() - time.time())
    except (KeyError, ValueError, OverflowError):
        return None


@dataclass(frozen=True)
class Response:
    """A file, or what the server sent in its place; header names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def fetch(address: str, *, read_seconds: float, total_seconds: float, most_bytes: int) -> Response:
    """Request a file once, following up to five redirects.

    Args:
        read_seconds: Longest silence of the server.
        total_seconds: Longest download.
        most_bytes: Largest file.

    Raises:
        ProviderError: the server does not answer, or not in time.
        BadData: the file is too large.
    """
    import requests  # deferred: few commands need it

    def read(deadline: float) -> Response:
        with requests.Session() as session:
            session.max_redirects = REDIRECTS
            silence = (min(CONNECT_SECONDS, read_seconds), read_seconds)
            with session.get(address, timeout=silence, stream=True) as answer:
                headers = {name.casefold(): value for name, value in answer.headers.items()}
                chunks = answer.iter_content(CHUNK)
                body = read_all(chunks, deadline, most_bytes=most_bytes)
                return Response(answer.status_code, headers, body)

    shown = shown_address(address)
    try:
        return within(total_seconds, read)
    except BodyTooLarge:
        limit = f"{most_bytes // 1_000_000} MB"
        raise BadData(f"{shown}: larger than {limit}.", "Check that it is a release.") from None
    except requests.Timeout:
        problem = f"did not answer within {read_seconds:g} seconds"
        raise ProviderError(f"{shown} {problem}.", "Try again later.") from None
    except TimeoutError:
        problem = f"was not complete after {total_seconds:g} seconds"
        raise ProviderError(f"{shown} {problem}.", "Download it in another way.") from None
    except (requests.RequestException, ValueError, OSError) as failed:
        problem = f"cannot be read ({type(failed).__name__})"
        raise ProviderError(f"{shown} {problem}.", "Check the address and the network.") from None


def shown_address(address: str) -> str:
    """Return an address without user, password and query, which may hold tokens."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
