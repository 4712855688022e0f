"""Apply a selector to a page, or a path to a JSON document (extra `pages`)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from freshqa.evidence.page_text import MISSING, decode, parsed
from freshqa.json_record import JsonRecord
from freshqa.storable import storable

MAX_FOUND = 1_000
LONGEST = 300


@dataclass(frozen=True)
class Selected(JsonRecord):
    """One element.

    Args:
        text: Its text, on one line.
        context: The text around it: its row, or its item.
    """

    text: str
    context: str = ""


def select(content: bytes, charset: str, selector: str) -> list[Selected]:
    """Return the elements that a CSS selector finds, in order.

    Raises:
        UsageError: The extra `pages` is not installed.
        ValueError: The selector is not valid.
    """
    try:
        from lxml.cssselect import CSSSelector
    except ImportError:
        raise MISSING from None
    tree = parsed(decode(content, charset))
    if tree is None:
        return []
    elements = CSSSelector(selector, translator="html")(tree)[:MAX_FOUND]
    return [Selected(_line(element), _line(element.getparent())) for element in elements]


def follow(content: bytes, charset: str, path: str) -> list[Selected]:
    """Return the value at a path of keys and positions (`releases.0.version`); a list gives each.

    Objects and nulls are not values: a path that leads to one finds nothing.
    """
    try:
        value = json.loads(decode(content, charset))
    except (ValueError, RecursionError):
        return []
    for step in path.split("."):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return []
    values = value if isinstance(value, list) else [value]
    known = [item for item in values if isinstance(item, (str, int, float)) and item is not True]
    selected = [
        Selected(storable(str(item))[:LONGEST], path) for item in known if item is not False
    ]
    return selected[:MAX_FOUND] if len(selected) == len(values) else []


def _line(element: Any) -> str:
    if element is None:
        return ""
    text: str = " ".join(element.text_content().split())
    return storable(text[:LONGEST]) or ""
