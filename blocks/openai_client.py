"""Chat completions over the openai client: one client a process, one layer of retries, one shape.

The reply is read as bytes against a deadline and parsed here, because the client waits for ever on
a server that drips, and passes on HTML, errors with status 200 and replies without choices.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from freshqa.answering.failures import MalformedReply, ReplyCutShort
from freshqa.answering.language_model import Usage
from freshqa.errors import FreshQAError, ProviderRejected
from freshqa.storable import storable
from prefect_freshqa.blocks.chat_reply import unusable, usage_of
from prefect_freshqa.blocks.in_flight import gate_of, is_overload
from prefect_freshqa.blocks.openai_failures import failure, said_in
from prefect_freshqa.blocks.openai_parameters import CHANGES, MEMORY
from prefect_freshqa.blocks.provider_dialects import wait_in
from prefect_freshqa.blocks.retrying import asked_wait, wait_before

if TYPE_CHECKING:
    from openai import OpenAI

LONGEST_WAIT = 60.0
"""Seconds; a server that asks for more is given up for this call."""
CONNECT_SECONDS = 10.0
NO_KEY = "not-needed"
"""Local servers take any key; the client insists on one."""


@dataclass(frozen=True)
class Endpoint:
    """Where and how chat completions are asked for.

    Args:
        model: Model name; on Azure the name of the deployment.
        key: The key, or "".
        base_url: URL up to `/v1`; "" for OpenAI's own.
        azure_endpoint: URL of an Azure resource, instead of `base_url`.
        azure_version: Azure's `api-version`.
        timeout: Seconds for one reply, from request to last byte.
        max_tokens: Limit of every reply, whatever the caller asks for; 0 for the caller's.
        reasoning_effort: Sent with every request where it is not "".
        retries: Tries after the first, of failures that may be temporary.
    """

    model: str
    key: str = ""
    base_url: str = ""
    azure_endpoint: str = ""
    azure_version: str = ""
    timeout: float = 120.0
    retries: int = 3
    max_tokens: int = 0
    reasoning_effort: str = ""

    def __repr__(self) -> str:
        return f"Endpoint({self.where})"

    @property
    def url(self) -> str:
        """Whatever URL it has; "" for OpenAI's own."""
        return self.azure_endpoint or self.base_url

    @property
    def parameters(self) -> dict[str, Any]:
        """What was set by hand and changes the replies."""
        fixed = {"max_tokens": self.max_tokens, "reasoning_effort": self.reasoning_effort}
        return {name: value for name, value in fixed.items() if value}

    @property
    def where(self) -> str:
        """Model and host, for messages; no credentials."""
        host = self.url.split("://")[-1].split("/")[0].split("@")[-1] or "api.openai.com"
        return f"Model {self.model} at {host}"


_clients: dict[tuple[int, Endpoint], OpenAI] = {}
_lock = threading.Lock()


def client(endpoint: Endpoint) -> OpenAI:
    """Return the process's one client for these settings: its connections are pooled and reused."""
    import openai

    identity = (os.getpid(), endpoint)  # a forked child must not share its parent's sockets
    with _lock:
        if identity not in _clients:
            _clients[identity] = _new_client(openai, endpoint)
        return _clients[identity]


def _new_client(openai: Any, endpoint: Endpoint) -> OpenAI:
    shared: dict[str, Any] = {
        "api_key": endpoint.key or NO_KEY,
        # Bounded per read; `_read` bounds the whole.
        "timeout": openai.Timeout(endpoint.timeout, connect=CONNECT_SECONDS),
        "max_retries": 0,  # `complete` retries; two layers would multiply
    }
    if endpoint.azure_endpoint:
        made = openai.AzureOpenAI(
            azure_endpoint=endpoint.azure_endpoint, api_version=endpoint.azure_version, **shared
        )
    else:
        made = openai.OpenAI(base_url=endpoint.base_url or None, **shared)
    return made  # type: ignore[no-any-return]


def complete(
    endpoint: Endpoint,
    parameters: dict[str, Any],
    *,
    wasted: list[Usage] | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> Mapping[str, Any]:
    """Return the reply body of one chat completion, with text in its first choice.

    Args:
        parameters: `messages` and optional parameters; refused ones are renamed or dropped.
        wasted: Gets the tokens of every reply that could not be used: they are paid for.

    Raises:
        FreshQAError: the last failure, after `endpoint.retries` retries where they make sense.
    """
    tries, adapted = 0, 0
    while True:
        sent = MEMORY.fitting((endpoint.url, endpoint.model), parameters)
        with gate_of((endpoint.url, endpoint.model), timeout=endpoint.timeout).call() as call:
            body, error, wait = _attempt(endpoint, sent)
            call.answered, call.overloaded = error is None, is_overload(error)
        if error is None:
            return body
        if wasted is not None:
            wasted.append(usage_of(body))
        if _gets_room(endpoint, sent, error):
            continue
        learns = adapted < len(CHANGES) + 1 and isinstance(error, ProviderRejected)
        if learns and MEMORY.learn((endpoint.url, endpoint.model), sent, error.message):
            adapted += 1
            continue
        tries += 1
        pause = wait_before(tries, wait)
        if not error.retryable or tries > endpoint.retries or pause > LONGEST_WAIT:
            raise error
        sleep(pause)


def _gets_room(endpoint: Endpoint, sent: Mapping[str, Any], error: FreshQAError) -> bool:
    """Whether a reply of nothing but reasoning is worth asking for again, with a higher limit.

    A limit that was set by hand is kept.
    """
    if endpoint.max_tokens or not isinstance(error, ReplyCutShort):
        return False
    return MEMORY.make_room((endpoint.url, endpoint.model), sent)


def _attempt(
    endpoint: Endpoint, parameters: Mapping[str, Any]
) -> tuple[Mapping[str, Any], FreshQAError | None, float | None]:
    """Body, or our error with the seconds the server asks to wait.

    The error is returned, not raised, so that it carries no trace of the client's own exception,
    whose text and request hold the key.
    """
    body: Mapping[str, Any] = {}
    try:
        body = _read(endpoint, parameters)
        return body, unusable(body, where=endpoint.where, secret=endpoint.key), None
    except Exception as raised:  # noqa: BLE001  transport errors are httpx's or httpx2's, by version
        error = failure(raised, where=endpoint.where, secret=endpoint.key)
        said = said_in(raised) if hasattr(raised, "body") else ""
        asked = asked_wait(getattr(getattr(raised, "response", None), "headers", {}))
        return body, error, asked if asked is not None else wait_in(said)


def _read(endpoint: Endpoint, parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    deadline = time.monotonic() + endpoint.timeout
    create = client(endpoint).chat.completions.with_streaming_response.create
    received = bytearray()
    with create(model=endpoint.model, **parameters) as response:
        for chunk in response.iter_bytes():
            received += chunk
            if time.monotonic() > deadline:
                raise TimeoutError
    try:
        body = json.loads(bytes(received))
    except ValueError:
        kind = "HTML" if received.lstrip().startswith(b"<") else "text that is no JSON"
        raise MalformedReply(f"{endpoint.where} sent {kind}.", "Check its base_url.") from None
    if not isinstance(body, dict):
        raise MalformedReply(
            f"{endpoint.where} did not return a JSON object.", "Check its base_url."
        )
    return storable(body) if b"\\u" in received else body
