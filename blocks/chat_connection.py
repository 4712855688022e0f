"""Requests to one chat completions server over the connections of an openai client."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import openai

PER_REQUEST = {"content-length", "content-type", "host"}
"""Headers that belong to one body, or that the HTTP client writes itself."""


class ChatConnection:
    """Sends chat completions.

    The openai client writes the first request: address, keys and headers. Those that follow have
    another body and nothing else, and are sent as they are: to write one takes the client longer
    than to send it.

    Args:
        azure: Whether it is an Azure resource.
        settings: Arguments of the openai client.
    """

    def __init__(self, *, azure: bool, **settings: Any) -> None:
        self._http = openai.DefaultHttpxClient(event_hooks={"request": [self._remember]})
        make = openai.AzureOpenAI if azure else openai.OpenAI
        self.client: openai.OpenAI = make(http_client=self._http, **settings)
        self._first: Any = None

    def _remember(self, request: Any) -> None:
        if self._first is None:
            self._first = request

    @contextmanager
    def posted(self, body: Mapping[str, Any]) -> Iterator[Any]:
        """Post a request, and close the response, whose `iter_bytes` returns its body.

        Raises:
            openai.OpenAIError: it was refused, or nobody answered.
        """
        if self._first is None:
            create = self.client.chat.completions.with_streaming_response.create
            # the client walks through the types of every message
            with create(model=body["model"], messages=[], extra_body=body) as first:
                yield first
            return
        response = self._sent(body)
        try:
            if not response.is_success:
                response.read()
                said = _json(response.text)
                raise openai.APIStatusError("", response=response, body=said)
            yield response
        finally:
            response.close()

    def _sent(self, body: Mapping[str, Any]) -> Any:
        first = self._first
        library = import_module(type(first).__module__.partition(".")[0])  # httpx, or httpx2
        headers = {name: value for name, value in first.headers.items() if name not in PER_REQUEST}
        request = library.Request(
            first.method,
            first.url,
            headers={**headers, "content-type": "application/json"},
            content=json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False),
            extensions=first.extensions,
        )
        try:
            return self._http.send(request, stream=True)
        except library.TimeoutException as late:
            raise openai.APITimeoutError(request=request) from late
        except library.HTTPError as failed:
            raise openai.APIConnectionError(request=request) from failed


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
