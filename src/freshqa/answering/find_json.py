"""Find JSON in a model's reply, whether or not it was requested."""

from __future__ import annotations

import json
import re
from typing import Any

from freshqa.answering.reasoning import without_thinking

FENCE = re.compile(r"```[\w-]*[ \t]*\n(.*?)(?:```|\Z)", re.DOTALL)


def without_fence(text: str) -> str:
    """Return the inside of a reply that is one fenced block; any other reply unchanged."""
    stripped = text.strip()
    match = FENCE.fullmatch(stripped)
    return match.group(1).strip() if match else stripped


def read_json(text: str) -> dict[str, Any] | None:
    """Return the first JSON object in a reply, or None.

    Reasoning, code fences, and prose before or after the object are passed over.
    """
    text = without_thinking(text)
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start != -1:
        try:
            value, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            return value
        start = text.find("{", start + 1)
    return None
