"""JSON out of a model's reply, whether or not it was asked for or obeyed."""

from __future__ import annotations

import json
import re
from typing import Any

THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
THINKING_END = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
FENCE = re.compile(r"```[\w-]*[ \t]*\n(.*?)(?:```|\Z)", re.DOTALL)


def without_thinking(text: str) -> str:
    """The reply without `<think>…</think>`, closed, cut off, or with the opening tag swallowed.

    Chat templates that open the tag themselves leave only the closing one in the reply.
    """
    text = THINKING.sub("", text)
    return THINKING_END.sub("", text).strip()


def without_fence(text: str) -> str:
    """The inside of a reply that is one fenced block; any other reply unchanged."""
    stripped = text.strip()
    match = FENCE.fullmatch(stripped)
    return match.group(1).strip() if match else stripped


def read_json(text: str) -> dict[str, Any] | None:
    """The first JSON object in a reply, or None.

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
