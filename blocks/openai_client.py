"""Chat completions over the openai client: one per process and endpoint, one layer of retries.

The reply is read as bytes and parsed here, because the client passes on HTML, errors with status
200 and replies without choices.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from freshqa.answering.failures import MalformedReply, ReplyCutShort
from freshqa.answering.language_model import Usage
from freshqa.errors import FreshQAError, ProviderRejected
from prefect_freshqa.blocks.chat_reply import unusable, usage_of
from prefect_freshqa.blocks.deadline import within
from prefect_freshqa.blocks.http_calls import (
    Attempt,
    asked_wait,
    parsed,
    read_all,
    until_answered,
)
from prefect_freshqa.blocks.in_flight import gate_of
from prefect_freshqa.blocks.openai_failures import failure, said_in
from prefect_freshqa.blocks.openai_parameters import CHANGES, MEMORY
from prefect_freshqa.blocks.provider_dialects import wait_in

if TYPE_CHECKING:
    from prefect_freshqa.blocks.chat_connection import ChatConnection

LONGEST_WAIT = 60.0
"""Seconds; a server that asks for more is given up for this call."""
CONNECT_SECONDS = 10.0
NO_KEY = "not-needed"
"""Local servers take any key; the client insists on one."""


@dataclass(frozen=True)
class Endpoint:
    """Address and parameters of a chat completions server.

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
        """The configured URL; "" for that of OpenAI."""
        return self.azure_endpoint or self.base_url

    @property
    def parameters(self) -> dict[str, Any]:
        """The configured parameters that change the replies."""
        fixed = {"max_tokens": self.max_tokens, "reasoning_effort": self.reasoning_effort}
        return {name: value for name, value in fixed.items() if value}

    @property
    def where(self) -> str:
        """Model and host, for messages; no credentials."""
        host = self.url.split("://")[-1].split("/")[0].split("@")[-1] or "api.openai.com"
        return f"Model {self.model} at {host}"


_connections: dict[tuple[int, Endpoint], ChatConnection] = {}
_lock = threading.Lock()


def connection(endpoint: Endpoint) -> ChatConnection:
    """Return the process's one connection for these settings: its sockets are pooled and reused."""
    from prefect_freshqa.blocks.chat_connection import ChatConnection

    identity = (os.getpid(), endpoint)  # a forked child must not share its parent's sockets
    with _lock:
        if identity not in _connections:
            _connections[identity] = ChatConnection(**_settings(endpoint))
        return _connections[identity]


def _settings(endpoint: Endpoint) -> dict[str, Any]:
    import openai

    shared: dict[str, Any] = {
        "api_key": endpoint.key or NO_KEY,
        # Bounded per read; `within` bounds the whole.
        "timeout": openai.Timeout(endpoint.timeout, connect=CONNECT_SECONDS),
        "max_retries": 0,  # `complete` retries; two layers would multiply
    }
    if endpoint.azure_endpoint:
        azure = {"azure_endpoint": endpoint.azure_endpoint, "api_version": endpoint.azure_version}
        return {"azure": True, **shared, **azure}
    return {"azure": False, **shared, "base_url": endpoint.base_url or None}


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
    adapted = 0
    sent: Mapping[str, Any] = {}

    def attempt() -> Attempt[Mapping[str, Any]]:
        nonlocal sent
        sent = MEMORY.fitting((endpoint.url, endpoint.model), parameters)
        return _attempt(endpoint, sent)

    def learns(failed: Attempt[Mapping[str, Any]]) -> bool:
        nonlocal adapted
        assert failed.failure is not None
        if wasted is not None:
            wasted.append(usage_of(failed.value or {}))
        if _gets_room(endpoint, sent, failed.failure):
            return True
        may_learn = adapted < len(CHANGES) + 1 and isinstance(failed.failure, ProviderRejected)
        said = failed.failure.message
        if may_learn and MEMORY.learn((endpoint.url, endpoint.model), sent, said):
            adapted += 1
            return True
        return False

    return until_answered(
        attempt,
        gate=gate_of((endpoint.url, endpoint.model), timeout=endpoint.timeout),
        retries=endpoint.retries,
        longest_wait=LONGEST_WAIT,
        sleep=sleep,
        adapted=learns,
    )


def _gets_room(endpoint: Endpoint, sent: Mapping[str, Any], error: FreshQAError) -> bool:
    """Return whether a reply of nothing but reasoning should be requested again with a higher limit.

    A limit that was set by hand is kept.
    """
    if endpoint.max_tokens or not isinstance(error, ReplyCutShort):
        return False
    return MEMORY.make_room((endpoint.url, endpoint.model), sent)


def _attempt(endpoint: Endpoint, parameters: Mapping[str, Any]) -> Attempt[Mapping[str, Any]]:
    try:
        body = within(endpoint.timeout, lambda deadline: _read(endpoint, parameters, deadline))
        return Attempt(body, unusable(body, where=endpoint.where, secret=endpoint.key))
    except Exception as raised:  # noqa: BLE001  transport errors are httpx's or httpx2's, by version
        error = failure(raised, where=endpoint.where, secret=endpoint.key)
        said = said_in(raised) if hasattr(raised, "body") else ""
        asked = asked_wait(getattr(getattr(raised, "response", None), "headers", {}))
        return Attempt(None, error, asked if asked is not None else wait_in(said))


def _read(endpoint: Endpoint, parameters: Mapping[str, Any], deadline: float) -> Mapping[str, Any]:
    asked = {"model": endpoint.model, **parameters}
    with connection(endpoint).posted(asked) as response:
        body = parsed(read_all(response.iter_bytes(), deadline))
    if isinstance(body, str):
        kind = "HTML" if body.lstrip().startswith("<") else "text that is not JSON"
        raise MalformedReply(f"{endpoint.where} sent {kind}.", "Check its base_url.") from None
    if not isinstance(body, dict):
        raise MalformedReply(
            f"{endpoint.where} did not return a JSON object.", "Check its base_url."
        )
    return body
