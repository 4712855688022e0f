"""Requests to one chat completions server over the connections of an openai client."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import openai

OF_A_BODY = {"content-length", "content-type", "host"}
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
        self._common: Mapping[str, Any] = {}
        self._library: Any = None

    def _remember(self, request: Any) -> None:
        if self._common:
            return
        self._library = import_module(type(request).__module__.partition(".")[0])  # httpx, httpx2
        headers = {name: value for name, value in request.headers.items() if name not in OF_A_BODY}
        self._common = {
            "method": request.method,
            "url": request.url,
            "headers": {**headers, "content-type": "application/json"},
            "extensions": request.extensions,
        }

    @contextmanager
    def posted(self, body: Mapping[str, Any]) -> Iterator[Any]:
        """Post a request, and close the response, whose `iter_bytes` returns its body.

        Raises:
            openai.OpenAIError: it was refused, or nobody answered.
        """
        if not self._common:
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
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        request = self._library.Request(**self._common, content=text)
        try:
            return self._http.send(request, stream=True)
        except self._library.TimeoutException as late:
            raise openai.APITimeoutError(request=request) from late
        except self._library.HTTPError as failed:
            raise openai.APIConnectionError(request=request) from failed


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
