"""Text from outside in HTML written by third-party templates: shown, never run.

Great Expectations puts some values into its pages escaped and others as they are. So each value
goes through its templates in characters that no template or browser gives a meaning, and becomes
HTML entities when the page is done.
"""

from __future__ import annotations

import re
import string
from html import escape
from typing import Any

_FIRST = 0xF0000  # a private use plane of Unicode
_MARKUP = string.punctuation.replace("-", "").replace(".", "").replace(",", "")
_STANDING_IN = {ord(char): chr(_FIRST + ord(char)) for char in _MARKUP}
_PRIVATE = re.compile(f"[{chr(_FIRST)}-{chr(_FIRST + 0x7F)}]")


def veiled(value: Any) -> Any:
    """A value as JSON holds it, with every text in it free of characters that mean something.

    Keys of objects stay: they are names of ours.
    """
    if isinstance(value, str):
        return _PRIVATE.sub("\N{REPLACEMENT CHARACTER}", value).translate(_STANDING_IN)
    if isinstance(value, dict):
        return {name: veiled(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [veiled(item) for item in value]
    return value


def unveiled(page: str) -> str:
    """Return the page with the text of `veiled` values shown as it was, as HTML entities."""
    return _PRIVATE.sub(lambda match: escape(chr(ord(match.group()) - _FIRST)), page)
