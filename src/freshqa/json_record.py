"""Dataclasses as JSON objects and back, by their types.

A field that has another name in JSON says so: `Annotated[int, Field(serialization_alias="rows")]`;
a record whose keys are merged into those of the record that holds it: `Annotated[Rate, FLAT]`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Annotated, Any, TypeVar, get_type_hints

from pydantic import GetCoreSchemaHandler, PlainSerializer, TypeAdapter, WrapSerializer
from typing_extensions import Self

T = TypeVar("T")
R = TypeVar("R", bound="JsonRecord")
Moment = Annotated[datetime, PlainSerializer(datetime.isoformat, when_used="json")]
"""A time with its offset written as `+00:00`, which Python 3.10 can read, not as `Z`."""
Share = Annotated[float, PlainSerializer(lambda value: round(value, 6), when_used="json")]
"""A share or figure, rounded to six places."""
FLAT = "flat"
"""Marks a field that is a record: its keys are written in its place. Such a record is not read back."""
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
        """Return the record that `to_json` wrote.

        Keys that it does not know are ignored, those that are missing take their defaults: a later
        release reads what an earlier one wrote, and the other way round.

        Raises:
            pydantic.ValidationError: a value is not of its field's type, or a required one is missing.
        """
        return from_record(cls, record)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type[Any], handler: GetCoreSchemaHandler) -> Any:
        hints = get_type_hints(source, include_extras=True)
        flat = {name for name, hint in hints.items() if FLAT in getattr(hint, "__metadata__", ())}
        if not flat:
            return handler(source)

        def write(value: Any, fields_of: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
            record: dict[str, Any] = {}
            for name, part in fields_of(value).items():
                record.update(part if name in flat else {name: part})
            return record

        return WrapSerializer(write).__get_pydantic_core_schema__(source, handler)


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
