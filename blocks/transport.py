"""One HTTP exchange with a search engine: bounded in time and size, without its key in errors."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from freshqa.errors import ProviderError, ProviderRejected
from prefect_freshqa.blocks.deadline import within
from prefect_freshqa.blocks.http_calls import asked_wait, parsed, read_all
from prefect_freshqa.blocks.key_redaction import redact_record, redacted, without

if TYPE_CHECKING:
    from requests import Response

    from prefect_freshqa.blocks.lean_session import LeanSession

CHUNK = 8_192


@dataclass(frozen=True)
class Reply:
    """A response.

    Args:
        status: HTTP status.
        body: Parsed JSON, or the text when it is none.
        retry_after: Seconds the server asks to wait, or None.
        location: Where a redirect points, or "".
    """

    status: int
    body: Any
    retry_after: float | None = None
    location: str = ""


def new_session() -> LeanSession:
    """Return a pool of connections for many threads, whose log does not show keys."""
    # Deferred, here and below: importing the blocks must not cost Prefect an HTTP library.
    from prefect_freshqa.blocks.lean_session import LeanSession

    logging.getLogger("urllib3.connectionpool").addFilter(redact_record)
    return LeanSession()


def exchange(send: Callable[[], Response], *, seconds: float, engine: str, secret: str) -> Reply:
    """Send, read and parse within `seconds` in all, however slowly the bytes drip in.

    Args:
        send: Makes the request with `stream=True` and without redirects.
        engine: Name used in messages.
        secret: The key; it is taken out of every message.

    Raises:
        ProviderError: No answer, not in time, or far too long.
        ProviderRejected: The address is invalid.
    """
    from requests import RequestException
    from requests.exceptions import InvalidSchema, InvalidURL, MissingSchema
    from urllib3.exceptions import HTTPError

    def read(deadline: float) -> Reply:
        with send() as response:
            content = read_all(response.iter_content(CHUNK), deadline)
            return _reply(response, without(secret, content))

    problem = ""
    try:
        return within(seconds, read)
    except TimeoutError:
        problem = f"no complete answer within {seconds:g} s"
    except (InvalidURL, InvalidSchema, MissingSchema):
        problem = ""
    except RequestException as failed:
        where = urlsplit(getattr(failed.request, "url", None) or "").hostname or "the service"
        problem = f"no answer from {where} ({type(failed).__name__})"
    except (
        OSError,
        ValueError,
        HTTPError,
        HTTPException,
    ) as failed:
        # raised by urllib3 and not wrapped by requests
        problem = f"no usable answer ({type(failed).__name__})"
    # Raised here, outside the handlers: the original names the URL with the key in it, and would
    # stay reachable as the context of this one.
    if not problem:
        remedy = "Write it as https://host[:port]."
        raise ProviderRejected(f"{engine}: base_url is not a valid HTTP(S) URL.", remedy)
    raise ProviderError(redacted(f"{engine}: {problem}.", secret), "Try again later.")


def _reply(response: Response, content: bytes) -> Reply:
    return Reply(
        status=response.status_code,
        body=parsed(content),
        retry_after=asked_wait(response.headers),
        location=response.headers.get("Location", "") if response.is_redirect else "",
    )
