"""Which optional parameters an endpoint takes, learned from its refusals and remembered.

There is no list of model names: reasoning models refuse `max_tokens` and `temperature`, other
servers refuse `max_completion_tokens` or `response_format`, and both change with every release.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from typing import Any

REFUSAL = re.compile(
    r"unsupported|not support|unrecogni[sz]ed|unknown|unexpected|not permitted|extra_forbidden"
    r"|deprecated|not allowed|invalid (?:parameter|argument|value)|does not accept",
    re.IGNORECASE,
)


def _rename(old: str, new: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def change(parameters: dict[str, Any]) -> dict[str, Any]:
        return {new if name == old else name: value for name, value in parameters.items()}

    return change


def _drop(gone: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def change(parameters: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in parameters.items() if name != gone}

    return change


def _only_json(parameters: dict[str, Any]) -> dict[str, Any]:
    wanted = parameters["response_format"]
    if wanted["type"] == "json_schema":
        return {**parameters, "response_format": {"type": "json_object"}}
    return _drop("response_format")(parameters)


CHANGES: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "max_tokens": _rename("max_tokens", "max_completion_tokens"),
    "max_completion_tokens": _drop("max_completion_tokens"),
    "temperature": _drop("temperature"),
    "seed": _drop("seed"),
    "response_format": _only_json,
}
"""Refused parameter → what is sent instead."""


class ParameterMemory:
    """What each (endpoint, model) has refused so far; shared by all threads of the process."""

    def __init__(self) -> None:
        self._refused: dict[tuple[str, str], tuple[str, ...]] = {}
        self._lock = threading.Lock()

    def fitting(self, endpoint: tuple[str, str], parameters: dict[str, Any]) -> dict[str, Any]:
        """The parameters in the form that this endpoint takes, as far as is known."""
        for name in self._refused.get(endpoint, ()):
            if name in parameters:
                parameters = CHANGES[name](parameters)
        return parameters

    def learn(self, endpoint: tuple[str, str], sent: Mapping[str, Any], said: str) -> bool:
        """Note the parameter that a refusal is about; False when it is about none that was sent."""
        if not REFUSAL.search(said):
            return False
        named = [name for name in CHANGES if name in sent and re.search(rf"\b{name}\b", said)]
        if not named:
            return False
        with self._lock:
            refused = self._refused.get(endpoint, ())
            self._refused[endpoint] = (*refused, named[0])
        return True


MEMORY = ParameterMemory()
