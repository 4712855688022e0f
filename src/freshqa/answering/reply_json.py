"""A reply in JSON, read as the labelled text that says the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from freshqa.answering.find_json import read_json
from freshqa.answering.premise import rejects_premise

_KEYS = frozenset({"short_answer", "answer"})


def as_labels(reply: str) -> str:
    """The reply as text with the lines `premise:` and `short answer:`; any other reply unchanged.

    A sentence that denies the premise is the answer: its short answer says nothing without it.
    """
    values = _reply(reply)
    if values is None:
        return reply
    sentence = _text(values.get("answer"))
    short = _text(values.get("short_answer"))
    premise = _text(values.get("premise")).lower()
    lines = [sentence or short]
    if premise:
        lines.append(f"premise: {premise}")
    if short and not (premise == "false" and rejects_premise(sentence)):
        lines.append(f"short answer: {short}")
    return "\n".join(line for line in lines if line)


def cited_numbers(reply: str) -> tuple[int, ...]:
    """Numbers of the findings that a reply in JSON names, in its order."""
    values = _reply(reply) or {}
    numbers = values.get("evidence")
    if not isinstance(numbers, list):
        return ()
    return tuple(number for number in numbers if isinstance(number, int) and number > 0)


def _reply(reply: str) -> Mapping[str, Any] | None:
    """Return the JSON object of our fields in a reply, or None."""
    values = read_json(reply)
    return values if values and _KEYS & values.keys() else None


def _text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(_text(part) for part in value)
    return "" if value is None else " ".join(str(value).split())
