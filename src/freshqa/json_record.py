"""Dataclasses as JSON objects and back, by their types.

A field that has another name in JSON says so: `Annotated[int, Field(serialization_alias="rows")]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, TypeVar

from pydantic import PlainSerializer, TypeAdapter
from typing_extensions import Self

T = TypeVar("T")
R = TypeVar("R", bound="JsonRecord")
Moment = Annotated[datetime, PlainSerializer(datetime.isoformat, when_used="json")]
"""A time with its offset written as `+00:00`, which Python 3.10 can read, not as `Z`."""
Share = Annotated[float, PlainSerializer(lambda value: round(value, 6), when_used="json")]
"""A share or figure, rounded to six places."""
_adapters: dict[type[Any], TypeAdapter[Any]] = {}


class JsonRecord:
    """A dataclass that its types alone turn into a JSON object and back."""

    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        """Return a JSON object: dates as ISO text, amounts as decimal text."""
        record: dict[str, Any] = _adapter(type(self)).dump_python(self, mode="json", by_alias=True)
        return record

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """Return what `to_json` wrote.

        Keys that it does not know are ignored, those that are missing take their defaults: a later
        release reads what an earlier one wrote, and the other way round.

        Raises:
            pydantic.ValidationError: a value is not of its field's type, or a required one is missing.
        """
        return from_record(cls, record)


def from_record(kind: type[T], record: Mapping[str, Any]) -> T:
    """Return the dataclass of a JSON object.

    Raises:
        pydantic.ValidationError: a value is not of its field's type, or a required one is missing.
    """
    value: T = _adapter(kind).validate_python(dict(record))
    return value


def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    if kind not in _adapters:
        _adapters[kind] = TypeAdapter(kind)
    return _adapters[kind]
