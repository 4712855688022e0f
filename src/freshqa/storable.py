"""Make text of arbitrary JSON storable in any database and file."""

from __future__ import annotations

from typing import Any


def storable(value: Any) -> Any:
    """Parsed JSON without NUL and lone surrogates.

    Both are legal in JSON, but PostgreSQL refuses NUL and UTF-8 has no form for half a surrogate
    pair. A pair that was written as two escapes of its own is joined again.
    """
    if isinstance(value, str):
        if value.isascii() and "\0" not in value:
            return value
        joined = value.replace("\0", "").encode("utf-16", "surrogatepass")
        return joined.decode("utf-16", "replace")
    if isinstance(value, list):
        return [storable(item) for item in value]
    if isinstance(value, dict):
        return {storable(name): storable(item) for name, item in value.items()}
    return value
