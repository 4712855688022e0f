"""Column types that read back exactly what was written, on SQLite and PostgreSQL alike."""

from __future__ import annotations

import json
import zlib
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any

from sqlalchemy import JSON, DateTime, LargeBinary, String
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator


class Utc(TypeDecorator[datetime]):
    """An aware time, kept in UTC: SQLite would drop the offset and keep the wall clock."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """To UTC; a naive time is a programming error."""
        if value is not None and value.tzinfo is None:
            raise ValueError(f"naive time {value!r}: give it a time zone")
        return value.astimezone(timezone.utc) if value is not None else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Aware again."""
        if value is None:
            return None
        return (
            value.replace(tzinfo=timezone.utc)
            if value.tzinfo is None
            else value.astimezone(timezone.utc)
        )


class Money(TypeDecorator[Decimal]):
    """US dollars as a decimal string: SQLite's NUMERIC would go through a float."""

    impl = String(40)
    cache_ok = True

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> str | None:
        """Plain notation, so that `SUM(CAST(... AS REAL))` works in SQL."""
        return format(value, "f") if value is not None else None

    def process_result_value(self, value: str | None, dialect: Dialect) -> Decimal | None:
        """Return the same number of decimals as written."""
        return Decimal(value) if value is not None else None


class Packed(TypeDecorator[Any]):
    """JSON, compressed: for raw bodies, which are large and rarely read.

    ASCII escapes carry what a text column would refuse: NUL and lone surrogates from the web.
    """

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> bytes | None:
        """Compact ASCII JSON through zlib."""
        if value is None:
            return None
        return zlib.compress(json.dumps(value, separators=(",", ":"), default=str).encode("ascii"))

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> Any:
        """Return the JSON value; None for a redacted one."""
        return json.loads(zlib.decompress(value)) if value else None


class Compressed(TypeDecorator[bytes]):
    """Bytes, compressed: for the original of an imported file."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Through zlib, so that only a redacted body is empty."""
        return zlib.compress(value) if value is not None else None

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return the bytes as they were given; None for redacted ones."""
        return zlib.decompress(value) if value else None


Json = JSON(none_as_null=True)
"""Small JSON that people read with SQL; escapes keep NUL and lone surrogates, as in `Packed`."""
