"""Dataclasses as JSON objects and back, by their types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import TypeAdapter

T = TypeVar("T")
_adapters: dict[type[Any], TypeAdapter[Any]] = {}


def to_record(value: Any) -> dict[str, Any]:
    """Return a dataclass as a JSON object: dates as ISO text, amounts as decimal text."""
    record: dict[str, Any] = _adapter(type(value)).dump_python(value, mode="json")
    return record


def from_record(kind: type[T], record: Mapping[str, Any]) -> T:
    """Return the dataclass that `to_record` wrote.

    Keys that it does not know are ignored, those that are missing take their defaults: a later
    release reads what an earlier one wrote, and the other way round.

    Raises:
        pydantic.ValidationError: a value is not of its field's type, or a required one is missing.
    """
    value: T = _adapter(kind).validate_python(dict(record))
    return value


def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    if kind not in _adapters:
        _adapters[kind] = TypeAdapter(kind)
    return _adapters[kind]
