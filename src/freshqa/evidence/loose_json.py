"""Read JSON of unknown shape without raising.

An object is a `dict`, a list is a `list`, as `json` makes them: asking for `Mapping` instead would
cost a third of the time of parsing a page.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

MAX_DEPTH = 6
"""Deeper nesting than any engine sends is cut off, so that hostile JSON cannot exhaust the stack."""


def text(value: Any) -> str:
    """Return a scalar as text; "" for null, booleans, lists, objects, NaN and infinity."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return ""
    if isinstance(value, int):
        return str(value) if abs(value) < 10**30 else ""
    if isinstance(value, float):
        return f"{value:.12g}" if math.isfinite(value) else ""
    return ""


def first_text(record: Mapping[str, Any], *names: str) -> str:
    """Return the first of these fields that holds text which is not blank."""
    for name in names:
        value = text(record.get(name))
        if value.strip():
            return value
    return ""


def mapping(value: Any) -> Mapping[str, Any]:
    """Return an object; of a list, its first object; else an empty one."""
    return next(records(value), {})


def records(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of a list; an object alone counts as a list of one."""
    if isinstance(value, dict):
        yield value
    elif isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))


def texts(value: Any, depth: int = 0) -> list[str]:
    """Every scalar in here as text, in order; an inner list becomes one text, joined by ", "."""
    if depth > MAX_DEPTH:
        return []
    if isinstance(value, dict):
        return [part for item in value.values() for part in texts(item, depth + 1)]
    if isinstance(value, list):
        if depth == 0:
            return [part for item in value if (part := ", ".join(texts(item, 1)))]
        return [part for item in value for part in texts(item, depth + 1)]
    scalar = text(value)
    return [scalar] if scalar.strip() else []


def join(*parts: Any, separator: str = "; ") -> str:
    """Return the non-empty parts, joined; lists are flattened.

    A part that ends a sentence is followed by a space alone.
    """
    joined = ""
    for value in parts:
        for part in texts(value):
            ended = separator == "; " and joined.endswith((".", "!", "?", "…"))
            joined += f"{(' ' if ended else separator) if joined else ''}{part.strip()}"
    return joined


NO_WORDS = frozenset(
    ["link", "url", "thumbnail", "image", "img", "icon", "logo", "favicon", "stick", "token"]
)
"""A field with one of these words (or its plural) in its name holds a link or an image."""
NAME_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def says_something(name: str, value: Any) -> bool:
    """Return False for fields that hold addresses, pictures or keys instead of words."""
    words = {part.lower().removesuffix("s") for part in NAME_PART.findall(name)}
    if words & NO_WORDS or name in ("type", "kgmid", "position"):
        return False
    return not text(value).lstrip().startswith(("http://", "https://", "data:"))


def describe(record: Mapping[str, Any], *, skip: Sequence[str] = (), depth: int = 0) -> list[str]:
    """Every field with text as `field: value`, in order; inner objects in one part."""
    parts: list[str] = []
    if depth > MAX_DEPTH:
        return parts
    for name, value in record.items():
        if not isinstance(name, str) or name in skip or not says_something(name, value):
            continue
        inner = _inner(value, depth + 1)
        if inner:
            # One of several things is called by its name: "clubs: Otters | Herons".
            called = depth > 0 and name in ("name", "title")
            parts.append(inner if called else f"{name.replace('_', ' ')}: {inner}")
    return parts


def _inner(value: Any, depth: int) -> str:
    if depth > MAX_DEPTH:
        return ""
    if isinstance(value, dict):
        return ", ".join(describe(value, depth=depth))
    if isinstance(value, list):
        return " | ".join(part for item in value if (part := _inner(item, depth + 1)))
    return text(value).strip()
