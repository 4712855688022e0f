"""Which optional parameters an endpoint takes, learned from its refusals and remembered.

There is no list of model names: reasoning models refuse `max_tokens` and `temperature`, other
servers refuse `max_completion_tokens` or `response_format`, and both change with every release.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from typing import Any

from prefect_freshqa.blocks.provider_dialects import TABLE, Meaning

REFUSAL = re.compile(
    r"unsupported|not support|unrecogni[sz]ed|unknown|unexpected|not permitted|extra_forbidden"
    r"|deprecated|not allowed|invalid|does not accept|must be|should be|out of range|in range"
    r"|only .{0,30}(?:is|are) (?:allowed|supported)|not (?:a )?valid|strictly positive|greater than"
    r"|less than|cannot be|can only be|no longer",
    re.IGNORECASE,
)
ROLE = re.compile(
    next(row.pattern for row in TABLE if row.meaning is Meaning.role), re.IGNORECASE | re.DOTALL
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


def _without_system(parameters: dict[str, Any]) -> dict[str, Any]:
    """System text before the first user turn, and neighbouring turns of one role joined."""
    turns: list[dict[str, Any]] = []
    for message in parameters["messages"]:
        role = "user" if message["role"] in ("system", "developer") else message["role"]
        if turns and turns[-1]["role"] == role:
            joined = f"{turns[-1]['content']}\n\n{message['content']}"
            turns[-1] = {"role": role, "content": joined}
        else:
            turns.append({"role": role, "content": message["content"]})
    return {**parameters, "messages": turns}


CHANGES: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "max_tokens": _rename("max_tokens", "max_completion_tokens"),
    "max_completion_tokens": _drop("max_completion_tokens"),
    "temperature": _drop("temperature"),
    "seed": _drop("seed"),
    "response_format": _only_json,
    "reasoning_effort": _drop("reasoning_effort"),
    "messages": _without_system,
}
"""Refused parameter → what is sent instead."""


ROOMS = (4096, 16384)
"""Tokens; limits for models that reason, tried in turn when a lower one leaves no answer."""


class ParameterMemory:
    """Parameters that each (endpoint, model) has refused; shared by all threads."""

    def __init__(self) -> None:
        self._refused: dict[tuple[str, str], tuple[str, ...]] = {}
        self._room: dict[tuple[str, str], int] = {}
        self._lock = threading.Lock()

    def fitting(self, endpoint: tuple[str, str], parameters: dict[str, Any]) -> dict[str, Any]:
        """Return the parameters in the form that this endpoint takes, as far as is known."""
        room = self._room.get(endpoint, 0)
        if parameters.get("max_tokens", room) < room:
            parameters = {**parameters, "max_tokens": room}
        for name in self._refused.get(endpoint, ()):
            if name in parameters:
                parameters = CHANGES[name](parameters)
        return parameters

    def learn(self, endpoint: tuple[str, str], sent: Mapping[str, Any], said: str) -> bool:
        """Note the parameter that a refusal is about; False when it is about none that was sent."""
        named = _refused(sent, said)
        if not named:
            return False
        with self._lock:
            refused = self._refused.get(endpoint, ())
            self._refused[endpoint] = (*refused, named[0])
        return True

    def make_room(self, endpoint: tuple[str, str], sent: Mapping[str, Any]) -> bool:
        """Raise the least limit of an endpoint whose reasoning used it up; False at the highest."""
        limit = sent.get("max_tokens") or sent.get("max_completion_tokens") or 0
        higher = next((room for room in ROOMS if limit and room > limit), 0)
        if not higher:
            return False
        with self._lock:
            self._room[endpoint] = max(higher, self._room.get(endpoint, 0))
        return True


def _refused(sent: Mapping[str, Any], said: str) -> list[str]:
    """Names in `CHANGES` that a refusal is about, best first."""
    roles = {message["role"] for message in sent.get("messages", ())}
    if roles & {"system", "developer"} and ROLE.search(said):
        return ["messages"]
    if not REFUSAL.search(said):
        return []
    others = (name for name in CHANGES if name != "messages" and name in sent)
    return [name for name in others if re.search(rf"\b{name}\b", said)]


MEMORY = ParameterMemory()
